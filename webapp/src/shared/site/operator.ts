import { useGetSiteQuery } from '@/api/site';

export interface Operator {
  name: string;
  /** Absent if the operator gave none. */
  contact?: { text: string; href: string };
}

const UNNAMED = 'the operator of this server';

/** The operator from the server's configuration. */
export function useOperator(): Operator {
  const { data } = useGetSiteQuery();
  const contact = data?.operatorContact;
  return {
    name: data?.operatorName ?? UNNAMED,
    ...(contact === undefined ? {} : { contact: { text: contact, href: contactHref(contact) } }),
  };
}

/** A link to a mail address or URL; never a script. */
export function contactHref(contact: string): string {
  return /^(https?:\/\/|mailto:)/i.test(contact) ? contact : `mailto:${encodeURI(contact)}`;
}

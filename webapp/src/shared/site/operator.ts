import { useGetSiteQuery } from '@/api/site';

export interface Operator {
  name: string;
  /** Absent where the operator gave none. */
  contact?: { text: string; href: string };
}

const UNNAMED = 'the operator of this server';

/** Who runs this server, as its configuration says. */
export function useOperator(): Operator {
  const { data } = useGetSiteQuery();
  const contact = data?.operatorContact;
  return {
    name: data?.operatorName ?? UNNAMED,
    ...(contact === undefined ? {} : { contact: { text: contact, href: contactHref(contact) } }),
  };
}

/** A mail address or an address of a page; whatever else it is, it is no script. */
export function contactHref(contact: string): string {
  return /^(https?:\/\/|mailto:)/i.test(contact) ? contact : `mailto:${encodeURI(contact)}`;
}

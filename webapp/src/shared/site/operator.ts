import { useGetSiteQuery } from '@/api/site';
import { ifKnown } from '@/shared/ui/Loaded';

export interface Operator {
  name: string;
  /** Absent if the operator gave none. */
  contact?: { text: string; href: string };
}

const UNNAMED = 'the operator of this server';

/** The operator from the server's configuration. */
export function useOperator(): Operator {
  const site = ifKnown(useGetSiteQuery());
  const contact = site?.operatorContact;
  return {
    name: site?.operatorName ?? UNNAMED,
    ...(contact === undefined ? {} : { contact: { text: contact, href: contactHref(contact) } }),
  };
}

/** A link to a mail address or URL; never a script. */
export function contactHref(contact: string): string {
  return /^(https?:\/\/|mailto:)/i.test(contact) ? contact : `mailto:${encodeURI(contact)}`;
}

import { usePlansQuery } from '@/api/subscription';

/** Something can be bought on this server; false until it has said so, and for whom it makes no difference. */
export function usePaymentsOn(skip = false): boolean {
  const { data } = usePlansQuery(undefined, { skip });
  return !skip && data?.configured === true;
}

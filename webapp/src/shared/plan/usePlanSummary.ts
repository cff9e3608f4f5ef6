import { usePlansQuery } from '@/api/subscription';
import { fromPriceText } from './price';

interface PlanSummary {
  /** Something can be bought on this server. */
  isForSale: boolean;
  /** Such as 'from $3.99/month'; absent where nothing is for sale. */
  from: string | undefined;
  benefits: readonly string[];
  /** Events a month on the free plan; absent until the server has said so. */
  freeEvents: number | undefined;
}

/** Prices, limits and benefits as this server's configuration has them; nothing of them stands in the program. */
export function usePlanSummary(skip = false): PlanSummary {
  const { data } = usePlansQuery(undefined, { skip });
  return {
    isForSale: !skip && data?.configured === true,
    from: data?.fromPrice === undefined ? undefined : fromPriceText(data.fromPrice),
    benefits: data?.benefits ?? [],
    freeEvents: data?.freeEventsPerMonth,
  };
}

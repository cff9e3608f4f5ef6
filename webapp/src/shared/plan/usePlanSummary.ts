import { usePlansQuery } from '@/api/subscription';
import { fromPriceText } from './price';
import { ifKnown } from '@/shared/ui/Loaded';

interface PlanSummary {
  /** Pro is sold on this server. */
  isForSale: boolean;
  /** Such as 'from $3.99/month'; absent if Pro is not sold. */
  from: string | undefined;
  benefits: readonly string[];
  /** Events per month on the free plan; absent until loaded. */
  freeEvents: number | undefined;
}

/** Prices, limits and benefits from the server's configuration; none is hard-coded. */
export function usePlanSummary(skip = false): PlanSummary {
  const data = ifKnown(usePlansQuery(undefined, { skip }));
  return {
    isForSale: !skip && data?.configured === true,
    from: data?.fromPrice === undefined ? undefined : fromPriceText(data.fromPrice),
    benefits: data?.benefits ?? [],
    freeEvents: data?.freeEventsPerMonth,
  };
}

import type { Plan, Subscription } from '@/api/subscription';
import { priceText } from '@/shared/plan/price';
import classes from './Membership.module.css';

interface PlanPriceProps {
  subscription: Subscription;
  plans: readonly Plan[];
}

/** The price and the name of a subscription's plan. A plan that is not sold any more has a name only. */
export function PlanPrice({ subscription: { planId, name, price }, plans }: PlanPriceProps) {
  const currency = plans.find((plan) => plan.planId === planId)?.currency;
  return (
    <p className={classes.price}>
      {price !== undefined && <strong>{priceText(price, currency)}</strong>}
      <span>{price === undefined ? name : `/${name}`}</span>
    </p>
  );
}

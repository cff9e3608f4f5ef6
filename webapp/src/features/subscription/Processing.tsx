import type { Plan, Subscription } from '@/api/subscription';
import { priceText } from '@/shared/plan/price';
import classes from './Membership.module.css';

interface ProcessingProps {
  subscription: Subscription;
  plans: readonly Plan[];
}

/** For whoever has paid with something that takes days to arrive. */
export function Processing({ subscription: { planId, name, price }, plans }: ProcessingProps) {
  const currency = plans.find((plan) => plan.planId === planId)?.currency;
  return (
    <section className={classes.member} aria-labelledby="processing">
      <span className={classes.savings}>Payment in progress</span>
      <h2 id="processing">Almost Pro</h2>
      <p className={classes.price}>
        {price !== undefined && <strong>{priceText(price, currency)}</strong>}
        <span>{price === undefined ? name : `/${name}`}</span>
      </p>
      <p className={classes.note} role="status">
        Your payment is being processed… Pro starts when it is through.
      </p>
      <p className={classes.soft}>
        A debit from a bank account takes some days. There is nothing to do until then: this page follows by itself, and
        you get an email with the receipt, or if the payment does not arrive.
      </p>
    </section>
  );
}

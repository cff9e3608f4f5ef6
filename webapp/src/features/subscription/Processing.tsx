import type { Plan, Subscription } from '@/api/subscription';
import classes from './Membership.module.css';
import { PlanPrice } from './PlanPrice';

interface ProcessingProps {
  subscription: Subscription;
  plans: readonly Plan[];
}

/** Shown while a slow payment is being processed. */
export function Processing({ subscription, plans }: ProcessingProps) {
  return (
    <section className={classes.member} aria-labelledby="processing">
      <span className={classes.savings}>Payment in progress</span>
      <h2 id="processing">Almost Pro</h2>
      <PlanPrice subscription={subscription} plans={plans} />
      <p className={classes.note} role="status">
        Your payment is being processed… Pro starts when it is complete.
      </p>
      <p className={classes.soft}>
        A bank debit takes a few days. There is nothing to do until then: this page updates by itself, and we email you
        the receipt, or tell you if the payment fails.
      </p>
    </section>
  );
}

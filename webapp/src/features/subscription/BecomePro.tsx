import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Plan } from '@/api/subscription';
import { Benefits } from './Benefits';
import { Checkout } from './Checkout';
import classes from './Membership.module.css';
import { priceText } from '@/shared/plan/price';
import { usePlanSummary } from '@/shared/plan/usePlanSummary';
import { StepHeading } from './StepHeading';
import type { Purchase } from './usePurchase';

interface BecomeProProps {
  purchase: Purchase;
  plans: readonly Plan[];
}

/** The three steps to Pro: benefits, plan, payment. */
export function BecomePro({ purchase: { step, plan, go }, plans }: BecomeProProps) {
  const place = useFocusOnStep(step);
  return (
    <div ref={place} data-step={step}>
      {step === 'step_one' && <Reasons onNext={() => go('step_two')} />}
      {step === 'step_two' && (
        <Choice plans={plans} onBack={() => go('step_one')} onSelect={(planId) => go('step_three', planId)} />
      )}
      {step === 'step_three' && plan !== undefined && (
        <Checkout key={plan.planId} plan={plan} onBack={() => go('step_two')} />
      )}
    </div>
  );
}

/** Screen readers announce the heading of a new step. */
function useFocusOnStep(step: string) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    place.current?.querySelector('h2')?.focus();
  }, [step]);
  return place;
}

function Reasons({ onNext }: { onNext: () => void }) {
  const { from } = usePlanSummary();
  return (
    <section className={classes.part} aria-labelledby="step">
      <StepHeading>Morpion Pro</StepHeading>
      <p className={classes.lead}>Join every tournament{from === undefined ? '' : `, ${from}`}.</p>
      <Benefits />
      <div className={classes.actions}>
        <Button onClick={onNext}>Next</Button>
      </div>
    </section>
  );
}

interface ChoiceProps {
  plans: readonly Plan[];
  onBack: () => void;
  onSelect: (planId: string) => void;
}

function Choice({ plans, onBack, onSelect }: ChoiceProps) {
  return (
    <section className={classes.part} aria-labelledby="step">
      <StepHeading back={{ label: 'Back to the benefits', go: onBack }}>Select a Plan</StepHeading>
      <ul className={classes.plans} aria-label="Plans">
        {plans.map(({ planId, name, price, currency, savings, isPopularChoice }) => (
          <li key={planId} className={classes.plan} data-popular={isPopularChoice || undefined}>
            <div className={classes.marks}>
              {isPopularChoice && <span className={classes.popular}>Popular choice</span>}
              {savings && <span className={classes.savings}>Save {savings}</span>}
            </div>
            <p className={classes.price}>
              <strong>{priceText(price, currency)}</strong>
              <span>/{name}</span>
            </p>
            <Button
              variant={isPopularChoice ? 'filled' : 'default'}
              onClick={() => onSelect(planId)}
              aria-label={`Select ${name}`}
            >
              Select
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

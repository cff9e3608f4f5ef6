import { useSearchParams } from 'react-router';
import type { Plan } from '@/api/subscription';

/** The steps of a purchase: docs/behaviour/webapp.md#pro. */
export type Step = 'step_one' | 'step_two' | 'step_three';

export interface Purchase {
  step: Step;
  /** The plan of step three. */
  plan: Plan | undefined;
  go: (step: Step, planId?: string) => void;
}

/** The step of a purchase, kept in the URL for reloads and for a bank's redirect. */
export function usePurchase(plans: readonly Plan[]): Purchase {
  const [params, setParams] = useSearchParams();
  const plan = plans.find(({ planId }) => planId === params.get('plan'));
  const asked = params.get('step');
  const step = asked === 'step_three' && plan !== undefined ? 'step_three' : asked === null ? 'step_one' : 'step_two';
  return {
    step,
    plan: step === 'step_three' ? plan : undefined,
    go: (next, planId) =>
      setParams(next === 'step_one' ? {} : { step: next, ...(planId === undefined ? {} : { plan: planId }) }),
  };
}

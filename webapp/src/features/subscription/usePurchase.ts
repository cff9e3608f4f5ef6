import { useSearchParams } from 'react-router';
import type { Plan } from '@/api/subscription';

/** The steps of a purchase: docs/behaviour/webapp.md#pro. */
export type Step = 'step_one' | 'step_two' | 'step_three';

export interface Purchase {
  step: Step;
  /** The plan that step three is about. */
  plan: Plan | undefined;
  go: (step: Step, planId?: string) => void;
}

/** How far a purchase is; the address keeps it, for a reload and for the way back from a bank. */
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

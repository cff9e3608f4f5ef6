import { Button } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '@/api/base';
import { type Plan, useChangePlanMutation } from '@/api/subscription';
import { Card } from '@/shared/ui/Card';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './Membership.module.css';
import { priceText } from '@/shared/plan/price';

interface ChangePlanProps {
  /** The plan one has; undefined for one that is not for sale any more. */
  planId: string | undefined;
  plans: readonly Plan[];
}

/** The other plans, each a change away. */
export function ChangePlan({ planId, plans }: ChangePlanProps) {
  const [change, { isLoading }] = useChangePlanMutation();
  const [chosen, setChosen] = useState<Plan | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const others = plans.filter((plan) => plan.planId !== planId);
  if (others.length === 0) return null;

  const go = async (plan: Plan) => {
    setFailure(null);
    const { error } = await change(plan.planId);
    setAsking(false);
    if (error === undefined) toast.success(`Your plan is ${plan.name} now.`);
    else setFailure(errorText(error, 'POST request failed'));
  };
  return (
    <Card title="Change plan">
      <ul className={classes.rows} aria-label="Other plans">
        {others.map((plan) => (
          <li key={plan.planId} className={classes.row}>
            <p className={classes.what}>
              <strong>
                {priceText(plan.price, plan.currency)}/{plan.name}
              </strong>
              {plan.savings && <span className={classes.savings}>Save {plan.savings}</span>}
            </p>
            <Button
              variant="default"
              aria-label={`Change to ${plan.name}`}
              onClick={() => {
                setChosen(plan);
                setAsking(true);
              }}
            >
              Change
            </Button>
          </li>
        ))}
      </ul>
      <Failure text={failure} />
      <ConfirmDialog
        title={`Change to ${chosen?.name ?? ''}`}
        opened={isAsking}
        confirm="Change Plan"
        keep="Keep Plan"
        isBusy={isLoading}
        onConfirm={() => chosen !== null && void go(chosen)}
        onKeep={() => setAsking(false)}
      >
        <p>
          The new plan begins at once. What is left of the present one is taken off its price, and the difference is
          charged to your card.
        </p>
      </ConfirmDialog>
    </Card>
  );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '@/api/base';
import { type PaymentMethod, useListPaymentMethodsQuery, useRemovePaymentMethodMutation } from '@/api/subscription';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';
import { BillingIcon } from '@/shared/ui/icons';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import classes from './Membership.module.css';

/** The cards that the provider keeps for this account. */
export function PaymentMethods() {
  const { data, error, refetch } = useListPaymentMethodsQuery(undefined, { refetchOnMountOrArgChange: true });
  const [remove, { isLoading }] = useRemovePaymentMethodMutation();
  const [chosen, setChosen] = useState<PaymentMethod | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  if (data === undefined) {
    return error === undefined ? (
      <p role="status">Loading payment methods...</p>
    ) : (
      <LoadFailure text={errorText(error, 'GET request failed')} onRetry={() => void refetch()} />
    );
  }

  const take = async ({ paymentMethodId }: PaymentMethod) => {
    setFailure(null);
    const { error } = await remove({ removePaymentMethod: { paymentMethodId } });
    setAsking(false);
    if (error !== undefined) setFailure(errorText(error, 'POST request failed'));
  };
  return (
    <>
      {data.paymentMethods.length === 0 && <p>No card is kept for you.</p>}
      <ul className={classes.rows} aria-label="Payment methods">
        {data.paymentMethods.map((method) => (
          <li key={method.paymentMethodId} className={classes.row}>
            <BillingIcon />
            <p className={classes.what}>
              <strong>{nameOf(method)}</strong>
              <span className={classes.soft}>Expires {method.expires}</span>
              {method.isDefault && <span className={classes.savings}>Default</span>}
            </p>
            <Button
              variant="default"
              aria-label={`Remove ${nameOf(method)}`}
              onClick={() => {
                setChosen(method);
                setAsking(true);
              }}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <Failure text={failure} />
      <ConfirmDialog
        title="Remove this card"
        opened={isAsking}
        confirm="Remove"
        keep="Keep"
        isBusy={isLoading}
        onConfirm={() => chosen !== null && void take(chosen)}
        onKeep={() => setAsking(false)}
      >
        <p>{chosen === null ? '' : nameOf(chosen)} is not kept any more.</p>
      </ConfirmDialog>
    </>
  );
}

function nameOf({ brand, last4 }: PaymentMethod): string {
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)} •••• ${last4}`;
}

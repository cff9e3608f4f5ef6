import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { errorText } from '@/api/base';
import {
  type PaymentMethod,
  useAddPaymentMethodMutation,
  useListPaymentMethodsQuery,
  useRemovePaymentMethodMutation,
  useSetDefaultPaymentMethodMutation,
} from '@/api/subscription';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';
import { BillingIcon } from '@/shared/ui/icons';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { toast } from '@/shared/ui/toast';
import { AddCard } from './AddCard';
import { cardName } from './cardName';
import classes from './Membership.module.css';

/** Which form is open: to add a payment method or to replace one. */
type Adding = { replaces: PaymentMethod | undefined };

/** The account's payment methods: add, make default, replace, remove. */
export function PaymentMethods() {
  const { data, error, refetch } = useListPaymentMethodsQuery(undefined, { refetchOnMountOrArgChange: true });
  const [choose, choosing] = useSetDefaultPaymentMethodMutation();
  const [chosen, setChosen] = useState<PaymentMethod | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [adding, setAdding] = useState<Adding | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useReturnFromBank(setFailure);
  if (data === undefined) {
    return error === undefined ? (
      <p role="status">Loading payment methods...</p>
    ) : (
      <LoadFailure text={errorText(error, 'GET request failed')} onRetry={() => void refetch()} />
    );
  }

  const makeDefault = async (method: PaymentMethod) => {
    setFailure(null);
    const { error } = await choose(method.paymentMethodId);
    if (error === undefined) toast.success(`${cardName(method)} is the default now.`);
    else setFailure(errorText(error, 'POST request failed'));
  };
  const open = (replaces: PaymentMethod | undefined) => {
    setFailure(null);
    setAdding({ replaces });
  };
  return (
    <>
      {data.paymentMethods.length === 0 && <p>You have no saved payment methods.</p>}
      <ul className={classes.rows} aria-label="Payment methods">
        {data.paymentMethods.map((method) => (
          <MethodRow
            key={method.paymentMethodId}
            method={method}
            isChoosing={choosing.isLoading && choosing.originalArgs === method.paymentMethodId}
            isBusy={choosing.isLoading}
            onDefault={() => void makeDefault(method)}
            onReplace={() => open(method)}
            onRemove={() => {
              setChosen(method);
              setAsking(true);
            }}
          />
        ))}
      </ul>
      <Failure text={failure} />
      {adding === null ? (
        <div className={classes.actions}>
          <Button variant="default" onClick={() => open(undefined)}>
            Add Payment Method
          </Button>
        </div>
      ) : (
        <AddCard
          key={adding.replaces?.paymentMethodId ?? 'new'}
          replaces={adding.replaces}
          hasDefault={data.paymentMethods.some(({ isDefault }) => isDefault)}
          onDone={(text) => {
            setAdding(null);
            toast.success(text);
          }}
          onCancel={() => setAdding(null)}
        />
      )}
      <RemoveDialog method={chosen} opened={isAsking} onClose={() => setAsking(false)} onFailure={setFailure} />
    </>
  );
}

interface MethodRowProps {
  method: PaymentMethod;
  /** It is being made the default. */
  isChoosing: boolean;
  /** One of the payment methods is being made the default. */
  isBusy: boolean;
  onDefault: () => void;
  onReplace: () => void;
  onRemove: () => void;
}

function MethodRow({ method, isChoosing, isBusy, onDefault, onReplace, onRemove }: MethodRowProps) {
  return (
    <li className={classes.row}>
      <BillingIcon />
      <p className={classes.what}>
        <strong>{cardName(method)}</strong>
        {method.expires !== undefined && <span className={classes.soft}>Expires {method.expires}</span>}
        {method.isDefault && <span className={classes.savings}>Default</span>}
      </p>
      <div className={classes.deeds}>
        {!method.isDefault && (
          <Button
            variant="default"
            aria-label={`Make ${cardName(method)} the default`}
            loading={isChoosing}
            disabled={isBusy}
            onClick={onDefault}
          >
            Make Default
          </Button>
        )}
        <Button variant="default" aria-label={`Replace ${cardName(method)}`} onClick={onReplace}>
          Replace
        </Button>
        <Button variant="default" aria-label={`Remove ${cardName(method)}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </li>
  );
}

interface RemoveDialogProps {
  /** Null before one was chosen; it stays while the dialog closes. */
  method: PaymentMethod | null;
  opened: boolean;
  onClose: () => void;
  onFailure: (text: string | null) => void;
}

function RemoveDialog({ method, opened, onClose, onFailure }: RemoveDialogProps) {
  const [remove, { isLoading }] = useRemovePaymentMethodMutation();
  const confirm = async ({ paymentMethodId }: PaymentMethod) => {
    onFailure(null);
    const { error } = await remove({ paymentMethodId });
    onClose();
    if (error !== undefined) onFailure(errorText(error, 'POST request failed'));
  };
  return (
    <ConfirmDialog
      title="Remove this payment method"
      opened={opened}
      confirm="Remove"
      keep="Keep"
      isBusy={isLoading}
      onConfirm={() => method !== null && void confirm(method)}
      onKeep={onClose}
    >
      <p>{method === null ? '' : cardName(method)} was removed.</p>
    </ConfirmDialog>
  );
}

/** Handles the return from a bank's page with the added payment method. */
function useReturnFromBank(onFailure: (text: string) => void): void {
  const [params, setParams] = useSearchParams();
  const [add] = useAddPaymentMethodMutation();
  const setupIntentId = params.get('setup_intent');
  const report = useEffectEvent(async (id: string) => {
    setParams({}, { replace: true });
    const { error } = await add({ setupIntentId: id });
    if (error === undefined) toast.success('Payment method added.');
    else onFailure(errorText(error, 'POST request failed'));
  });
  useEffect(() => {
    if (setupIntentId !== null) void report(setupIntentId);
  }, [setupIntentId]);
}

import { Button, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { FormEvent, ReactNode } from 'react';
import { Failure } from '../ui/Failure';
import dialog from '../ui/dialog.module.css';
import classes from './ReasonForm.module.css';

const MAX_REASON = 500;

export function reasonError(reason: string): string | null {
  return reason.trim() === '' ? 'Please enter a reason.' : null;
}

interface ReasonFormProps<Values extends { reason: string }> {
  form: UseFormReturnType<Values>;
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  failure: string | null;
  /** What the action does. */
  effect: ReactNode;
  /** Who reads the reason. */
  readers: string;
  /** Further fields, before the reason. */
  children?: ReactNode;
  confirm: string;
  /** It cannot be undone. */
  isDanger?: boolean;
  isBusy: boolean;
  onCancel: () => void;
}

/** The form of an action that needs a reason. */
export function ReasonForm<Values extends { reason: string }>({
  form,
  onSubmit,
  failure,
  effect,
  readers,
  children,
  confirm,
  isDanger = false,
  isBusy,
  onCancel,
}: ReasonFormProps<Values>) {
  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      <p>{effect}</p>
      {children}
      <TextInput
        label="Reason"
        description={readers}
        required
        maxLength={MAX_REASON}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('reason')}
      />
      <Failure text={failure} />
      <div className={dialog.actions}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant={isDanger ? 'danger' : 'filled'} loading={isBusy}>
          {confirm}
        </Button>
      </div>
    </form>
  );
}

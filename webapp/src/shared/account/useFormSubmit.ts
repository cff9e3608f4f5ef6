import type { UseFormReturnType } from '@mantine/form';
import { type FormEvent, useState } from 'react';
import { isApiError, isProofDeclined } from '@/api/base';
import { failureText } from './failure';

interface Options {
  /** The message if the server gives none. */
  otherwise?: string;
  /** Whether the server's errors of fields are shown at the fields beside its message, instead of it, or not at all. */
  fieldErrors?: 'beside' | 'instead' | 'never';
}

/** Puts the focus on the first field that has an error, where screen readers read it and one can type at once. */
function focusFirst(errors: Readonly<Record<string, unknown>>, form: EventTarget | undefined): void {
  if (!(form instanceof HTMLElement)) return;
  const fields = form.querySelectorAll<HTMLElement>('[data-path]');
  [...fields].find(({ dataset: { path = '' } }) => Object.hasOwn(errors, path))?.focus();
}

/** Submits a form with `send`, which returns the error, if any, and says why it failed. */
export function useFormSubmit<Values>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<unknown>,
  { otherwise = 'Request failed', fieldErrors = 'beside' }: Options = {},
) {
  const [failure, setFailure] = useState<string | null>(null);
  const trySending = async (values: Values, event?: FormEvent<HTMLFormElement>) => {
    setFailure(null);
    const error = await send(values);
    if (error === undefined || isProofDeclined(error)) return;
    const ofFields = isApiError(error) && fieldErrors !== 'never' ? error.fieldErrors : undefined;
    if (ofFields === undefined || fieldErrors === 'beside') setFailure(failureText(error, otherwise));
    if (ofFields === undefined) return;
    form.setErrors(ofFields);
    focusFirst(ofFields, event?.target);
  };
  const submit = form.onSubmit(trySending, (errors, _values, event) => focusFirst(errors, event?.target));
  return { submit, failure, setFailure };
}

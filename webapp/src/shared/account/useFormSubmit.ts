import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { isApiError, isProofDeclined } from '@/api/base';
import { failureText } from './failure';

interface Options {
  /** The message if the server gives none. */
  otherwise?: string;
  /** Whether the server's errors of fields are shown at the fields beside its message, instead of it, or not at all. */
  fieldErrors?: 'beside' | 'instead' | 'never';
}

/** Submits a form with `send`, which returns the error, if any, and says why it failed. */
export function useFormSubmit<Values>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<unknown>,
  { otherwise = 'Request failed', fieldErrors = 'beside' }: Options = {},
) {
  const [failure, setFailure] = useState<string | null>(null);
  const submit = form.onSubmit(async (values) => {
    setFailure(null);
    const error = await send(values);
    if (error === undefined || isProofDeclined(error)) return;
    const ofFields = isApiError(error) && fieldErrors !== 'never' ? error.fieldErrors : undefined;
    if (ofFields !== undefined) form.setErrors(ofFields);
    if (ofFields === undefined || fieldErrors === 'beside') setFailure(failureText(error, otherwise));
  });
  return { submit, failure, setFailure };
}

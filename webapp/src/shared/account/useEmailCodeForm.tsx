import { useForm } from '@mantine/form';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isApiError } from '@/api/base';
import { CodeInput } from './CodeInput';
import { failureText } from './failure';
import { codeError } from './rules';

interface EmailCodeForm {
  submit: (event?: FormEvent<HTMLFormElement>) => void;
  field: ReactNode;
  failure: string | null;
  setFailure: (failure: string | null) => void;
}

interface Options {
  /** Sends the code to the server and returns the error, if any. */
  verify: (code: number) => Promise<unknown>;
  /** Shows a wrong code at the field rather than as `failure`. */
  showsFieldErrors?: boolean;
}

/** A form with the code that was sent by email. */
export function useEmailCodeForm({ verify, showsFieldErrors = true }: Options): EmailCodeForm {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' }, validate: { code: codeError } });
  const submit = form.onSubmit(async ({ code }) => {
    setFailure(null);
    const error = await verify(Number(code));
    if (error === undefined) return;
    if (showsFieldErrors && isApiError(error) && error.fieldErrors) form.setErrors(error.fieldErrors);
    else setFailure(failureText(error, 'Request failed'));
  });
  return { submit, field: <CodeInput key={form.key('code')} {...form.getInputProps('code')} />, failure, setFailure };
}

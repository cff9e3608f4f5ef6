import { useForm } from '@mantine/form';
import type { FormEvent, ReactNode } from 'react';
import { CodeInput } from './CodeInput';
import { codeError } from './rules';
import { useFormSubmit } from './useFormSubmit';

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
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' }, validate: { code: codeError } });
  const submission = useFormSubmit(form, ({ code }) => verify(Number(code)), {
    fieldErrors: showsFieldErrors ? 'instead' : 'never',
  });
  return { ...submission, field: <CodeInput key={form.key('code')} {...form.getInputProps('code')} /> };
}

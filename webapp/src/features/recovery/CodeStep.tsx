import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useRequestVerificationCodeMutation, useValidateVerificationCodeMutation } from '@/api/account';
import { CodeInput } from '@/shared/account/CodeInput';
import { failureText } from '@/shared/account/failure';
import { codeError } from '@/shared/account/rules';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './RecoveryPage.module.css';

interface CodeStepProps {
  email: string;
  onValidated: () => void;
}

export function CodeStep({ email, onValidated }: CodeStepProps) {
  const [validate, { isLoading }] = useValidateVerificationCodeMutation();
  const [request, requesting] = useRequestVerificationCodeMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' }, validate: { code: codeError } });

  const submit = form.onSubmit(async ({ code }) => {
    setFailure(null);
    const { error } = await validate({ email, code: Number(code) });
    if (error === undefined) onValidated();
    else setFailure(failureText(error, 'Request failed'));
  });
  const sendAgain = async () => {
    setFailure(null);
    const { error } = await request({ email });
    if (error === undefined) toast.success('Another code is on its way.');
    else setFailure(failureText(error, 'Request failed'));
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p>
        If <strong className={classes.email}>{email}</strong> has an account here, a code is on its way. It is good for
        10 minutes.
      </p>
      <CodeInput key={form.key('code')} {...form.getInputProps('code')} />
      <Failure text={failure} />
      <Button type="submit" loading={isLoading} fullWidth>
        Continue
      </Button>
      <Button variant="default" loading={requesting.isLoading} fullWidth onClick={() => void sendAgain()}>
        Send another code
      </Button>
    </form>
  );
}

import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useRequestVerificationCodeMutation } from '@/api/account';
import { EmailField, NoMailHint } from '@/shared/account/EmailField';
import { failureText } from '@/shared/account/failure';
import { emailError } from '@/shared/account/rules';
import { Failure } from '@/shared/ui/Failure';
import classes from './RecoveryPage.module.css';

export function EmailStep({ onSent }: { onSent: (email: string) => void }) {
  const [request, { isLoading }] = useRequestVerificationCodeMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' }, validate: { email: emailError } });

  const submit = form.onSubmit(async ({ email }) => {
    setFailure(null);
    const address = email.trim();
    const { data, error } = await request({ email: address });
    if (data?.data.succeeded) onSent(address);
    else setFailure(failureText(error, 'Request failed'));
  });

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <EmailField key={form.key('email')} {...form.getInputProps('email')} />
      <NoMailHint className={classes.hint} />
      <Failure text={failure} />
      <Button type="submit" loading={isLoading} fullWidth>
        Send code
      </Button>
    </form>
  );
}

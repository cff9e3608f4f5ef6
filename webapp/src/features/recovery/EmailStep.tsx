import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRequestVerificationCodeMutation } from '@/api/account';
import { EmailField, NoMailHint } from '@/shared/account/EmailField';
import { emailError } from '@/shared/account/rules';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { Failure } from '@/shared/ui/Failure';
import classes from './RecoveryPage.module.css';

export function EmailStep({ onSent }: { onSent: (email: string) => void }) {
  const [request, { isLoading }] = useRequestVerificationCodeMutation();
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' }, validate: { email: emailError } });
  const send = async ({ email }: { email: string }) => {
    const address = email.trim();
    const { data, error } = await request({ email: address });
    if (!data?.data.succeeded) return error ?? null;
    onSent(address);
    return undefined;
  };
  const { submit, failure } = useFormSubmit(form, send, { fieldErrors: 'never' });

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

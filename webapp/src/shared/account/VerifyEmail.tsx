import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useRequestEmailCodeMutation, useVerifyEmailMutation } from '@/api/account';
import { userChanged } from '../session/sessionSlice';
import { Failure } from '../ui/Failure';
import { toast } from '../ui/toast';
import { CODE_GOES_THERE, EmailField, NoMailHint } from './EmailField';
import { emailError } from './rules';
import { useEmailCodeForm } from './useEmailCodeForm';
import { useFormSubmit } from './useFormSubmit';
import classes from './VerifyEmail.module.css';
import { useAppDispatch } from '@/shared/storeHooks';

interface VerifyEmailProps {
  /** The account's email; empty if another account has verified it. */
  email: string;
  /** A code has already been sent. */
  isSent?: boolean;
}

/** Verifies the email with a code sent to it; until then it can be replaced. */
export function VerifyEmail({ email, isSent = false }: VerifyEmailProps) {
  const [hasCode, setHasCode] = useState(isSent);
  return hasCode ? (
    <CodeForm email={email} onOther={() => setHasCode(false)} />
  ) : (
    <EmailForm email={email} onSent={() => setHasCode(true)} />
  );
}

function EmailForm({ email, onSent }: { email: string; onSent: () => void }) {
  const dispatch = useAppDispatch();
  const [request, { isLoading }] = useRequestEmailCodeMutation();
  const form = useForm({ mode: 'uncontrolled', initialValues: { email }, validate: { email: emailError } });
  const send = async (values: { email: string }) => {
    const typed = values.email.trim();
    const { error } = await request(typed === email ? {} : { email: typed });
    if (error !== undefined) return error;
    dispatch(userChanged({ email: typed }));
    onSent();
    return undefined;
  };
  const { submit, failure } = useFormSubmit(form, send, { fieldErrors: 'instead' });

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <EmailField description={CODE_GOES_THERE} key={form.key('email')} {...form.getInputProps('email')} />
      <NoMailHint className={classes.hint} />
      <Failure text={failure} />
      <div className={classes.actions}>
        <Button type="submit" loading={isLoading}>
          Send code
        </Button>
      </div>
    </form>
  );
}

function CodeForm({ email, onOther }: { email: string; onOther: () => void }) {
  const dispatch = useAppDispatch();
  const [verify, { isLoading }] = useVerifyEmailMutation();
  const { submit, field, failure } = useEmailCodeForm({
    verify: async (code) => {
      const { error } = await verify({ code });
      if (error !== undefined) return error;
      dispatch(userChanged({ emailVerified: true }));
      toast.success('Your email is verified.');
      return undefined;
    },
  });

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p>
        A code is on its way to <strong className={classes.email}>{email}</strong>. It works for 10 minutes.
      </p>
      {field}
      <Failure text={failure} />
      <div className={classes.actions}>
        <Button type="submit" loading={isLoading}>
          Verify email
        </Button>
        <Button variant="default" onClick={onOther}>
          Another code or email
        </Button>
      </div>
    </form>
  );
}

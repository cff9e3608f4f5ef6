import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { isApiError } from '@/api/base';
import { useGetProvidersQuery, useRequestEmailCodeMutation, useVerifyEmailMutation } from '@/api/account';
import { userChanged } from '../session/sessionSlice';
import { Failure } from '../ui/Failure';
import { toast } from '../ui/toast';
import { CodeInput } from './CodeInput';
import { failureText } from './failure';
import { codeError } from './rules';
import classes from './VerifyEmail.module.css';

interface VerifyEmailProps {
  email: string;
  /** A code is on its way already. */
  isSent?: boolean;
}

/** Proves by a mailed code that the email is one's own. */
export function VerifyEmail({ email, isSent = false }: VerifyEmailProps) {
  const dispatch = useDispatch();
  const { data: providers } = useGetProvidersQuery();
  const [request, requesting] = useRequestEmailCodeMutation();
  const [verify, verifying] = useVerifyEmailMutation();
  const [hasCode, setHasCode] = useState(isSent);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' }, validate: { code: codeError } });

  const send = async () => {
    setFailure(null);
    const { error } = await request({ empty: {} });
    if (error === undefined) setHasCode(true);
    else setFailure(failureText(error, 'Request failed'));
  };
  const submit = form.onSubmit(async ({ code }) => {
    setFailure(null);
    const { error } = await verify({ verifyEmail: { code: Number(code) } });
    if (error === undefined) {
      dispatch(userChanged({ emailVerified: true }));
      toast.success('Your email is verified.');
      return;
    }
    if (isApiError(error) && error.fieldErrors) form.setErrors(error.fieldErrors);
    setFailure(failureText(error, 'Request failed'));
  });

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p>
        {hasCode ? 'A code is on its way to ' : 'We send a code to '}
        <strong className={classes.email}>{email}</strong>
        {hasCode ? '. It is good for 10 minutes.' : ' to make sure that it is yours.'}
      </p>
      {providers?.mail === false && (
        <p className={classes.hint}>This server does not send mail yet: ask its operator for the code.</p>
      )}
      {hasCode && <CodeInput key={form.key('code')} {...form.getInputProps('code')} />}
      <Failure text={failure} />
      <div className={classes.actions}>
        {hasCode && (
          <Button type="submit" loading={verifying.isLoading}>
            Verify email
          </Button>
        )}
        <Button variant={hasCode ? 'default' : 'filled'} loading={requesting.isLoading} onClick={() => void send()}>
          {hasCode ? 'Send another code' : 'Send code'}
        </Button>
      </div>
    </form>
  );
}

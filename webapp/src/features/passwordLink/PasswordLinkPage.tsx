import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { usePasswordLinkOwnerQuery, useUsePasswordLinkMutation } from '@/api/account';
import { isApiError } from '@/api/base';
import { NewPasswordFields, newPasswordRules } from '@/shared/account/NewPasswordFields';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { selectUser, signedOut } from '@/shared/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import { Failure } from '@/shared/ui/Failure';
import formCard from '@/shared/ui/formCard.module.css';
import { isMissing, Loaded } from '@/shared/ui/Loaded';
import textLink from '@/shared/ui/textLink.module.css';
import { toast } from '@/shared/ui/toast';
import classes from './PasswordLinkPage.module.css';

const TITLE = 'Set a new password';

/** /new-password#…: an administrator's one-time link. Opening it does nothing: mail scanners open every link. */
export default function PasswordLinkPage() {
  // Kept, so that the page stays what it is when the address changes.
  const { hash } = useLocation();
  const [token] = useState(() => hash.slice(1));
  const link = usePasswordLinkOwnerQuery(token);
  return (
    <section className={formCard.card}>
      <title>{`${TITLE} · Morpion`}</title>
      <Loaded of={link} loading="Checking the link…" failure="Request failed">
        {({ username }) => (username === undefined ? <Over /> : <PasswordForm token={token} username={username} />)}
      </Loaded>
    </section>
  );
}

function PasswordForm({ token, username }: { token: string; username: string }) {
  const [use, { isLoading }] = useUsePasswordLinkMutation();
  const [isOver, setOver] = useState(false);
  const isOwn = useAppSelector(selectUser)?.username === username;
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { newPassword: '', retyped: '' },
    validate: newPasswordRules,
  });
  const { submit, failure } = useFormSubmit(form, async ({ newPassword }) => {
    const { error } = await use({ token, newPassword });
    if (error !== undefined) {
      if (isApiError(error) && isMissing(error)) setOver(true);
      return error;
    }
    toast.success('Your password is changed. Sign in with it now.');
    // All sessions of the account have ended, perhaps this browser's.
    if (isOwn) dispatch(signedOut({ hasSignedOut: false }));
    await navigate('/login', { replace: true });
    return undefined;
  });

  if (isOver) return <Over />;
  return (
    <>
      <div className={classes.heading}>
        <h1>{TITLE}</h1>
        <p>
          For the account <strong>{username}</strong>. Every device has to sign in again with it.
        </p>
      </div>
      <form className={classes.form} onSubmit={submit} noValidate>
        {/* Tells password managers whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <NewPasswordFields form={form} />
        <Failure text={failure} />
        <Button type="submit" loading={isLoading} fullWidth>
          Set password
        </Button>
      </form>
    </>
  );
}

function Over() {
  return (
    <div className={classes.heading}>
      <h1>This link no longer works</h1>
      <p>It is good once, for 24 hours, and only until the account&apos;s password is changed in another way.</p>
      <p>Ask the administrator for a new one, if you still need it.</p>
      <Link to="/login" className={textLink.link}>
        Sign In
      </Link>
    </div>
  );
}

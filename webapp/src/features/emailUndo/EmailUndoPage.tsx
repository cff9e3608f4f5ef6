import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { useUndoEmailChangeMutation } from '@/api/account';
import { failureText } from '@/shared/account/failure';
import buttons from '@/shared/ui/buttons.module.css';
import { Failure } from '@/shared/ui/Failure';
import formCard from '@/shared/ui/formCard.module.css';
import classes from './EmailUndoPage.module.css';

/**
 * /email-undo?token=…: the link in the email to the old address after an email change. It requires a click, because
 * mail scanners open every link.
 */
export default function EmailUndoPage() {
  const [query] = useSearchParams();
  const [undo, { isLoading, isSuccess, error }] = useUndoEmailChangeMutation();
  const token = query.get('token') ?? '';
  return (
    <section className={`${formCard.card} ${classes.card}`}>
      <title>Undo the email change · Morpion</title>
      <h1>{isSuccess ? 'Your email was restored' : 'Undo the email change'}</h1>
      {isSuccess ? (
        <>
          <p>Your account has its old email again. If you did not make the change, set a new password now.</p>
          <Link to="/changepassword" className={buttons.primary}>
            Set a new password
          </Link>
        </>
      ) : (
        <>
          <p>The email of your account was changed. If this was not you, undo the change.</p>
          <Failure text={error === undefined ? null : failureText(error, 'Request failed')} />
          <Button loading={isLoading} onClick={() => void undo({ token })}>
            Undo the change
          </Button>
        </>
      )}
      <Link to="/">To the start</Link>
    </section>
  );
}

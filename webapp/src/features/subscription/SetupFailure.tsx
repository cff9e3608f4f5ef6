import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { errorText, isApiError } from '@/api/base';
import { Failure } from '@/shared/ui/Failure';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import classes from './Membership.module.css';

interface SetupFailureProps {
  error: unknown;
  onRetry: () => void;
}

/** Why no payment method can be entered, with a way on. */
export function SetupFailure({ error, onRetry }: SetupFailureProps) {
  const text = errorText(error, 'POST request failed');
  if (!isApiError(error) || error.code !== 'email-not-verified') return <LoadFailure text={text} onRetry={onRetry} />;
  return (
    <>
      <Failure text={text} />
      <div className={classes.actions}>
        <Button component={Link} to="/app/setting/security" variant="default">
          Verify email
        </Button>
      </div>
    </>
  );
}

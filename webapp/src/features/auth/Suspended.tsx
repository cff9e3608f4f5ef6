import { Link, useLocation } from 'react-router';
import { dateTime } from '@/shared/events/times';
import type { SuspendedState } from '@/shared/session/suspendedPage';
import { useOperator } from '@/shared/site/operator';
import textLink from '@/shared/ui/textLink.module.css';
import { AuthCard } from './AuthCard';
import classes from './Suspended.module.css';

/** Why a sign-in ends here, until when, and whom to ask about it. */
export function Suspended() {
  const { contact } = useOperator();
  const { suspension } = (useLocation().state ?? {}) as SuspendedState;
  return (
    <AuthCard title="Account suspended" subtitle="You cannot sign in to this account right now">
      <div role="alert">
        <Why suspension={suspension} />
      </div>
      {contact !== undefined && (
        <p className={classes.contact}>
          If you think this is wrong, write to <a href={contact.href}>{contact.text}</a>.
        </p>
      )}
      <p>
        <Link to="/login" replace className={textLink.link}>
          Back to sign-in
        </Link>
      </p>
    </AuthCard>
  );
}

function Why({ suspension }: SuspendedState) {
  // A provider's redirect cannot tell more.
  if (suspension === undefined) return <p>We sent the account’s owner an email with the reason and the end date.</p>;
  const { reason, until } = suspension;
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Reason</dt>
        <dd className={classes.said}>{reason}</dd>
      </div>
      <div>
        <dt>Until</dt>
        <dd>{until === undefined ? 'No end date' : <time dateTime={until}>{dateTime(until)}</time>}</dd>
      </div>
    </dl>
  );
}

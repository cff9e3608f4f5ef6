import { Link, useLocation } from 'react-router';
import { dateTime } from '@/shared/events/times';
import { useOperator } from '@/shared/site/operator';
import textLink from '@/shared/ui/textLink.module.css';
import { AuthCard } from './AuthCard';
import { suspensionOf } from './suspension';
import classes from './Suspended.module.css';
import type { SuspendedState } from './useRefusedSignIn';

/** Why a sign-in ends here, until when, and whom to ask about it. */
export function Suspended() {
  const { contact } = useOperator();
  const { refusal } = (useLocation().state ?? {}) as SuspendedState;
  return (
    <AuthCard title="Account suspended" subtitle="Nobody can sign in to this account for now">
      <div role="alert">
        <Why refusal={refusal} />
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

function Why({ refusal }: SuspendedState) {
  // A provider's redirect cannot tell more.
  if (refusal === undefined) return <p>The email about it, sent to its owner, says why and until when.</p>;
  const suspension = suspensionOf(refusal);
  if (suspension === null) return <p className={classes.said}>{refusal}</p>;
  const { reason, until } = suspension;
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Reason</dt>
        <dd className={classes.said}>{reason}</dd>
      </div>
      <div>
        <dt>Until</dt>
        <dd>{until === null ? 'No end is set' : <time dateTime={until}>{dateTime(until)}</time>}</dd>
      </div>
    </dl>
  );
}

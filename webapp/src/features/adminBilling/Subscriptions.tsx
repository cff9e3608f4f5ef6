import { Link, useSearchParams } from 'react-router';
import { type UserSubscription, useSubscriptionsQuery } from '@/api/admin';
import { errorText } from '@/api/base';
import { dateTime } from '@/shared/events/times';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { Pager } from '@/shared/ui/Pager';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { ProBadge } from '@/shared/ui/ProBadge';
import classes from './Billing.module.css';

const PAGE = 25;

/** Accounts that pay, paid or were granted Pro, with their state. */
export function Subscriptions() {
  const [params, setParams] = useSearchParams();
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
  const { data, error, refetch } = useSubscriptionsQuery({ page, limit: PAGE }, { refetchOnMountOrArgChange: true });
  if (data === undefined) {
    return error === undefined ? (
      <p role="status">Loading subscriptions...</p>
    ) : (
      <LoadFailure text={errorText(error, 'Failed to load subscriptions')} onRetry={() => void refetch()} />
    );
  }
  return (
    <>
      {data.subscriptions.length === 0 && <p>Nobody subscribes yet.</p>}
      <ul aria-label="Subscriptions">
        {data.subscriptions.map((each) => (
          <li key={each.userId} className={classes.entry}>
            <div className={classes.about}>
              <strong>
                <PersonLabel person={each} /> {each.isProUser && <ProBadge />}
              </strong>
              <span>{inWords(each)}</span>
            </div>
            <div className={classes.whose}>
              <Link to={`/app/admin/billing?user=${each.userId}`} aria-label={`Ledger of ${nameOf(each)}`}>
                Ledger
              </Link>
            </div>
          </li>
        ))}
      </ul>
      <Pager
        label="subscriptions"
        pagination={data.pagination}
        onPage={(next) => setParams({ tab: 'subscriptions', page: String(next) })}
      />
    </>
  );
}

/** The plan and its next date, the provider's status, and a grant with its reason. */
function inWords({ subscription, status, reason }: UserSubscription): string {
  const { name, nextPaymentDate, endsAt, graceUntil, isGranted } = subscription;
  const parts = [
    name,
    nextPaymentDate && `renews on ${dateTime(nextPaymentDate)}`,
    graceUntil && `a payment failed, Pro until ${dateTime(graceUntil)}`,
    name !== undefined && endsAt && `cancelled, Pro until ${dateTime(endsAt)}`,
    status && `at the provider: ${status.replaceAll('_', ' ')}`,
    isGranted && (name === undefined && endsAt ? `granted until ${dateTime(endsAt)}` : 'granted'),
    isGranted && reason,
  ];
  return parts.filter(Boolean).join(' · ');
}

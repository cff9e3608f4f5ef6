import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { type BillingEvent, useBillingEventsQuery } from '@/api/admin';
import { errorText } from '@/api/base';
import { usePersonQuery } from '@/api/people';
import { dateTime, timeZone } from '@/shared/events/times';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { EmptyList } from '@/shared/ui/EmptyList';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { Pager } from '@/shared/ui/Pager';
import classes from './Billing.module.css';
import { ifKnown } from '@/shared/ui/Loaded';

const PAGE = 25;

/** Billing events of all accounts or of one. */
export function Ledger() {
  const [params, setParams] = useSearchParams();
  const userId = params.get('user');
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
  const about = userId === null ? {} : { userId };
  const { data, error, refetch } = useBillingEventsQuery(
    { ...about, page, limit: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <>
      {userId !== null && (
        <p className={classes.filter}>
          <span>
            Only <Name userId={userId} />
          </span>
          <Button variant="default" onClick={() => setParams({})}>
            Show everybody
          </Button>
        </p>
      )}
      {error !== undefined ? (
        <LoadFailure text={errorText(error, 'Failed to load the ledger')} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <p role="status">Loading the ledger...</p>
      ) : data.events.length === 0 ? (
        <EmptyList>
          <p>No payment, renewal or grant yet.</p>
        </EmptyList>
      ) : (
        <>
          <ul aria-label="Ledger">
            {data.events.map((event) => (
              <Entry key={event.billingEventId} event={event} />
            ))}
          </ul>
          <p className={classes.zone}>Times are in {timeZone()}.</p>
        </>
      )}
      {error === undefined && data !== undefined && (
        <Pager
          label="the ledger"
          pagination={data.pagination}
          onPage={(next) => setParams({ ...(userId === null ? {} : { user: userId }), page: String(next) })}
        />
      )}
    </>
  );
}

function Entry({ event: { userId, kind, detail, at } }: { event: BillingEvent }) {
  return (
    <li className={classes.entry}>
      <div className={classes.about}>
        <strong>{kindText(kind)}</strong>
        <span>{detail}</span>
      </div>
      <div className={classes.whose}>
        {userId !== undefined && (
          <Link to={`/app/admin/billing?user=${userId}`}>
            <Name userId={userId} />
          </Link>
        )}
        <time dateTime={at}>{dateTime(at)}</time>
      </div>
    </li>
  );
}

/** The account's name, or its id if the account was deleted. */
function Name({ userId }: { userId: string }) {
  const person = ifKnown(usePersonQuery(userId));
  return person === undefined ? userId : <PersonLabel person={person} size={24} />;
}

/** Turns `invoice.payment_failed` into readable text. */
export function kindText(kind: string): string {
  const words = kind.replaceAll(/[_.-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

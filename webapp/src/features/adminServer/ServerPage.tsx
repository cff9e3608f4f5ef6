import { type Overview, useLastHourQuery, useOverviewQuery } from '@/api/admin';
import { dateTime } from '@/shared/events/times';
import { FirstSteps } from '@/shared/firstSteps/FirstSteps';
import { Card } from '@/shared/ui/Card';
import { Loaded } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Backups } from './Backups';
import { HourPlots } from './HourPlots';
import classes from './ServerPage.module.css';
import { ageText } from './serverFormat';

/** How often the figures are loaded again, in milliseconds. */
const POLL_MS = 10_000;

/** How the server is, its last hour, and its backups. */
export default function ServerPage() {
  const often = { pollingInterval: POLL_MS, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true };
  const overview = useOverviewQuery(undefined, often);
  const history = useLastHourQuery(undefined, often);
  return (
    <>
      <PageHeading title="Server">How it is, its last hour, and its backups.</PageHeading>
      <div className={classes.cards}>
        <FirstSteps />
        <Card title="Now">
          <Loaded of={overview} loading="Loading..." failure="Failed to load how the server is">
            {(now) => <Now overview={now} />}
          </Loaded>
        </Card>
        <Card title="Backups">
          <Loaded of={overview} loading="Loading..." failure="Failed to load the backups">
            {({ backup, serverTime }) => <Backups status={backup} now={serverTime} />}
          </Loaded>
        </Card>
        <div className={classes.hour}>
          <Card title="The Last Hour">
            <Loaded of={history} loading="Loading..." failure="Failed to load the last hour">
              {({ samples }) => <HourPlots samples={samples} />}
            </Loaded>
          </Card>
        </div>
      </div>
    </>
  );
}

function Now({ overview }: { overview: Overview }) {
  const { version, startedAt, serverTime, connections, liveGames, waitingGames, users, store, warnings } = overview;
  return (
    <>
      {warnings.length > 0 && (
        <ul className={classes.warnings} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <dl className={classes.facts}>
        <dt>Version</dt>
        <dd>{version}</dd>
        <dt>Running for</dt>
        <dd title={dateTime(startedAt)}>{ageText(startedAt, serverTime)}</dd>
        <dt>Connected</dt>
        <dd>{connections}</dd>
        <dt>Games</dt>
        <dd>
          {liveGames} live, {waitingGames} waiting
        </dd>
        <dt>Accounts</dt>
        <dd>{users}</dd>
        <dt>Database</dt>
        <dd>{store.ready ? 'Ready' : 'Not ready'}</dd>
        <dt>Email</dt>
        <dd>{overview.mailConfigured ? 'Leave by mail' : 'Written to the outbox folder'}</dd>
        <dt>Payments</dt>
        <dd>{overview.billingConfigured ? 'On' : 'Off'}</dd>
        {overview.leader !== undefined && (
          <>
            <dt>Leading node</dt>
            <dd>{overview.leader}</dd>
          </>
        )}
      </dl>
    </>
  );
}

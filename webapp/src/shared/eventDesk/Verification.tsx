import { Button } from '@mantine/core';
import { type Correction, useLazyVerifyEventQuery } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { dateTime } from '@/shared/events/times';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import classes from './Verification.module.css';

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** Recomputes the standings from the stored games and corrections, and shows whether they agree. */
export function Verification({ eventId }: { eventId: string }) {
  const [verify, { data, error, isFetching, fulfilledTimeStamp }] = useLazyVerifyEventQuery();
  return (
    <Card title="Receipts">
      <p className={classes.about}>Every win, loss and elimination comes from a stored game or a correction.</p>
      <Button variant="default" loading={isFetching} onClick={() => void verify(eventId)}>
        Check the Standings
      </Button>
      <div role="status">
        {!isFetching && error === undefined && data !== undefined && (
          <>
            <p className={classes.verdict} data-agrees={data.agrees}>
              {data.agrees ? 'Standings agree with the receipts' : 'Standings do not agree with the receipts'}
            </p>
            <p className={classes.about}>
              {data.games} games, {data.players} players
              {fulfilledTimeStamp !== undefined && `, checked at ${time.format(fulfilledTimeStamp)}`}.
            </p>
            {data.differences.length > 0 && (
              <ul className={classes.differences}>
                {data.differences.map((difference) => (
                  <li key={difference}>{difference}</li>
                ))}
              </ul>
            )}
            {data.vouched !== undefined && (
              <p className={classes.about}>
                {data.vouched.by} confirmed on {dateTime(data.vouched.at)} that players on one network are different
                people.
              </p>
            )}
            {data.corrections.length > 0 && <Corrections corrections={data.corrections} />}
          </>
        )}
      </div>
      <Failure
        text={isFetching || error === undefined ? null : failureText(error, 'The standings could not be checked')}
      />
    </Card>
  );
}

/** Corrections by admins, with their reasons. */
function Corrections({ corrections }: { corrections: Correction[] }) {
  return (
    <>
      <h3 className={classes.title}>
        {corrections.length === 1 ? '1 correction' : `${corrections.length} corrections`}
      </h3>
      <ol className={classes.corrections}>
        {corrections.map((correction) => (
          <li key={`${correction.at} ${correction.userId}`}>
            <strong>
              <PersonLabel person={correction} />
            </strong>{' '}
            {changeText(correction)}
            {correction.reason !== undefined && <q>{correction.reason}</q>}
            <small>
              {correction.by}, <time dateTime={correction.at}>{dateTime(correction.at)}</time>
            </small>
          </li>
        ))}
      </ol>
    </>
  );
}

const counts = ({ level, wins, losses }: NonNullable<Correction['after']>) =>
  `level ${level}, ${wins} won, ${losses} lost`;

function changeText({ what, before, after }: Correction): string {
  if (what === 'removal') return 'was removed';
  if (after === undefined) return 'was corrected';
  return before === undefined ? `now has ${counts(after)}` : `had ${counts(before)}, now has ${counts(after)}`;
}

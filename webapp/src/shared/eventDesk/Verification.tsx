import { Button } from '@mantine/core';
import { type Correction, type DirectorAct, useLazyVerifyEventQuery } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { dateTime } from '@/shared/events/times';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
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
            {data.acts.length > 0 && <DirectorActs acts={data.acts} />}
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

/** What directors did about matches and players, with their reasons. */
function DirectorActs({ acts }: { acts: DirectorAct[] }) {
  return (
    <>
      <h3 className={classes.title}>
        {acts.length === 1 ? '1 act of a director' : `${acts.length} acts of directors`}
      </h3>
      <ol className={classes.corrections}>
        {acts.map((act) => (
          <li key={`${act.at} ${act.what} ${act.board} ${act.players[0]?.userId}`}>
            <strong>{act.players.map(nameOf).join(' – ')}</strong> {actText(act)}
            <q>{act.reason}</q>
            <small>
              {act.by}, <time dateTime={act.at}>{dateTime(act.at)}</time>
            </small>
          </li>
        ))}
      </ol>
    </>
  );
}

const PLAYER_ACTS = {
  withdrawPlayer: 'was withdrawn',
  disqualifyPlayer: 'was disqualified',
  reinstatePlayer: 'was reinstated',
} as const;

function actText({ what, round, board, players, before }: DirectorAct): string {
  if (what !== 'setResult' && what !== 'replayMatch') return PLAYER_ACTS[what];
  const winner = players.find(({ userId }) => userId === before?.winnerUserId);
  const until = before === undefined ? '' : `, won by ${winner === undefined ? 'nobody' : nameOf(winner)} before`;
  const did = what === 'setResult' ? 'had its result set' : 'was played again';
  return `(round ${round}, board ${board}) ${did}${until}`;
}

const counts = ({ level, wins, losses }: NonNullable<Correction['after']>) =>
  `level ${level}, ${wins} won, ${losses} lost`;

function changeText({ what, before, after }: Correction): string {
  if (what === 'removal') return 'was removed';
  if (what === 'checkIn') return 'was checked in';
  if (what === 'checkInUndone') return 'had their check-in undone';
  if (after === undefined) return 'was corrected';
  return before === undefined ? `now has ${counts(after)}` : `had ${counts(before)}, now has ${counts(after)}`;
}

import { Button } from '@mantine/core';
import { useLazyVerifyEventQuery } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import classes from './Verification.module.css';

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** Has the server recompute the standings from the stored games, and says whether they agree. */
export function Verification({ eventId }: { eventId: string }) {
  const [verify, { data, error, isFetching, fulfilledTimeStamp }] = useLazyVerifyEventQuery();
  return (
    <Card title="Receipts">
      <p className={classes.about}>Every win, loss and elimination comes from a stored game.</p>
      <Button variant="default" loading={isFetching} onClick={() => void verify(eventId)}>
        Check the Standings
      </Button>
      <div role="status">
        {!isFetching && error === undefined && data !== undefined && (
          <>
            <p className={classes.verdict} data-agrees={data.agrees}>
              {data.agrees ? 'Standings agree with the games' : 'Standings do not agree with the games'}
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
          </>
        )}
      </div>
      <Failure
        text={isFetching || error === undefined ? null : failureText(error, 'The standings could not be checked')}
      />
    </Card>
  );
}

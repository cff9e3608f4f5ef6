import { useGetStandingsQuery } from '@/api/events';
import { EndsIn } from '@/shared/events/EndsIn';
import { Card } from '@/shared/ui/Card';
import { ifKnown } from '@/shared/ui/Loaded';
import type { StageEvent } from '@/shared/stages/formats';
import { pointsText } from '@/shared/stages/match';
import { stageRead } from '@/shared/stages/stageRead';
import classes from './EventRoom.module.css';
import { Figure } from './Standing';

/** The player's row of the table, and the remaining time of the event. */
export function StageStanding({ event, userId }: { event: StageEvent; userId: string }) {
  const { eventId, eventState, endTime, format } = event;
  const answer = ifKnown(useGetStandingsQuery({ eventId, userId }, stageRead(eventState)));
  const [standing] = answer?.standings ?? [];
  if (standing === undefined) return null;
  const { rank, points, seed } = standing;
  return (
    <Card title="Your standing">
      <dl className={classes.standing}>
        <Figure name="Place" value={String(rank)} />
        <Figure name={format === 'knockout' ? 'Won' : 'Points'} value={pointsText(points)} />
        <Figure name="Seed" value={String(seed)} />
      </dl>
      {endTime !== undefined && <EndsIn at={endTime} />}
    </Card>
  );
}

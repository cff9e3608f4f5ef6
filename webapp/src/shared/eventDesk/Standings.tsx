import type { Event } from '@/api/events';
import { Leaderboard } from '@/shared/events/Leaderboard';
import { nameOf } from '@/shared/people/personSummary';
import { Card } from '@/shared/ui/Card';

/** The live leaderboard; after the end, with the winners above it. */
export function Standings({ event }: { event: Event }) {
  const { winners } = event;
  return (
    <Card title="Leaderboard">
      {winners.length > 0 && (
        <p>
          <strong>{winners.length === 1 ? 'Winner' : 'Winners'}:</strong> {winners.map(nameOf).join(', ')}
        </p>
      )}
      <div>
        <Leaderboard event={event} />
      </div>
    </Card>
  );
}

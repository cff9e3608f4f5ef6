import { Button } from '@mantine/core';
import type { Event } from '@/api/events';
import { GameFileLinks } from '@/shared/play/GameFileLinks';
import { Card } from '@/shared/ui/Card';
import classes from './Files.module.css';

/** What whoever runs an event takes along: games, and tables for spreadsheets and programs that pair. */
export function Files({ event: { eventId, format, matchGames } }: { event: Event }) {
  const tables = [
    ['standings.csv', 'Standings'],
    ['results.csv', 'Results'],
    ...(format === 'swiss' && matchGames === 1 ? [['swiss.trf', 'TRF16 report']] : []),
  ];
  return (
    <Card title="Files">
      <p className={classes.about}>The tables open in any spreadsheet program.</p>
      <div className={classes.links}>
        {tables.map(([file, label]) => (
          <Button key={file} component="a" href={`/api/backend/events/${eventId}/${file}`} download variant="default">
            {label}
          </Button>
        ))}
        <GameFileLinks eventId={eventId} />
      </div>
    </Card>
  );
}

import { Button } from '@mantine/core';
import { type GameFileFormat, gameFileAddress } from './gameFile';

const FORMATS: Record<GameFileFormat, string> = { notation: 'Games as text', ndjson: 'Games as JSON lines' };

/** Saves games that are over: the user's own, or an event's. The browser writes them to the disk as they come. */
export function GameFileLinks({ eventId }: { eventId?: string }) {
  return (Object.keys(FORMATS) as GameFileFormat[]).map((format) => (
    <Button key={format} component="a" href={gameFileAddress(format, eventId)} download variant="default">
      {FORMATS[format]}
    </Button>
  ));
}

import type { Event } from '@/api/events';
import { Card } from '@/shared/ui/Card';
import classes from './Announcements.module.css';
import { dateTime } from './times';

/** The announcements of an event, latest first; nothing if there are none. */
export function Announcements({ event: { announcements } }: { event: Event }) {
  if (announcements.length === 0) return null;
  const latest = announcements.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return (
    <Card title="Announcements">
      <AnnouncementList announcements={latest} />
    </Card>
  );
}

export function AnnouncementList({ announcements }: Pick<Event, 'announcements'>) {
  return (
    <ol className={classes.list}>
      {announcements.map(({ at, message }) => (
        <li key={at + message}>
          <p>{message}</p>
          <time dateTime={at}>{dateTime(at)}</time>
        </li>
      ))}
    </ol>
  );
}

import { Link } from 'react-router';
import type { AuditEntry } from '@/api/admin';
import { dateTime, timeZone } from '@/shared/events/times';
import { seriesDeskPath } from '@/shared/series/paths';
import classes from './AuditPage.module.css';
import { actionText, detailsOf } from './auditFormat';

export function AuditEntries({ entries }: { entries: AuditEntry[] }) {
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">Subject</th>
            <th scope="col">Address</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.auditId}>
              <td>
                <time dateTime={entry.at}>{dateTime(entry.at)}</time>
              </td>
              <th scope="row">{entry.actor}</th>
              <td className={classes.what}>{actionText(entry.action)}</td>
              <td className={classes.subject}>
                <Subject entry={entry} />
                {detailsOf(entry).map(({ name, value }) => (
                  <span key={name}>
                    {name}: {value}
                  </span>
                ))}
              </td>
              <td>{entry.address}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.zone}>Times are in {timeZone()}.</p>
    </>
  );
}

/** What an action was applied to: its name, if it has one, and a link to it. */
function Subject({ entry: { subject, subjectKind, subjectName } }: { entry: AuditEntry }) {
  const name = subjectName ?? subject;
  const to = subjectKind === undefined ? undefined : SUBJECTS[subjectKind](subject, name);
  if (to !== undefined) return <Link to={to}>{name}</Link>;
  return subjectName === undefined ? <code>{subject}</code> : <b>{subjectName}</b>;
}

const SUBJECTS: Record<NonNullable<AuditEntry['subjectKind']>, (subject: string, name: string) => string> = {
  user: (_userId, username) => `/app/admin/users?q=${encodeURIComponent(username)}`,
  event: (eventId) => `/app/admin/events/${eventId}`,
  game: (gameId) => `/app/game/${gameId}/replay`,
  series: (seriesId) => seriesDeskPath(seriesId),
};

import { Link } from 'react-router';
import { type Overview, useOverviewQuery } from '@/api/admin';
import { useListEventsQuery } from '@/api/events';
import { Card } from '../ui/Card';
import { ifKnown } from '../ui/Loaded';
import textLink from '../ui/textLink.module.css';
import classes from './FirstSteps.module.css';

interface Step {
  isDone: boolean;
  title: string;
  detail: React.ReactNode;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

function stepsOf(overview: Overview, hasEvent: boolean): Step[] {
  const isPublic = !LOOPBACK.includes(window.location.hostname);
  return [
    {
      isDone: isPublic,
      title: 'An address that others can open',
      detail: isPublic ? (
        window.location.origin
      ) : (
        <>
          Only this machine can open {window.location.host}. Set <code>server.public_url</code> to the address that
          people type.
        </>
      ),
    },
    {
      isDone: overview.mailConfigured,
      title: 'Email',
      detail: overview.mailConfigured ? (
        'Codes and notices are sent by email.'
      ) : (
        <>
          Set <code>[mail]</code>, so that people can get a new password by themselves. Until then an admin makes them a{' '}
          <Link to="/app/admin/users">one-time link</Link>.
        </>
      ),
    },
    {
      isDone: overview.backup.place !== undefined,
      title: 'Backups',
      detail:
        overview.backup.place === undefined ? (
          <>
            Set <code>backup.to</code> to a folder on another disk, or to S3.
          </>
        ) : (
          `They go to ${overview.backup.place}.`
        ),
    },
    {
      isDone: hasEvent,
      title: 'The first event',
      detail: hasEvent ? (
        'There is one.'
      ) : (
        <Link to="/app/admin/events" className={textLink.link}>
          Plan a tournament
        </Link>
      ),
    },
  ];
}

interface FirstStepsProps {
  /** Only while there is no event: on Home, which is empty until then. */
  untilFirstEvent?: boolean;
}

/** What a new server still needs, for its admin; nothing once it has all, or while that is not known. */
export function FirstSteps({ untilFirstEvent = false }: FirstStepsProps) {
  const overview = ifKnown(useOverviewQuery());
  const events = ifKnown(useListEventsQuery({ page: 1, limit: 1 }, { refetchOnMountOrArgChange: true }));
  if (overview === undefined || events === undefined) return null;
  const hasEvent = events.pagination.totalCount > 0;
  if (untilFirstEvent && hasEvent) return null;
  const steps = stepsOf(overview, hasEvent);
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Card title="First Steps">
      <ul className={classes.steps}>
        {steps.map(({ isDone, title, detail }) => (
          <li key={title} data-done={isDone || undefined}>
            <svg viewBox="0 0 24 24" className={classes.box} aria-hidden="true">
              <path d="M4.2 4.6c5.2-.4 10.400-.3 15.500-.1.3 5.200.2 10.300 0 15.400-5.200.2-10.300.2-15.400-.1-.3-5.100-.2-10.200-.1-15.200Z" />
              {isDone && (
                <path
                  className={classes.tick}
                  d="M6.800 12.600c1.500 1.400 2.700 3 3.700 4.700 2.400-4.700 5.600-9 9.600-12.800"
                />
              )}
            </svg>
            <div>
              <strong>{title}</strong>
              <span className="visually-hidden">{isDone ? ' (done)' : ' (open)'}</span>
              <span className={classes.detail}>{detail}</span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

import type { Event } from '@/api/events';
import { PersonLink } from '@/shared/people/PersonLink';
import { PersonMenu } from '@/shared/people/PersonMenu';
import classes from './HostedBy.module.css';

/** The member who hosts a private event; others can report them. */
export function HostedBy({ host }: { host: NonNullable<Event['host']> }) {
  return (
    <div className={classes.host}>
      <span>Hosted by</span>
      <PersonLink person={host} />
      <PersonMenu person={host} />
    </div>
  );
}

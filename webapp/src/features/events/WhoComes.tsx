import { type Event, useSomeSignUpsQuery } from '@/api/events';
import { PersonLink } from '@/shared/people/PersonLink';
import { Card } from '@/shared/ui/Card';
import { Loaded } from '@/shared/ui/Loaded';
import classes from './WhoComes.module.css';

/** The most people shown. */
const SHOWN = 12;

/** Who has signed up: the first by name and face, the others by number. */
export function WhoComes({ event: { eventId, eventState } }: { event: Event }) {
  const answer = useSomeSignUpsQuery({ eventId, limit: SHOWN }, { refetchOnMountOrArgChange: true });
  return (
    <Card title={eventState === 'published' ? 'Who comes' : 'Who takes part'}>
      <Loaded of={answer} loading="Looking for players…" failure="The players could not be loaded.">
        {({ signups, pagination: { totalCount } }) => {
          const people = signups.filter(({ status }) => status !== 'removed');
          const others = totalCount - signups.length;
          return (
            <>
              <ul className={classes.people}>
                {people.map((person) => (
                  <li key={person.userId}>
                    <PersonLink person={person} />
                  </li>
                ))}
              </ul>
              {others > 0 && <p className={classes.others}>{`and ${others} more`}</p>}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

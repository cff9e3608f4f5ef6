import { ActionIcon, Button } from '@mantine/core';
import { removeRecentPerson, type RecentPerson, useRecentPeople } from '../recentPeople';
import { CloseIcon } from '../ui/icons';
import { PersonAvatar } from './PersonLabel';
import { NameLink } from './PersonLink';
import { nameOf } from './personSummary';
import classes from './RecentPeople.module.css';

interface RecentPeopleProps {
  /** Shown instead of an empty list. */
  empty: string;
  disabled: boolean;
  onPlay: (person: RecentPerson) => void;
}

/** Recent opponents, with buttons to play again or to remove them. */
export function RecentPeople({ empty, disabled, onPlay }: RecentPeopleProps) {
  const people = useRecentPeople();
  if (people.length === 0) return <p className={classes.empty}>{empty}</p>;
  return (
    <ul className={classes.people}>
      {people.map((person) => (
        <li key={person.userId} className={classes.person}>
          <PersonAvatar person={person} />
          <div className={classes.who}>
            <strong>
              <NameLink person={person} />
            </strong>
            <span>{playedText(person)}</span>
          </div>
          <div className={classes.actions}>
            <Button
              variant="default"
              disabled={disabled}
              onClick={() => onPlay(person)}
              aria-label={`Play again with ${nameOf(person)}`}
            >
              Play
            </Button>
            <ActionIcon onClick={() => removeRecentPerson(person.userId)} aria-label={`Remove ${nameOf(person)}`}>
              <CloseIcon />
            </ActionIcon>
          </div>
        </li>
      ))}
    </ul>
  );
}

const DAY = { day: 'numeric', month: 'short' } as const;

function playedText({ lastPlayed, playCount }: RecentPerson): string {
  const date = new Date(lastPlayed);
  const times = playCount === 1 ? 'once' : `${playCount} times`;
  return Number.isNaN(date.valueOf())
    ? `Played ${times}`
    : `Played ${times}, last on ${date.toLocaleDateString(undefined, DAY)}`;
}

import { ActionIcon, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PlayedOpponent } from '@/api/players';
import { hasRecentPeople, removeRecentPerson, type RecentPerson, useRecentPeople } from '../recentPeople';
import { CloseIcon } from '../ui/icons';
import { PersonAvatar } from './PersonLabel';
import { NameLink } from './PersonLink';
import { nameOf, type PersonSummary } from './personSummary';
import { RatingText } from './RatingText';
import classes from './RecentPeople.module.css';

type Person = PersonSummary & { userId: string };

interface RecentPeopleProps {
  /** Shown instead of an empty list. */
  empty: ReactNode;
  disabled: boolean;
  onPlay: (person: Person) => void;
  /** Whom the user played last, as the server knows: the results between the two, and all there is in a new browser. */
  played?: readonly PlayedOpponent[];
}

/** Recent opponents, with buttons to play again or to remove them. */
export function RecentPeople({ empty, disabled, onPlay, played = [] }: RecentPeopleProps) {
  const kept = useRecentPeople();
  if (!hasRecentPeople() && played.length > 0) {
    return (
      <ul className={classes.people}>
        {played.map((person) => (
          <Row key={person.userId} person={person} between={person} disabled={disabled} onPlay={onPlay} />
        ))}
      </ul>
    );
  }
  if (kept.length === 0) return <div className={classes.empty}>{empty}</div>;
  return (
    <ul className={classes.people}>
      {kept.map((person) => (
        <Row
          key={person.userId}
          person={person}
          kept={person}
          between={played.find(({ userId }) => userId === person.userId)}
          disabled={disabled}
          onPlay={onPlay}
        />
      ))}
    </ul>
  );
}

interface RowProps extends Pick<RecentPeopleProps, 'disabled' | 'onPlay'> {
  person: Person;
  /** As this browser keeps them. */
  kept?: RecentPerson;
  /** As the server does. */
  between: PlayedOpponent | undefined;
}

function Row({ person, kept, between, disabled, onPlay }: RowProps) {
  return (
    <li className={classes.person}>
      <PersonAvatar person={person} />
      <div className={classes.who}>
        <strong>
          {between?.isTempUser === true ? nameOf(person) : <NameLink person={person} />}
          {between?.rating !== undefined && (
            <>
              {' '}
              <RatingText rating={between.rating} />
            </>
          )}
        </strong>
        <span>{between === undefined ? kept && metText(kept) : betweenText(between)}</span>
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
        {kept !== undefined && (
          <ActionIcon onClick={() => removeRecentPerson(kept.userId)} aria-label={`Remove ${nameOf(kept)}`}>
            <CloseIcon />
          </ActionIcon>
        )}
      </div>
    </li>
  );
}

const DAY = { day: 'numeric', month: 'short' } as const;

/** Before the first result between the two: the game may not have been finished, or the invitation not answered. */
function metText({ lastPlayed }: RecentPerson): string {
  const date = new Date(lastPlayed);
  return Number.isNaN(date.valueOf()) ? '' : `Last game or invitation: ${date.toLocaleDateString(undefined, DAY)}`;
}

/** The results between the two, from the user's side. */
function betweenText({ results: { wins, losses, draws } }: PlayedOpponent): string {
  const sum = wins + losses + draws;
  const score = `${wins} : ${losses}${draws > 0 ? `, ${draws} drawn` : ''}`;
  if (wins === losses) return `${score} · level after ${sum} ${sum === 1 ? 'game' : 'games'}`;
  return `${score} · ${wins > losses ? 'you lead' : 'they lead'}`;
}

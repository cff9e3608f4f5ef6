import { Button } from '@mantine/core';
import type { Person } from '@/api/people';
import { Avatar } from '@/shared/people/Avatar';
import classes from './RemoteInvitePage.module.css';

interface SearchResultsProps {
  people: Person[];
  chosen: { userId: string; username: string } | null;
  onChoose: (person: { userId: string; username: string }) => void;
}

export function SearchResults({ people, chosen, onChoose }: SearchResultsProps) {
  // Whoever was chosen stays in sight when the search goes on.
  const rows: Pick<Person, 'userId' | 'username' | 'displayName'>[] =
    chosen === null || people.some(({ userId }) => userId === chosen.userId)
      ? people
      : [{ ...chosen, displayName: '' }, ...people];
  if (rows.length === 0) return null;
  return (
    <ul className={classes.results} aria-label="Search results">
      {rows.map(({ userId, username, displayName }) => {
        const isChosen = userId === chosen?.userId;
        return (
          <li key={userId} className={classes.result}>
            <Avatar name={username} />
            <div className={classes.who}>
              <strong>@{username}</strong>
              {displayName !== '' && displayName !== username && <span>{displayName}</span>}
            </div>
            <Button
              variant={isChosen ? 'filled' : 'default'}
              aria-pressed={isChosen}
              aria-label={`${isChosen ? 'Selected' : 'Select'} ${username}`}
              onClick={() => onChoose({ userId, username })}
            >
              {isChosen ? 'Selected' : 'Select'}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

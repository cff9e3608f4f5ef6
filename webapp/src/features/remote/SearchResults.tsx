import { Button } from '@mantine/core';
import type { Person } from '@/api/people';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { NameLink } from '@/shared/people/PersonLink';
import { PersonMenu } from '@/shared/people/PersonMenu';
import type { PersonSummary } from '@/shared/people/personSummary';
import classes from './RemoteInvitePage.module.css';

type Found = PersonSummary & { userId: string };

interface SearchResultsProps {
  people: Person[];
  chosen: Found | null;
  onChoose: (person: Found) => void;
}

export function SearchResults({ people, chosen, onChoose }: SearchResultsProps) {
  // The selected person stays visible during further searches.
  const rows: Found[] =
    chosen === null || people.some(({ userId }) => userId === chosen.userId) ? people : [chosen, ...people];
  if (rows.length === 0) return null;
  return (
    <ul className={classes.results} aria-label="Search results">
      {rows.map((person) => {
        const { userId, username, displayName } = person;
        const isChosen = userId === chosen?.userId;
        return (
          <li key={userId} className={classes.result}>
            <PersonAvatar person={person} />
            <div className={classes.who}>
              <strong>
                <NameLink person={person} />
              </strong>
              {displayName && displayName !== username && <span>@{username}</span>}
            </div>
            <Button
              variant={isChosen ? 'filled' : 'default'}
              aria-pressed={isChosen}
              aria-label={`${isChosen ? 'Selected' : 'Select'} ${username}`}
              onClick={() => onChoose(person)}
            >
              {isChosen ? 'Selected' : 'Select'}
            </Button>
            <PersonMenu person={person} />
          </li>
        );
      })}
    </ul>
  );
}

import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { PersonLink } from '@/shared/people/PersonLink';
import { usePeopleSearch } from '@/shared/people/usePeopleSearch';
import { SearchIcon } from '@/shared/ui/icons';
import classes from './FindPlayer.module.css';

/** Finds people by name; each result leads to their page. */
export function FindPlayer() {
  const [text, setText] = useState('');
  const { people, hint } = usePeopleSearch(text);
  return (
    <search className={classes.search}>
      <TextInput
        label="Find a player"
        leftSection={<SearchIcon />}
        leftSectionWidth={44}
        value={text}
        maxLength={40}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <p role="status">{hint}</p>
      {people.length > 0 && (
        <ul aria-label="Players found">
          {people.map((person) => (
            <li key={person.userId}>
              <PersonLink person={person} />
              {person.displayName !== undefined &&
                person.displayName !== '' &&
                person.displayName !== person.username && <span>@{person.username}</span>}
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

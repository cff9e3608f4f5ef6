import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useListUsersQuery } from '@/api/admin';
import { usePersonQuery } from '@/api/people';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { DEBOUNCE_MS } from '@/shared/ui/useDebouncedText';
import classes from './UserField.module.css';
import { ifKnown } from '@/shared/ui/Loaded';
import { failureText } from '@/shared/account/failure';

/** The most suggestions shown. */
const OFFERED = 8;

interface UserFieldProps {
  /** Empty for all users. */
  userId: string;
  onUser: (userId: string) => void;
}

/** Filters by user, who is searched by name or email. */
export function UserField({ userId, onUser }: UserFieldProps) {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [wanted] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const chosen = ifKnown(usePersonQuery(userId, { skip: userId === '' }));
  const name = userId === '' ? '' : chosen === undefined ? userId.slice(0, 8) : nameOf(chosen);
  const { currentData: found, error } = useListUsersQuery(
    { limit: OFFERED, ...(wanted === '' || wanted === name ? {} : { text: wanted }) },
    { skip: !isOpen },
  );
  const users = (found?.users ?? []).filter((user) => user.userId !== userId);
  const options = users.map((user) => ({ value: user.userId, label: nameOf(user) }));
  return (
    <Select
      aria-label="User"
      placeholder="All users"
      classNames={{ dropdown: classes.dropdown ?? '', option: classes.option ?? '' }}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Show all users' }}
      // The server has already searched.
      filter={({ options: all }) => all}
      data={userId === '' ? options : [{ value: userId, label: name }, ...options]}
      renderOption={({ option }) => {
        const person = option.value === userId ? chosen : users.find((user) => user.userId === option.value);
        return person === undefined ? option.label : <PersonLabel person={person} size={24} />;
      }}
      value={userId === '' ? null : userId}
      onChange={(value) => onUser(value ?? '')}
      onSearchChange={setText}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      nothingFoundMessage={
        found !== undefined
          ? 'Nobody found'
          : error === undefined
            ? 'Searching…'
            : failureText(error, 'The search failed.')
      }
    />
  );
}

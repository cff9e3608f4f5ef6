import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { type User, useListUsersQuery } from '@/api/admin';
import { errorText } from '@/api/base';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { SearchIcon } from '@/shared/ui/icons';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Pager } from '@/shared/ui/Pager';
import { useDebouncedText } from '@/shared/ui/useDebouncedText';
import { AccountDialog } from './AccountDialog';
import classes from './UsersPage.module.css';

const PAGE = 25;

/** All accounts, guests included, ordered by username. */
export default function UsersPage() {
  const [params, setParams] = useSearchParams();
  const text = params.get('q') ?? '';
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
  const search = useDebouncedText(text, (q) => setParams(q === '' ? {} : { q }, { replace: true }));
  const { data, error, refetch } = useListUsersQuery(
    { ...(text === '' ? {} : { text }), page, limit: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen = data?.users.find(({ userId }) => userId === chosenId) ?? null;

  return (
    <>
      <PageHeading title="People">Accounts, where they are signed in, and who is an admin.</PageHeading>
      <div role="search" className={classes.search}>
        <TextInput
          aria-label="Search people"
          placeholder="Search name or email"
          type="search"
          leftSection={<SearchIcon />}
          leftSectionWidth={44}
          value={search.text}
          onChange={(event) => search.type(event.currentTarget.value)}
        />
      </div>
      {data !== undefined ? (
        <>
          <p className={classes.count} role="status">
            {data.pagination.totalCount === 0
              ? 'Nobody fits this search.'
              : data.pagination.totalCount === 1
                ? '1 person'
                : `${data.pagination.totalCount} people`}
          </p>
          <ul aria-label="People">
            {data.users.map((user) => (
              <Row key={user.userId} user={user} onChoose={() => setChosenId(user.userId)} />
            ))}
          </ul>
          <Pager
            label="people"
            pagination={data.pagination}
            onPage={(next) => setParams({ ...(text === '' ? {} : { q: text }), page: String(next) })}
          />
        </>
      ) : error !== undefined ? (
        <LoadFailure text={errorText(error, 'Failed to load people')} onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading people...</p>
      )}
      <AccountDialog user={chosen} onClose={() => setChosenId(null)} />
    </>
  );
}

function Row({ user, onChoose }: { user: User; onChoose: () => void }) {
  const { username, displayName, email } = user;
  return (
    <li className={classes.person}>
      <PersonAvatar person={user} />
      <div className={classes.about}>
        <button type="button" onClick={onChoose}>
          {username}
        </button>
        <span>{[displayName === username ? '' : displayName, email].filter(Boolean).join(' · ')}</span>
      </div>
      <span className={classes.marks}>
        {user.isAdmin && <span data-mark="admin">Admin</span>}
        {user.isProUser && <span data-mark="pro">Pro</span>}
        {user.isTempUser && <span>Guest</span>}
      </span>
    </li>
  );
}

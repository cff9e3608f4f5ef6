import { Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { type User, useListSuspendedQuery, useListUsersQuery } from '@/api/admin';
import { errorText } from '@/api/base';
import type { components } from '@/api/schema';
import { dateTime } from '@/shared/events/times';
import { ModerationMenu } from '@/shared/moderation/ModerationMenu';
import { suspensionText } from '@/shared/moderation/subject';
import { BotBadge } from '@/shared/people/BotBadge';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { SearchIcon } from '@/shared/ui/icons';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Pager } from '@/shared/ui/Pager';
import { useDebouncedText } from '@/shared/ui/useDebouncedText';
import wholeRow from '@/shared/ui/wholeRow.module.css';
import { AccountDialog } from './AccountDialog';
import classes from './UsersPage.module.css';

type UsersList = components['schemas']['UsersListAnswer'];

const PAGE = 25;

/** The accounts, guests included. */
export default function UsersPage() {
  const [params, setParams] = useSearchParams();
  const tab = params.get('filter') === 'suspended' ? 'suspended' : 'all';
  return (
    <>
      <PageHeading title="People">Accounts, where they are signed in, and who is an admin.</PageHeading>
      <Tabs value={tab} onChange={(next) => setParams(next === 'suspended' ? { filter: next } : {})}>
        <Tabs.List>
          <Tabs.Tab value="all">All</Tabs.Tab>
          <Tabs.Tab value="suspended">Suspended</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="all" className={classes.panel}>
          {tab === 'all' && <Everybody />}
        </Tabs.Panel>
        <Tabs.Panel value="suspended" className={classes.panel}>
          {tab === 'suspended' && <Suspended />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function usePageParam(): number {
  const [params] = useSearchParams();
  return Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
}

/** All accounts, ordered by username. */
function Everybody() {
  const [params, setParams] = useSearchParams();
  const text = params.get('q') ?? '';
  const page = usePageParam();
  const search = useDebouncedText(text, (q) => setParams(q === '' ? {} : { q }, { replace: true }));
  const { data, error, refetch } = useListUsersQuery(
    { ...(text === '' ? {} : { text }), page, limit: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <>
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
      <People
        data={data}
        failure={error === undefined ? null : errorText(error, 'Failed to load people')}
        onRetry={() => void refetch()}
        none="Nobody fits this search."
        onPage={(next) => setParams({ ...(text === '' ? {} : { q: text }), page: String(next) })}
      />
    </>
  );
}

/** Accounts with a suspension, also one that is over, the latest first. */
function Suspended() {
  const [, setParams] = useSearchParams();
  const page = usePageParam();
  const { data, error, refetch } = useListSuspendedQuery({ page, limit: PAGE }, { refetchOnMountOrArgChange: true });
  return (
    <People
      data={data}
      failure={error === undefined ? null : errorText(error, 'Failed to load people')}
      onRetry={() => void refetch()}
      none="Nobody is suspended."
      areSuspended
      onPage={(next) => setParams({ filter: 'suspended', page: String(next) })}
    />
  );
}

interface PeopleProps {
  data: UsersList | undefined;
  failure: string | null;
  onRetry: () => void;
  /** Said when there are none. */
  none: string;
  /** Each has a suspension, or had one. */
  areSuspended?: boolean;
  onPage: (page: number) => void;
}

function People({ data, failure, onRetry, none, areSuspended = false, onPage }: PeopleProps) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  if (data === undefined) {
    return failure === null ? <p role="status">Loading people...</p> : <LoadFailure text={failure} onRetry={onRetry} />;
  }
  const { users, pagination } = data;
  const { totalCount } = pagination;
  return (
    <>
      <p className={classes.count} role="status">
        {totalCount === 0 ? none : totalCount === 1 ? '1 person' : `${totalCount} people`}
      </p>
      <ul aria-label="People">
        {users.map((user) => (
          <Row
            key={user.userId}
            user={user}
            wasSuspended={areSuspended && user.suspension === undefined}
            onChoose={() => setChosenId(user.userId)}
          />
        ))}
      </ul>
      <Pager label="people" pagination={pagination} onPage={onPage} />
      <AccountDialog user={users.find(({ userId }) => userId === chosenId) ?? null} onClose={() => setChosenId(null)} />
    </>
  );
}

interface RowProps {
  user: User;
  /** The suspension is over. */
  wasSuspended: boolean;
  onChoose: () => void;
}

function Row({ user, wasSuspended, onChoose }: RowProps) {
  const { username, displayName, email, suspension, lastSeenAt } = user;
  return (
    <li className={classes.person}>
      <PersonAvatar person={user} />
      <div className={classes.about}>
        <button type="button" className={wholeRow.button} onClick={onChoose}>
          {username}
        </button>
        <span>{[displayName === username ? '' : displayName, email].filter(Boolean).join(' · ')}</span>
        {lastSeenAt !== undefined && <span>Last seen {dateTime(lastSeenAt)}</span>}
        {suspension !== undefined && <p className={classes.reason}>Reason: {suspension.reason}</p>}
      </div>
      <span className={classes.marks}>
        {suspension !== undefined && <span data-mark="suspended">{suspensionText(suspension)}</span>}
        {wasSuspended && <span>Suspension over</span>}
        {user.isAdmin && <span data-mark="admin">{user.adminClaim === undefined ? 'Admin' : 'Admin by a group'}</span>}
        {user.isProUser && <span data-mark="pro">Pro</span>}
        {user.isTempUser && <span>Guest</span>}
        <BotBadge person={user} />
      </span>
      <div className={classes.menu}>
        <ModerationMenu subject={user} />
      </div>
    </li>
  );
}

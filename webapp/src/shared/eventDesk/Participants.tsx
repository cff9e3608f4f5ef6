import { ActionIcon, Checkbox, TextInput } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import type { Event, Signup } from '@/api/events';
import { hereText } from '@/shared/events/checkIn';
import { PlayerGames } from '@/shared/events/PlayerGames';
import { dateTime } from '@/shared/events/times';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { SearchIcon, SettingsIcon } from '@/shared/ui/icons';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import wholeRow from '@/shared/ui/wholeRow.module.css';
import { folded } from '@/shared/visible';
import { useDeskOf } from './deskOf';
import { CheckInPlayer } from './CheckInPlayer';
import { ManageParticipant } from './ManageParticipant';
import { PresenceMark } from './PresenceMark';
import { signUpFailure } from './failures';
import classes from './Participants.module.css';
import { MAX_LOADED, type SignUps } from './useSignUpsOf';

/** In pixels; a longer list scrolls. */
export const LIST_HEIGHT = 400;
const ROW_HEIGHT = 76;

const STATUS_LABELS: Record<Signup['status'], string> = {
  registered: 'Registered',
  active: 'Active',
  eliminated: 'Eliminated',
  removed: 'Removed',
};

/** The participants, for admins with their emails, searchable; choosing one shows their games. */
export function Participants({ event, people }: { event: Event; people: SignUps }) {
  const { eventId } = event;
  const { isHost } = useDeskOf();
  const { signUps, total, isLoading, isCut, error, refetch } = people;
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Signup | null>(null);
  const [isOnlyAbsent, setOnlyAbsent] = useState(false);
  const [managedId, setManagedId] = useState<string | null>(null);
  const managed = signUps.find(({ userId }) => userId === managedId) ?? null;

  const wanted = folded(text.trim());
  const asksWhoIsHere = event.checkedInCount !== undefined;
  const found = signUps.filter(
    ({ username, displayName, email = '', checkedIn }) =>
      [username, displayName, email].some((each) => folded(each).includes(wanted)) &&
      !(asksWhoIsHere && isOnlyAbsent && checkedIn === true),
  );

  if (error !== undefined && signUps.length === 0) {
    return <LoadFailure text={signUpFailure(error)} onRetry={refetch} />;
  }
  if (signUps.length === 0) {
    return <p role="status">{isLoading ? 'Loading participants...' : 'Nobody has registered yet.'}</p>;
  }
  return (
    <div className={classes.participants}>
      <TextInput
        aria-label="Search participants"
        placeholder={isHost ? 'Search name' : 'Search name or email'}
        type="search"
        leftSection={<SearchIcon />}
        leftSectionWidth={44}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <p className={classes.count} role="status">
        {wanted === '' && found.length === signUps.length
          ? countInWords(total)
          : `${found.length} of ${countInWords(total)}`}
        {isLoading && ', more are loading'}
        {isCut && `; the first ${MAX_LOADED} are shown`}
        {asksWhoIsHere && ` · ${hereText(event)}`}
      </p>
      {asksWhoIsHere && (
        <Checkbox
          label="Only players not here yet"
          checked={isOnlyAbsent}
          onChange={(change) => setOnlyAbsent(change.currentTarget.checked)}
        />
      )}
      {error !== undefined && <LoadFailure text={signUpFailure(error)} onRetry={refetch} />}
      {found.length === 0 ? (
        <p>{wanted === '' ? 'Everybody is here.' : 'No participant fits this search.'}</p>
      ) : (
        <Rows event={event} signUps={found} onChoose={setChosen} onManage={({ userId }) => setManagedId(userId)} />
      )}
      <PlayerGames eventId={eventId} player={chosen} onClose={() => setChosen(null)} />
      <ManageParticipant event={event} signUp={managed} onClose={() => setManagedId(null)} />
    </div>
  );
}

function countInWords(count: number): string {
  return count === 1 ? '1 participant' : `${count} participants`;
}

interface RowsProps {
  event: Event;
  signUps: Signup[];
  onChoose: (signUp: Signup) => void;
  onManage: (signUp: Signup) => void;
}

/** Renders only the visible rows. */
function Rows({ event, signUps, onChoose, onManage }: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- its results stay in this component, which is not memoized
  const rows = useVirtualizer({
    count: signUps.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => signUps[index]?.signupId ?? index,
    overscan: 8,
  });
  return (
    <div ref={list} className={classes.list} style={{ height: LIST_HEIGHT }} role="region" aria-label="Participants">
      <ul style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start, size }) => {
          const signUp = signUps[index];
          if (signUp === undefined) return null;
          return (
            <li
              key={key}
              aria-setsize={signUps.length}
              aria-posinset={index + 1}
              className={classes.row}
              style={{ height: size, transform: `translateY(${start}px)` }}
            >
              <Row event={event} signUp={signUp} onChoose={() => onChoose(signUp)} onManage={() => onManage(signUp)} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface RowProps {
  event: Event;
  signUp: Signup;
  onChoose: () => void;
  onManage: () => void;
}

function Row({ event, signUp, onChoose, onManage }: RowProps) {
  const { email, status, level, wins, losses, createdAt } = signUp;
  return (
    <>
      <div className={classes.who}>
        <button
          type="button"
          className={wholeRow.button}
          onClick={onChoose}
          aria-label={`Games of ${nameOf(signUp)}`}
          title={nameOf(signUp)}
        >
          <PersonLabel person={signUp} />
        </button>
        {email !== undefined && <span className={classes.email}>{email}</span>}
        <PresenceMark userId={signUp.userId} listed={signUp.presence} />
      </div>
      {event.eventState === 'published' && signUp.checkedIn !== undefined ? (
        <>
          <span className={classes.here}>
            <CheckInPlayer event={event} signUp={signUp} />
          </span>
          <span className={classes.record} />
        </>
      ) : (
        <>
          <span className={classes.status} data-status={status}>
            {STATUS_LABELS[status]}
          </span>
          <span className={classes.record}>
            Level {level} · {wins} won, {losses} lost
          </span>
        </>
      )}
      <time className={classes.since} dateTime={createdAt}>
        {dateTime(createdAt)}
      </time>
      <ActionIcon
        className={classes.manage ?? ''}
        onClick={onManage}
        aria-label={`Manage ${nameOf(signUp)}`}
        title="Manage"
      >
        <SettingsIcon />
      </ActionIcon>
    </>
  );
}

import type { components } from '@/api/schema';
import { minutesLeft, roughly, useNow } from '@/shared/events/countdown';
import { BotBadge } from '@/shared/people/BotBadge';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import classes from './EventRoom.module.css';
import type { EventRoom as Room, StillThere as Asked } from './eventRoom';

interface RoomStatusProps {
  room: Room;
  phase: Room['phase'];
  /** Nobody has a level in the event. */
  isStage: boolean;
  /** Of the event, once it is known. */
  clock: Clock | undefined;
}

type Clock = components['schemas']['QuickMatchClock'];

/** What players are told of the time before they look for an opponent. */
const CLOCKS: Record<Clock, string> = {
  turn15: 'Each turn has 15 seconds.',
  '1+2': 'You have 1 minute for all turns of a game, and 2 seconds more for each move.',
};

/** What the room is doing, in its current phase. */
export function RoomStatus({ room, phase, isStage, clock }: RoomStatusProps) {
  switch (phase) {
    case 'ready':
      return (
        <>
          <h2>Ready when you are</h2>
          <p>{`You will be paired with somebody near your level. ${CLOCKS[clock ?? 'turn15']}`}</p>
        </>
      );
    case 'searching':
      return <Search room={room} />;
    case 'gameReady':
      return (
        <>
          {room.opponent !== null && <PersonAvatar person={room.opponent} size={56} />}
          <h2>
            {room.opponent === null ? 'Your game goes on' : `You play ${nameOf(room.opponent)}`}
            {room.opponent !== null && <BotBadge person={room.opponent} />}
          </h2>
          <p>
            {room.opponent === null
              ? 'Taking you back to it…'
              : `${isStage ? '' : `Level ${room.opponent.level}. `}The board is being set up…`}
          </p>
        </>
      );
    case 'leaving':
      return <h2>Back to the event…</h2>;
    default:
      return (
        <>
          <h2>Connecting</h2>
          <p>Entering the event room…</p>
        </>
      );
  }
}

const ABSENCES: Record<Asked['reason'], string> = {
  noShow: 'You lost the last game because you did not join it.',
  timeout: 'You lost the last game because your time ran out.',
};

/** Asks a player who may have left before they are paired again. */
export function StillThere({ asked: { reason, strikes, maxStrikes } }: { asked: Asked }) {
  // After being taken out the count starts again.
  const isLastTime = strikes + 1 === maxStrikes;
  return (
    <>
      <h2>Still there?</h2>
      <p className={classes.about}>
        {ABSENCES[reason]} We start looking for an opponent when you are ready.
        {isLastTime && ' If it happens again in your next game, you will be removed from the room.'}
      </p>
    </>
  );
}

/** Why and how long a player waits. */
function Search({ room: { queue, searchingSince } }: { room: Room }) {
  const now = useNow();
  const others = Math.max(0, (queue?.queueSize ?? 1) - 1);
  return (
    <>
      <h2>Looking for an opponent…</h2>
      {queue?.endsAt === undefined ? (
        queue?.reason !== undefined && <p className={classes.reason}>{queue.reason}</p>
      ) : (
        <p className={classes.reason}>
          {`Nobody else can play any more. The event ends in ${minutesLeft(queue.endsAt - now)} unless somebody joins.`}
        </p>
      )}
      <p>
        {`${others} ${others === 1 ? 'other' : 'others'} waiting, ${queue?.playing ?? 0} playing`}
        {searchingSince !== null && ` · ${roughly(now - searchingSince)}`}
      </p>
    </>
  );
}

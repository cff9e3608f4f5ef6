import { useEventQuery } from '@/api/events';
import type { GameState } from '@/realtime/protocol';
import { useNow } from '@/shared/events/countdown';
import { useEventUpdates } from '@/shared/events/useEventUpdates';
import { nameOf } from '@/shared/people/personSummary';
import classes from './GamePage.module.css';
import { ifKnown } from '@/shared/ui/Loaded';

/** docs/behaviour/play.md#event-games. */
const MOST_ROUNDS = 5;
const LARGEST_BOARD = 6;
/** A planned end is announced so early, and open games are decided so long after it. */
const DECIDED_AFTER_MS = 60_000;

interface DecidersProps {
  state: GameState;
  /** The server's clock minus the local one, in milliseconds. */
  clockOffset: number;
  userId: string;
}

/** What decides an event game besides a line: draws, time used and the event's end, as soon as they may matter. */
export function Deciders({ state, clockOffset, userId }: DecidersProps) {
  useEventUpdates(state.eventId);
  const event = ifKnown(useEventQuery(state.eventId));
  const now = useNow() + clockOffset;
  const end = event === undefined ? '' : endText(event, now);
  const isDrawNear = state.drawCount > 0 || freeCells(state) <= state.boardSize;
  return (
    <>
      {end !== '' && <p className={classes.notice}>{end}</p>}
      {isDrawNear && <p className={classes.decider}>{drawText(state)}</p>}
      {(state.drawCount > 0 || end !== '') && <p className={classes.decider}>{timeText(state, userId)}</p>}
    </>
  );
}

function freeCells({ board }: GameState): number {
  return board.flat().filter((content) => content === '').length;
}

/** What a draw of this round leads to. */
export function drawText({ drawCount, boardSize }: Pick<GameState, 'drawCount' | 'boardSize'>): string {
  const round = drawCount + 1;
  if (round >= MOST_ROUNDS) return `Round ${round}, the last one: if it is a draw, whoever used less time wins.`;
  if (round % 2 === 0 && boardSize < LARGEST_BOARD) {
    return `Round ${round}: if it is a draw, the board grows to ${boardSize + 1}×${boardSize + 1}.`;
  }
  return `Round ${round}: if it is a draw, a new round begins. After ${MOST_ROUNDS} draws whoever used less time wins.`;
}

function timeText({ players }: GameState, userId: string): string {
  const used = players.map((player) => {
    const seconds = Math.floor(player.timeUsedMs / 1_000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    return `${player.userId === userId ? 'you' : nameOf(player)} ${time}`;
  });
  return `Time used: ${used.join(', ')}.`;
}

interface EventEnd {
  eventState: string;
  endTime?: string;
  decidedBy?: string;
}

/** What the end of the event means for its open games; '' while it is far. `now` is the server's, in Unix milliseconds. */
export function endText({ eventState, endTime, decidedBy }: EventEnd, now: number): string {
  const until = (time: string) => Math.ceil((Date.parse(time) - now) / 1_000);
  if (eventState === 'ended') {
    const left = decidedBy === undefined ? 0 : until(decidedBy);
    const when = left > 0 ? `Unless somebody wins within ${left} s` : 'Now';
    return `The event is over. ${when}, whoever used less time wins.`;
  }
  if (eventState !== 'started' || endTime === undefined) return '';
  const left = until(endTime);
  if (left <= 0 || left > DECIDED_AFTER_MS / 1_000) return '';
  return `The event ends in ${left} s. A game still open 60 s later goes to whoever used less time.`;
}

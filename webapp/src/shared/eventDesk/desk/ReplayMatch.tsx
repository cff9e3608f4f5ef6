import { type Event, type StagePairing, type StageRound, useReplayMatchMutation } from '@/api/events';
import { nameOf } from '@/shared/people/personSummary';
import { liveGameOf } from '@/shared/stages/match';
import { ReasonedAct } from './ReasonedAct';

interface ReplayMatchProps {
  event: Event;
  /** The match as the director saw it; null while the dialog is closed. */
  asked: { round: number; pairing: StagePairing } | null;
  onClose: () => void;
}

/** A match of the last round is played again. */
export function ReplayMatch({ event: { eventId }, asked, onClose }: ReplayMatchProps) {
  const [replay] = useReplayMatchMutation();
  const { round = 0, pairing } = asked ?? {};
  const board = pairing?.board ?? 0;
  const gameId = pairing?.games.at(-1)?.gameId;
  const seen = gameId === undefined ? {} : { gameId };
  return (
    <ReasonedAct
      title={`Replay round ${round}, board ${board}`}
      opened={asked !== null}
      onClose={onClose}
      confirm="Replay Match"
      isDanger
      send={(reason) => replay({ eventId, round, board, ...seen, reason })}
      done="The match will be replayed."
      failure="Failed to replay the match"
    >
      <p>
        {pairing?.players.map(nameOf).join(' and ')} play this match again from its first game. Its result and its games
        so far do not count for the event; ratings stay as they are.
      </p>
      {pairing !== undefined && liveGameOf(pairing) !== undefined && <p>The game that is open becomes void.</p>}
    </ReasonedAct>
  );
}

/** Whether a match can be played again: it is one of the last round, and has games or a result that was set. */
export function mayReplay(event: Event, rounds: readonly StageRound[], round: number, pairing: StagePairing): boolean {
  const isLast = rounds.every((each) => each.round <= round || each.startsAt === undefined);
  const { players, bye, games, reason } = pairing;
  const hasBegun = games.length > 0 || reason === 'ruling';
  return event.eventState === 'started' && isLast && players.length === 2 && !bye && hasBegun;
}

import { useState } from 'react';
import { type Event, type StagePairing, type StageRound, useSetResultMutation } from '@/api/events';
import { nameOf } from '@/shared/people/personSummary';
import { isDecided, liveGameOf } from '@/shared/stages/match';
import { Choice } from '@/shared/ui/Choice';
import { ReasonedAct } from './ReasonedAct';

interface SetResultProps {
  event: Event;
  rounds: readonly StageRound[];
  /** The match; null while the dialog is closed. */
  asked: { round: number; board: number } | null;
  onClose: () => void;
}

const NOBODY = 'nobody';

/** A director decides a match, also against its games. */
export function SetResult({ event, rounds, asked, onClose }: SetResultProps) {
  const { eventId, format } = event;
  const [winner, setWinner] = useState('');
  const [setResult] = useSetResultMutation();
  const pairings = rounds.find(({ round }) => round === asked?.round)?.pairings ?? [];
  const pairing = pairings.find(({ board }) => board === asked?.board);
  const hasLater = rounds.some(({ round, startsAt }) => round > (asked?.round ?? 0) && startsAt !== undefined);
  const close = () => {
    setWinner('');
    onClose();
  };
  const { round = 0, board = 0 } = asked ?? {};
  const chosen = winner === NOBODY ? {} : { winnerUserId: winner };
  return (
    <ReasonedAct
      title={`${pairing !== undefined && isDecided(pairing) ? 'Correct' : 'Set'} the result of round ${round}, board ${board}`}
      opened={pairing !== undefined}
      onClose={close}
      confirm="Set Result"
      isReady={winner !== ''}
      send={(reason) => setResult({ eventId, round, board, ...chosen, reason })}
      done="The result is set."
      failure="Failed to set the result"
    >
      {pairing !== undefined && <WinnerChoice pairing={pairing} winner={winner} onChange={setWinner} />}
      {hasLater && (
        <p>
          {format === 'knockout'
            ? 'The next match gets the right player if it has not begun.'
            : 'Points and standings change, and the pairings of later rounds stay.'}
        </p>
      )}
    </ReasonedAct>
  );
}

interface WinnerChoiceProps {
  pairing: StagePairing;
  winner: string;
  onChange: (winner: string) => void;
}

function WinnerChoice({ pairing, winner, onChange }: WinnerChoiceProps) {
  return (
    <>
      <Choice
        legend="Who wins the match?"
        value={winner}
        onChange={onChange}
        options={[
          ...pairing.players.map((player) => ({ value: player.userId, label: nameOf(player) })),
          { value: NOBODY, label: 'Nobody', detail: 'both lose it' },
        ]}
      />
      {liveGameOf(pairing) !== undefined && <p>The game that is open becomes void.</p>}
    </>
  );
}

import {
  type Event,
  type StageStanding,
  useDisqualifyPlayerMutation,
  useReinstatePlayerMutation,
  useWithdrawPlayerMutation,
} from '@/api/events';
import { nameOf } from '@/shared/people/personSummary';
import { ReasonedAct } from './ReasonedAct';

/** What a director does with a player. */
export type PlayerAct = 'Withdraw' | 'Disqualify' | 'Reinstate';

interface ActOnPlayerProps {
  event: Event;
  /** Null while the dialog is closed. */
  asked: { player: StageStanding; act: PlayerAct } | null;
  onClose: () => void;
}

/** Takes a player out of the rounds to come, or lets one who is out play again. */
export function ActOnPlayer({ event: { eventId }, asked, onClose }: ActOnPlayerProps) {
  const [withdraw] = useWithdrawPlayerMutation();
  const [disqualify] = useDisqualifyPlayerMutation();
  const [reinstate] = useReinstatePlayerMutation();
  if (asked === null) return null;
  const { act, player } = asked;
  const name = nameOf(player);
  const { send, done, failure, effect } = {
    Withdraw: {
      send: withdraw,
      done: `${name} has been withdrawn.`,
      failure: 'Failed to withdraw the player',
      effect: `An undecided match of ${name} goes to the opponent. ${name} plays no further rounds, and is told your reason. You can reinstate ${name} later.`,
    },
    Disqualify: {
      send: disqualify,
      done: `${name} has been disqualified.`,
      failure: 'Failed to disqualify the player',
      effect: `An undecided match of ${name} goes to the opponent. ${name} plays no further rounds, cannot be a winner, and is told your reason. You can reinstate ${name} later.`,
    },
    Reinstate: {
      send: reinstate,
      done: `${name} plays again.`,
      failure: 'Failed to reinstate the player',
      effect: `${name} plays again from the next round, and is told your reason. Points for missed rounds are not given back.`,
    },
  }[act];
  return (
    <ReasonedAct
      title={`${act} ${name}`}
      opened
      onClose={onClose}
      confirm={act}
      isDanger={act !== 'Reinstate'}
      send={(reason) => send({ eventId, userId: player.userId, reason })}
      done={done}
      failure={failure}
    >
      {player.disqualification !== undefined && <p>Disqualified: {player.disqualification}</p>}
      <p>{effect}</p>
    </ReasonedAct>
  );
}

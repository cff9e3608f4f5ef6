import { type Event, type StageStanding, useReinstatePlayerMutation, useWithdrawPlayerMutation } from '@/api/events';
import { nameOf } from '@/shared/people/personSummary';
import { ReasonedAct } from './ReasonedAct';

interface WithdrawPlayerProps {
  event: Event;
  /** Null while the dialog is closed. */
  player: StageStanding | null;
  onClose: () => void;
}

/** Takes a player out of the rounds to come, or lets one who is out play again. */
export function WithdrawPlayer({ event: { eventId }, player, onClose }: WithdrawPlayerProps) {
  const [withdraw] = useWithdrawPlayerMutation();
  const [reinstate] = useReinstatePlayerMutation();
  const name = player === null ? '' : nameOf(player);
  const userId = player?.userId ?? '';
  return player?.withdrawn === true ? (
    <ReasonedAct
      title={`Reinstate ${name}`}
      opened
      onClose={onClose}
      confirm="Reinstate"
      send={(reason) => reinstate({ eventId, userId, reason })}
      done={`${name} plays again.`}
      failure="Failed to reinstate the player"
    >
      <p>{name} plays from the next round on. Points for what was missed do not come back.</p>
    </ReasonedAct>
  ) : (
    <ReasonedAct
      title={`Withdraw ${name}`}
      opened={player !== null}
      onClose={onClose}
      confirm="Withdraw"
      isDanger
      send={(reason) => withdraw({ eventId, userId, reason })}
      done={`${name} is withdrawn.`}
      failure="Failed to withdraw the player"
    >
      <p>
        The opponent wins a match of {name} that is not decided, and {name} is in no further round. You can reinstate{' '}
        {name} later.
      </p>
    </ReasonedAct>
  );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { useClaimWinMutation } from '@/api/game';
import { errorText } from '@/api/base';
import { toast } from '@/shared/ui/toast';
import classes from './GamePage.module.css';
import { useSecondsUntil } from './TimerRing';

interface AwayPanelProps {
  gameId: string;
  /** When the countdown ends, by the local clock; none while it is one's own turn. */
  until: number | null;
  /** In an event the server decides automatically. */
  canClaim: boolean;
}

/** The opponent is disconnected: first a countdown, then the choice to claim the win or to keep waiting. */
export function AwayPanel({ gameId, until, canClaim }: AwayPanelProps) {
  const seconds = useSecondsUntil(until ?? 0);
  const [isPatient, setPatient] = useState(false);
  const [claimWin, { isLoading }] = useClaimWinMutation();

  if (until === null) return <p className={classes.away}>Opponent disconnected. Waiting for reconnection...</p>;
  if (seconds > 0 || !canClaim) {
    return <p className={classes.away}>{`Opponent disconnected. Waiting for reconnection... (${seconds}s)`}</p>;
  }
  const claim = async () => {
    const { error } = await claimWin({ gameId });
    if (error !== undefined) toast.error(errorText(error, 'Request failed'));
  };
  return (
    <>
      <p className={classes.away}>{isPatient ? 'Your opponent is still away.' : 'Your opponent has not come back.'}</p>
      <div className={classes.actions}>
        <Button variant={isPatient ? 'default' : 'filled'} loading={isLoading} onClick={() => void claim()}>
          Claim win
        </Button>
        {!isPatient && (
          <Button variant="default" onClick={() => setPatient(true)}>
            Keep waiting
          </Button>
        )}
      </div>
    </>
  );
}

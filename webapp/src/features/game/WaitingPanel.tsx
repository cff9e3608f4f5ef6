import { Button, CopyButton } from '@mantine/core';
import type { GameState } from '@/realtime/protocol';
import { LinkIcon } from '@/shared/ui/icons';
import classes from './GamePage.module.css';

interface WaitingPanelProps {
  state: GameState;
  userId: string;
  isCancelling: boolean;
  onCancel: () => void;
}

/** Before the other player is there: whom we wait for, and the link that fills an open seat. */
export function WaitingPanel({ state, userId, isCancelling, onCancel }: WaitingPanelProps) {
  const opponent = state.players.find((player) => player.userId !== userId);
  if (state.gameType === 'event') {
    return (
      <>
        <h2>Waiting for Opponent</h2>
        <p>{`${opponent?.username ?? 'Your opponent'} is on the way. Whoever does not come in time loses the game.`}</p>
      </>
    );
  }
  const link =
    state.inviteToken === undefined
      ? null
      : `${window.location.origin}/app/game/${state.gameId}?invite=${encodeURIComponent(state.inviteToken)}`;
  return (
    <>
      <h2>Waiting for Opponent</h2>
      <p>
        {opponent !== undefined
          ? `${opponent.username} has been told. The game begins as soon as they are here.`
          : 'Send this link to whoever you want to play. The first to open it takes the seat.'}
      </p>
      <div className={classes.actions}>
        {link !== null && (
          <CopyButton value={link} timeout={2_000}>
            {({ copied, copy }) => (
              <Button leftSection={<LinkIcon />} onClick={copy}>
                {copied ? 'Link copied' : 'Copy invite link'}
              </Button>
            )}
          </CopyButton>
        )}
        {state.initiatorUserId === userId && (
          <Button variant="default" loading={isCancelling} onClick={onCancel}>
            Cancel Invitation
          </Button>
        )}
      </div>
      {link !== null && <input className={classes.link} readOnly value={link} aria-label="Invite link" />}
    </>
  );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useCancelGameMutation, useEndGameMutation } from '@/api/game';
import type { Game } from '@/realtime/protocol';
import { failureText } from '@/shared/account/failure';
import { BotBadge } from '@/shared/people/BotBadge';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { ConfirmForfeit } from '@/shared/play/ConfirmForfeit';
import { PromptDialog } from '@/shared/ui/PromptDialog';
import { toast } from '@/shared/ui/toast';
import { waitsFor } from './activeGames';
import classes from './ActiveGames.module.css';

/** A waiting or running game, with its actions. */
export function ActiveGame({ game, userId }: { game: Game; userId: string }) {
  const [asked, setAsked] = useState<'forfeit' | 'cancel' | null>(null);
  const [cancel, cancelling] = useCancelGameMutation();
  const [endGame, ending] = useEndGameMutation();
  const opponent = game.players.find((player) => player.userId !== userId);
  const name = opponent === undefined ? 'Open invitation' : nameOf(opponent);
  const isInvited = game.gameType === 'invite' && game.status === 'waiting' && game.initiatorUserId !== userId;
  const isEvent = game.gameType === 'event';
  // Both were paired by the server: who cancels declines.
  const isPaired = game.gameType !== 'invite';

  const cancelGame = async () => {
    setAsked(null);
    const { error } = await cancel({ gameId: game.gameId, userId });
    if (error !== undefined) toast.error(failureText(error, 'Failed to cancel game'));
  };
  const forfeit = async () => {
    setAsked(null);
    const { error } = await endGame({ gameId: game.gameId, userId });
    if (error !== undefined) toast.error(failureText(error, 'Request failed'));
  };

  return (
    <li className={classes.game}>
      <PersonAvatar person={opponent ?? { username: '?' }} />
      <div className={classes.about}>
        <strong>
          {name}
          {opponent !== undefined && <BotBadge person={opponent} />}
        </strong>
        <span className={waitsFor(game, userId) ? classes.turn : undefined}>{statusText(game, userId)}</span>
      </div>
      <div className={classes.actions}>
        <Button
          component={Link}
          to={`/app/game/${game.gameId}`}
          variant={game.status === 'waiting' && !isInvited && !isEvent ? 'default' : 'filled'}
          aria-label={isInvited ? `Accept the invitation of ${name}` : `${openLabel(isEvent)} with ${name}`}
        >
          {isInvited ? 'Accept' : isEvent ? 'Return to your game' : 'Open'}
        </Button>
        {game.status === 'active' ? (
          <Button
            variant="danger"
            aria-label={`Forfeit the game with ${name}`}
            loading={ending.isLoading}
            onClick={() => setAsked('forfeit')}
          >
            Forfeit
          </Button>
        ) : (
          <Button
            variant={isPaired ? 'danger' : 'default'}
            loading={cancelling.isLoading}
            onClick={() => (isPaired ? setAsked('cancel') : void cancelGame())}
          >
            {isPaired ? 'Cancel' : isInvited ? 'Decline' : 'Cancel Invitation'}
          </Button>
        )}
      </div>
      <ConfirmForfeit opened={asked === 'forfeit'} onForfeit={() => void forfeit()} onCancel={() => setAsked(null)} />
      <ConfirmCancel
        opened={asked === 'cancel'}
        opponent={name}
        onConfirm={() => void cancelGame()}
        onClose={() => setAsked(null)}
      />
    </li>
  );
}

interface ConfirmCancelProps {
  opened: boolean;
  /** Their name. */
  opponent: string;
  onConfirm: () => void;
  onClose: () => void;
}

function ConfirmCancel({ opened, opponent, onConfirm, onClose }: ConfirmCancelProps) {
  return (
    <PromptDialog
      title="Cancel this match?"
      opened={opened}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button variant="danger" onClick={onConfirm}>
            Cancel the match
          </Button>
        </>
      }
    >
      <p>{`You were paired with ${opponent}. Cancelling counts as a loss.`}</p>
    </PromptDialog>
  );
}

function openLabel(isEvent: boolean): string {
  return isEvent ? 'Return to your game' : 'Open the game';
}

function statusText({ status, yourTurn, boardSize, initiatorUserId, gameType, players }: Game, userId: string): string {
  const board = `${boardSize}×${boardSize}`;
  if (status === 'active') return yourTurn ? `${board} · your turn` : `${board} · their turn`;
  if (gameType !== 'invite') return `${board} · about to begin`;
  if (initiatorUserId !== userId) return `${board} · invites you`;
  return players.length < 2 ? `${board} · waiting for somebody to open your link` : `${board} · waiting for an answer`;
}

import { Button, CopyButton } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import type { GameState } from '@/realtime/protocol';
import { nameOf } from '@/shared/people/personSummary';
import { LinkIcon } from '@/shared/ui/icons';
import classes from './GamePage.module.css';

const PushOffer = lazyPart(() => import('@/shared/push/PushOffer'));

interface WaitingPanelProps {
  state: GameState;
  userId: string;
  isCancelling: boolean;
  onCancel: () => void;
}

/** Before the other player has joined: who is awaited, and the invite link of an open seat. */
export function WaitingPanel({ state, userId, isCancelling, onCancel }: WaitingPanelProps) {
  const link =
    state.inviteToken === undefined
      ? null
      : `${window.location.origin}/app/game/${state.gameId}?invite=${encodeURIComponent(state.inviteToken)}`;
  const isPlayer = state.players.some((player) => player.userId === userId);
  return (
    <>
      <h2>{isPlayer ? 'Waiting for Opponent' : 'Waiting for both players'}</h2>
      <p>{waitingFor(state, userId)}</p>
      {state.gameType === 'invite' && isPlayer && (
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
          <Button variant="default" loading={isCancelling} onClick={onCancel}>
            {state.initiatorUserId === userId ? 'Cancel Invitation' : 'Decline'}
          </Button>
        </div>
      )}
      {link !== null && <input className={classes.link} readOnly value={link} aria-label="Invite link" />}
      <Suspense fallback={null}>
        {state.gameType === 'invite' && state.initiatorUserId === userId && <PushOffer occasion="answer" />}
      </Suspense>
    </>
  );
}

function waitingFor({ players, gameType, initiatorUserId }: GameState, userId: string): string {
  const opponent = players.find((player) => player.userId !== userId);
  if (!players.some((player) => player.userId === userId)) return 'The game begins as soon as they join.';
  if (gameType === 'event') {
    return `${opponent ? nameOf(opponent) : 'Your opponent'} is joining. A player who does not join in time loses the game.`;
  }
  if (gameType === 'quick') {
    return `${opponent ? nameOf(opponent) : 'Your opponent'} is joining. If nobody joins in time, the game does not count.`;
  }
  if (opponent === undefined)
    return 'Send this link to the person you want to play. The first to open it takes the seat.';
  return initiatorUserId === userId
    ? `${nameOf(opponent)} has an invitation waiting. The game begins as soon as they join.`
    : `${nameOf(opponent)} invited you, but is away right now. The game begins as soon as they are back.`;
}

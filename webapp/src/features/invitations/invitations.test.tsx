import { notifications } from '@mantine/notifications';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TOAST_MS } from '@/shared/ui/toast';
import { FakeSocket } from '@/testing/FakeSocket';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, bob, gameWithBob as game, server, signedInAsAda } from '@/testing/server';
import { INVITATION_MS } from './InvitationNotices';

let play: ReturnType<typeof actions>;

beforeEach(() => {
  play = actions('game', { get_games_by_user: () => answer({ games: [] }), cancel_game: () => answer({}) });
  server.use(...signedInAsAda, ...play.handlers);
});
afterEach(() => notifications.clean());

async function openHome() {
  const app = renderApp('/app/home');
  await screen.findByRole('heading', { name: 'Welcome, Ada!' });
  await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
  FakeSocket.last.open();
  return app;
}

describe('an invitation', () => {
  it('shows for 10 s, other notices for 5 s', () => {
    expect(INVITATION_MS).toBe(10_000);
    expect(TOAST_MS).toBe(5_000);
  });

  it('opens the game', async () => {
    const { user, at } = await openHome();
    FakeSocket.last.receive('gameInvitation', { game: game({ gameId: 'g9' }), from: bob });
    expect(await screen.findByText('bob invites you to a game')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: /^Accept/ }));
    await waitFor(() => expect(at()).toBe('/app/game/g9'));
  });

  it('is focused from anywhere with one key', async () => {
    const { user, at } = await openHome();
    await user.keyboard('{F8}');
    expect(document.body).toHaveFocus();
    FakeSocket.last.receive('gameInvitation', { game: game({ gameId: 'g7' }), from: bob });
    await screen.findByText('bob invites you to a game');
    await user.keyboard('{F8}');
    expect(screen.getByRole('button', { name: /^Accept/ })).toHaveFocus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(at()).toBe('/app/game/g7'));
  });

  it('can be declined', async () => {
    const { user } = await openHome();
    FakeSocket.last.receive('gameInvitation', { game: game({ gameId: 'g7' }), from: bob });
    await user.click(await screen.findByRole('button', { name: 'Decline' }));
    const declined = { action: 'cancel_game', payload: { gameId: 'g7', userId: ada.userId } };
    await waitFor(() => expect(play.calls).toContainEqual(declined));
    await waitFor(() => expect(screen.queryByText('bob invites you to a game')).not.toBeInTheDocument());
  });

  it('that was declined is announced to the inviter only', async () => {
    await openHome();
    const declined = { gameId: 'g5', success: true, reason: 'declined' as const };
    FakeSocket.last.receive('gameCancelled', {
      ...declined,
      userId: ada.userId,
      message: 'You declined the invitation.',
    });
    FakeSocket.last.receive('gameCancelled', {
      ...declined,
      userId: bob.userId,
      message: 'bob declined the invitation.',
    });
    expect(await screen.findByText('bob declined the invitation.')).toBeInTheDocument();
    expect(screen.queryByText('You declined the invitation.')).not.toBeInTheDocument();
  });

  it('disappears when it is withdrawn', async () => {
    await openHome();
    FakeSocket.last.receive('gameInvitation', { game: game({ gameId: 'g8' }), from: bob });
    await screen.findByText('bob invites you to a game');
    FakeSocket.last.receive('gameCancelled', { gameId: 'g8', success: true, message: '', reason: 'withdrawn' });
    await waitFor(() => expect(screen.queryByText('bob invites you to a game')).not.toBeInTheDocument());
  });
});

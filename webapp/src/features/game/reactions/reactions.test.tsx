import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { GameState } from '@/realtime/protocol';
import { FakeSocket } from '@/testing/FakeSocket';
import { passTime, useFakeTimers } from '@/testing/fakeTimers';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, bob, server, signedInAsAda } from '@/testing/server';
import { REACTION_EVERY_MS, REACTION_SHOWN_MS, reactionsMuted } from './reactions';

const gameId = '10000000-0000-4000-8000-000000000001';
const state: GameState = {
  gameId,
  board: [
    ['', '', ''],
    ['', '', ''],
    ['', '', ''],
  ],
  players: [
    { userId: ada.userId, username: 'ada', displayName: 'ada', symbol: 'X', connected: true, timeUsedMs: 0 },
    { ...bob, symbol: 'O', connected: true, timeUsedMs: 0 },
  ],
  currentTurn: ada.userId,
  isDraw: false,
  boardSize: 3,
  drawCount: 0,
  status: 'active',
  gameType: 'invite',
  clock: 'none',
  eventId: `remote-${gameId}`,
  level: 1,
  initiatorUserId: ada.userId,
  notify: true,
  version: 4,
  serverTime: Date.now(),
  moves: [],
  createdAt: '2026-01-01T00:00:00Z',
};

beforeEach(() => {
  reactionsMuted.switchTo(false);
  const play = actions('game', {
    get_games_by_user: () => answer({ games: [] }),
    get_game: () => answer({ game: state as never }),
  });
  server.use(...signedInAsAda, ...play.handlers);
});

async function openGame(path = `/app/game/${gameId}`, players = state.players, told: { watchers?: number } = {}) {
  const app = renderApp(path);
  await screen.findByText('Connecting to Game Server...');
  const socket = FakeSocket.last;
  act(() => socket.open());
  const wanted = path.endsWith('watch=true') ? 'spectateGame' : 'joinGame';
  await waitFor(() => expect(socket.sent).toContainEqual(expect.objectContaining({ event: wanted })));
  act(() => socket.receive('gameJoined', { gameId, success: true, gameState: { ...state, players }, ...told }));
  await screen.findByRole('grid');
  return { ...app, socket };
}

const reactTo = (socket: FakeSocket, userId: string, reaction: string, of = gameId) =>
  act(() => socket.receive('reaction', { gameId: of, userId, reaction }));
const bar = () => within(screen.getByRole('group', { name: 'Reactions' }));
const isRead = (text: string) => screen.getAllByRole('status').some(({ textContent }) => textContent === text);

describe('reactions', () => {
  it('are sent with one press, and then not for 3 s', async () => {
    useFakeTimers();
    const { user, socket } = await openGame();
    const sent = () => socket.sent.filter(({ event }) => event === 'react').map(({ data }) => data);
    const names = bar()
      .getAllByRole('button')
      .map(({ textContent }) => textContent);
    expect(names).toEqual(['Well played', 'Good luck', 'Thanks', 'Wow', 'Oops', 'Thinking']);
    await user.click(bar().getByRole('button', { name: 'Good luck' }));
    await user.click(bar().getByRole('button', { name: 'Wow' }));
    expect(sent()).toEqual([{ gameId, reaction: 'goodLuck' }]);
    // Who uses a keyboard keeps the place.
    expect(bar().getByRole('button', { name: 'Wow' })).toHaveAttribute('aria-disabled', 'true');
    expect(bar().getByRole('button', { name: 'Wow' })).toHaveFocus();
    await passTime(REACTION_EVERY_MS);
    await user.keyboard('{Enter}');
    expect(sent()).toHaveLength(2);
  });

  it('of the opponent are shown beside their card and read out, for a moment', async () => {
    useFakeTimers();
    const { socket } = await openGame();
    reactTo(socket, bob.userId, 'thinking');
    expect(screen.getAllByText('Thinking')).toHaveLength(2);
    expect(isRead('bob: Thinking.')).toBe(true);
    reactTo(socket, bob.userId, 'wow', 'another');
    reactTo(socket, bob.userId, 'a word of a newer server');
    expect(isRead('bob: Thinking.')).toBe(true);
    await passTime(REACTION_SHOWN_MS);
    expect(screen.getAllByText('Thinking')).toHaveLength(1);
    expect(isRead('bob: Thinking.')).toBe(false);
  });

  it('are muted with one press in this browser, and unmuted with another', async () => {
    const { user, socket, unmount } = await openGame();
    const mute = () => bar().getByRole('switch', { name: 'Mute reactions' });
    await user.click(mute());
    expect(mute()).toBeChecked();
    expect(mute()).toHaveTextContent('Muted');
    reactTo(socket, bob.userId, 'oops');
    expect(screen.getAllByText('Oops')).toHaveLength(1);
    // One's own are shown.
    reactTo(socket, ada.userId, 'wow');
    expect(screen.getAllByText('Wow')).toHaveLength(2);
    unmount();
    const again = await openGame();
    expect(mute()).toBeChecked();
    await again.user.click(mute());
    reactTo(again.socket, bob.userId, 'oops');
    expect(screen.getAllByText('Oops')).toHaveLength(2);
  });

  it('are seen by who watches, who can mute but not react', async () => {
    const players = state.players.map((player) =>
      player.userId === ada.userId ? { ...player, userId: 'c', username: 'carl', displayName: 'Carl' } : player,
    );
    const { socket } = await openGame(`/app/game/${gameId}?watch=true`, players);
    expect(bar().queryAllByRole('button')).toEqual([]);
    expect(bar().getByRole('switch', { name: 'Mute reactions' })).toBeEnabled();
    reactTo(socket, bob.userId, 'wellPlayed');
    expect(screen.getByText('Well played')).toBeInTheDocument();
    expect(isRead('bob: Well played.')).toBe(true);
  });

  it('are no longer offered once the server takes none', async () => {
    const { user, socket } = await openGame();
    await user.click(bar().getByRole('button', { name: 'Thanks' }));
    const { id } = socket.sent.at(-1) ?? {};
    const refusal = { succeeded: false, errorCode: 'game-over', errorMessage: 'The game is over.' };
    act(() => socket.receive('ack', refusal, id));
    await waitFor(() => expect(bar().queryAllByRole('button')).toEqual([]));
  });
});

describe('who watches', () => {
  it('is told to players under the title', async () => {
    const { socket } = await openGame();
    expect(screen.queryByText(/watching/)).not.toBeInTheDocument();
    act(() => socket.receive('watchersChanged', { gameId, watchers: 1 }));
    expect(screen.getByText('1 watching')).toBeVisible();
    act(() => socket.receive('watchersChanged', { gameId: 'another', watchers: 5 }));
    act(() => socket.receive('watchersChanged', { gameId, watchers: 0 }));
    expect(screen.queryByText(/watching/)).not.toBeInTheDocument();
  });

  it('comes with the game for a page that missed who came', async () => {
    await openGame(undefined, undefined, { watchers: 2 });
    expect(screen.getByText('2 watching')).toBeVisible();
  });
});

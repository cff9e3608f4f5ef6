import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EndReason, EventState } from '@/api/events';
import type { GameEnd, GameState } from '@/realtime/protocol';
import { FakeSocket } from '@/testing/FakeSocket';
import { passTime, useFakeTimers } from '@/testing/fakeTimers';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, bob, failure, server, signedInAsAda, someEvent, wholePage } from '@/testing/server';
import { POST_GAME_REDIRECT_MS } from './usePostGameRedirect';

const gameId = '10000000-0000-4000-8000-000000000002';
const ROOM = '/app/game/event/e1';
const NEXT = `${ROOM}?fromGame=true`;
const PAGE = '/app/events/view/e1';
const empty = [
  ['', '', ''],
  ['', '', ''],
  ['', '', ''],
];

const almostFull = [
  ['X', 'O', 'X'],
  ['X', 'O', 'O'],
  ['', '', ''],
];

function state(over: Partial<GameState> = {}): GameState {
  return {
    gameId,
    board: empty,
    players: [
      { userId: ada.userId, username: 'ada', displayName: 'ada', symbol: 'X', connected: true, timeUsedMs: 0 },
      { ...bob, symbol: 'O', connected: true, timeUsedMs: 0 },
    ],
    currentTurn: ada.userId,
    isDraw: false,
    boardSize: 3,
    drawCount: 0,
    status: 'active',
    gameType: 'event',
    clock: 'turn15',
    eventId: 'e1',
    level: 2,
    initiatorUserId: ada.userId,
    notify: true,
    version: 4,
    serverTime: Date.now(),
    turnDeadline: Date.now() + 15_000,
    moves: [],
    createdAt: '2026-01-01T00:00:00Z',
    ...over,
  };
}

/** The event, and Ada's place in it, according to the server. */
let eventState: EventState;
let isEliminated: boolean;
let decidedBy: string | undefined;

function end(winner: string, reason: EndReason = 'line'): GameEnd {
  const loser = winner === ada.userId ? bob.userId : ada.userId;
  return {
    gameId,
    reason,
    winner: winner === ada.userId ? 'X' : 'O',
    winnerUserId: winner,
    isDraw: false,
    forfeit: reason !== 'line',
    ...(reason === 'line' ? {} : { forfeiter: loser }),
    message: '',
    gameType: 'event',
    eventId: 'e1',
    tournamentResult: { winner: { userId: winner }, loser: { userId: loser, isEliminated: false } },
    version: 5,
  };
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  eventState = 'started';
  isEliminated = false;
  decidedBy = undefined;
  const calls = [
    actions('event', {
      get_event_by_id: () =>
        answer({ event: someEvent({ eventState, ...(decidedBy === undefined ? {} : { decidedBy }) }) as never }),
    }),
    actions('eventSignUp', { get_user_sign_up_status: () => answer({ isSignedUp: true }) }),
    actions('player', { check_player_for_event: () => answer({ isEliminated }) }),
    actions('game', {
      get_games_by_user: () => answer({ games: [] }),
      spectatable_games: () => answer({ games: [], pagination: wholePage }),
    }),
  ];
  server.use(...signedInAsAda, ...calls.flatMap(({ handlers }) => handlers));
});

async function openGame(
  gameState: GameState = state(),
  { message, query = '' }: { message?: string; query?: string } = {},
) {
  const app = renderApp(`/app/game/${gameId}${query}`);
  expect(await screen.findByText('Connecting to Game Server...')).toBeInTheDocument();
  const socket = FakeSocket.last;
  socket.open();
  const frame = query === '' ? 'joinGame' : 'spectateGame';
  await waitFor(() => expect(socket.sent).toContainEqual(expect.objectContaining({ event: frame })));
  act(() => socket.receive('gameJoined', { gameId, success: true, gameState, message }));
  await screen.findByRole('grid');
  const where = () => app.router.state.location.pathname + app.router.state.location.search;
  return { ...app, where, socket };
}

describe('the end of an event game', () => {
  beforeEach(useFakeTimers);

  it('redirects after 3 s', () => {
    expect(POST_GAME_REDIRECT_MS).toBe(3_000);
  });

  it.each<[string, string, EndReason, string]>([
    ['the winner to the next match', ada.userId, 'line', NEXT],
    ['who won because the other stayed away to the next match', ada.userId, 'noShow', NEXT],
    ['a loser to the next match', bob.userId, 'line', NEXT],
    ['who was not there to the room, which waits for a word', bob.userId, 'timeout', ROOM],
  ])('redirects %s', async (_name, winner, reason, target) => {
    const { socket, where } = await openGame();
    const before = where();
    act(() => socket.receive('gameEnd', end(winner, reason)));
    expect(await screen.findByText(/Going to the next match…|Back to the event room…/)).toBeInTheDocument();
    await passTime(POST_GAME_REDIRECT_MS - 900);
    expect(where()).toBe(before);
    await passTime(900);
    await waitFor(() => expect(where()).toBe(target));
  });

  it.each<[string, () => void]>([
    ['who is eliminated', () => (isEliminated = true)],
    ['everybody of an event that has ended', () => (eventState = 'ended')],
    ['everybody of an event that was cancelled', () => (eventState = 'cancelled')],
  ])('redirects %s to the event, also the winner', async (_name, happen) => {
    const { socket, where } = await openGame();
    happen();
    act(() => socket.receive('gameEnd', end(ada.userId, 'time')));
    expect(await screen.findByText('Back to the event…')).toBeInTheDocument();
    await passTime(POST_GAME_REDIRECT_MS);
    await waitFor(() => expect(where()).toBe(PAGE));
  });

  it('redirects a player who missed it and returns to a finished game like one who saw it', async () => {
    const over = state({ status: 'completed', reason: 'line', winner: 'O', winnerUserId: bob.userId, version: 9 });
    const { where } = await openGame(over);
    expect(await screen.findByRole('heading', { name: 'bob Won!' })).toBeInTheDocument();
    await passTime(POST_GAME_REDIRECT_MS);
    await waitFor(() => expect(where()).toBe(NEXT));
  });

  it('redirects a player whose connection was lost, after the next connection', async () => {
    const { where } = await openGame();
    eventState = 'ended';
    FakeSocket.last.close();
    await waitFor(() => expect(FakeSocket.all).toHaveLength(2), { timeout: 3_000 });
    const { last } = FakeSocket;
    last.open();
    await waitFor(() => expect(last.sent).toContainEqual(expect.objectContaining({ event: 'joinGame' })));
    const gameState = state({ status: 'completed', reason: 'time', winnerUserId: ada.userId, version: 9 });
    act(() => last.receive('gameJoined', { gameId, success: true, gameState }));
    expect(await screen.findByRole('heading', { name: 'You Won!' })).toBeInTheDocument();
    await passTime(POST_GAME_REDIRECT_MS);
    await waitFor(() => expect(where()).toBe(PAGE));
  });

  it('redirects only once the network is back', async () => {
    const { socket, where } = await openGame();
    const before = where();
    server.use(http.get('*/api/backend/event', () => HttpResponse.error()));
    act(() => socket.receive('gameEnd', end(ada.userId)));
    expect(await screen.findByRole('link', { name: 'Back to the event' })).toBeInTheDocument();
    await passTime(POST_GAME_REDIRECT_MS + 500);
    expect(where()).toBe(before);
    server.use(...actions('event', { get_event_by_id: () => answer({ event: someEvent() as never }) }).handlers);
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(where()).toBe(NEXT), { timeout: 3_000 });
  });

  it('redirects to the event when the server cannot give the state', async () => {
    const { socket, where } = await openGame();
    server.use(...actions('event', { get_event_by_id: () => failure(500) }).handlers);
    act(() => socket.receive('gameEnd', end(ada.userId)));
    await passTime(POST_GAME_REDIRECT_MS);
    await waitFor(() => expect(where()).toBe(PAGE));
  });

  it('redirects straight to the next game when that is found first', async () => {
    const { socket, where } = await openGame();
    act(() => socket.receive('gameEnd', end(ada.userId, 'noShow')));
    await screen.findByRole('heading', { name: 'You Won!' });
    const found = { eventId: 'e1', gameId: 'g7', opponent: { ...bob, level: 2 }, redirectInMs: 2_000 };
    act(() => socket.receive('playerFound', found));
    await waitFor(() => expect(where()).toBe('/app/game/g7'));
  });

  it('has texts for both players after a forfeit', async () => {
    const { socket } = await openGame();
    act(() => socket.receive('gameEnd', end(ada.userId, 'timeout')));
    expect(await screen.findByText('bob ran out of time.')).toBeInTheDocument();
  });

  it('does not redirect watchers, but offers a link back', async () => {
    const players = state().players.map((player) =>
      player.userId === ada.userId ? { ...player, userId: 'c', username: 'carl', displayName: 'carl' } : player,
    );
    const { socket, where, user } = await openGame(state({ players, currentTurn: 'c' }), { query: '?watch=true' });
    expect(screen.getByRole('heading', { name: 'Watching a game' })).toBeInTheDocument();
    // Both by name: for a watcher nobody is the opponent.
    for (const text of ['carl', 'bob', 'Plays X', ', to move', 'Plays O']) expect(screen.getByText(text)).toBeVisible();
    expect(screen.queryByText(/Opponent/)).not.toBeInTheDocument();
    act(() => socket.receive('gameEnd', end(bob.userId)));
    expect(await screen.findByRole('heading', { name: 'bob Won!' })).toBeInTheDocument();
    await passTime(POST_GAME_REDIRECT_MS + 300);
    expect(where()).toBe(`/app/game/${gameId}?watch=true`);
    expect(screen.getByRole('link', { name: 'Back to the event' })).toHaveAttribute('href', '/app/events/view/e1');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(where()).toBe('/app/events/view/e1'));
  });

  it('that was called off shows the reason, and redirects to the event', async () => {
    const { socket, where } = await openGame();
    const message = 'bob declined the game.';
    act(() => socket.receive('gameCancelled', { gameId, success: true, message, reason: 'declined' }));
    expect(await screen.findByRole('dialog', { name: 'Game Cancelled' })).toHaveTextContent(message);
    await passTime(POST_GAME_REDIRECT_MS);
    await waitFor(() => expect(where()).toBe('/app/events/view/e1'));
  });
});

describe('an event game', () => {
  it('can be played by its player even from the link to watch it', async () => {
    const { socket, user } = await openGame(state(), { query: '?watch=true' });
    await waitFor(() =>
      expect(socket.sent).toContainEqual(
        expect.objectContaining({ event: 'joinGame', data: { gameId, userId: ada.userId } }),
      ),
    );
    expect(screen.queryByRole('heading', { name: 'Watching a game' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('gridcell', { name: /^Row 1, column 1,/ }));
    expect(socket.sent).toContainEqual(expect.objectContaining({ event: 'makeMove' }));
  });

  it('continues with a new round after a draw, on the board that the server sends', async () => {
    const { socket } = await openGame(state({ drawCount: 1 }));
    const board = Array.from({ length: 4 }, () => ['', '', '', '']);
    act(() =>
      socket.receive('gameDraw', {
        gameId,
        message: '',
        version: 6,
        newGameState: state({ drawCount: 2, version: 6, boardSize: 4, board, currentTurn: bob.userId }),
      }),
    );
    const notice = 'Round 2 ended in a draw. Starting new round...';
    // It stands beside whose turn it is, also for screen readers.
    expect(await screen.findByText(notice)).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 2, name: "bob's turn" })).toBeInTheDocument();
    const spoken = screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(spoken).toContain(`${notice} bob's turn`);
    expect(screen.getAllByRole('gridcell')).toHaveLength(16);
    expect(screen.getByRole('heading', { name: /^Round 3/ })).toHaveTextContent('4×4, 4 in a row, level 2');
  });

  it.each<[string, Partial<GameState>, RegExp[]]>([
    ['a draw, once it is near', { board: almostFull }, [/^Round 1: if it is a draw, a new round begins/]],
    [
      'a larger board, after every second draw',
      { drawCount: 1 },
      [/^Round 2: if it is a draw, the board grows to 4×4\.$/, /^Time used: you 0:34, bob 1:05\.$/],
    ],
    ['the time used, after the fifth', { drawCount: 4 }, [/^Round 5, the last one: .* whoever used less time wins\.$/]],
  ])('says beforehand what decides it: %s', async (_what, over, texts) => {
    const [own, other] = state().players.map((player, seat) => ({
      ...player,
      timeUsedMs: seat === 0 ? 34_900 : 65_000,
    }));
    await openGame(state({ ...over, players: [own, other].filter((player) => player !== undefined) }));
    for (const text of texts) expect(screen.getByText(text)).toBeInTheDocument();
  });

  it('says nothing of draws while they are far', async () => {
    await openGame();
    expect(screen.queryByText(/if it is a draw|^Time used/)).not.toBeInTheDocument();
  });

  it('counts down to the decision when its event is over, also on a page that missed the end', async () => {
    eventState = 'ended';
    decidedBy = new Date(Date.now() + 45_000).toISOString();
    await openGame();
    expect(await screen.findByText(/^The event is over\. Unless somebody wins within 4\d s/)).toBeInTheDocument();
    expect(screen.getByText(/^Time used: you 0:00, bob 0:00\.$/)).toBeInTheDocument();
  });

  it('waits for an opponent who may not come', async () => {
    const waiting = state({ status: 'waiting' });
    await openGame(waiting, { message: 'Waiting for Opponent' });
    expect(screen.getByRole('heading', { name: 'Waiting for Opponent' })).toBeInTheDocument();
    expect(screen.getByText(/bob is joining/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Cancel Invitation' })).not.toBeInTheDocument();
  });

  it('makes the browser ask before the tab is closed', async () => {
    const { socket } = await openGame();
    const closing = () => fireEvent(window, new Event('beforeunload', { cancelable: true }));
    expect(closing()).toBe(false);
    act(() => socket.receive('gameEnd', end(ada.userId)));
    await screen.findByRole('heading', { name: 'You Won!' });
    expect(closing()).toBe(true);
  });

  it('that is forfeited redirects to the event', async () => {
    const { socket, user, where } = await openGame();
    await user.click(screen.getByRole('button', { name: 'Forfeit and close' }));
    await user.click(await screen.findByRole('button', { name: 'Forfeit' }));
    const asked = socket.sent.find(({ event }) => event === 'forfeitGame');
    act(() => socket.receive('ack', { succeeded: true }, asked?.id));
    await waitFor(() => expect(where()).toBe('/app/events/view/e1'));
  });
});

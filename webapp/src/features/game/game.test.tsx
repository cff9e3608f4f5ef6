import { HttpResponse } from 'msw';
import { notifications } from '@mantine/notifications';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { GameState } from '@/realtime/protocol';
import { log } from '@/shared/log';
import { FakeSocket } from '@/testing/FakeSocket';
import { passTime, useFakeTimers } from '@/testing/fakeTimers';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, bob, gameWithBob, server, signedInAsAda, visitor } from '@/testing/server';
import { CRITICAL_SECONDS, TURN_SECONDS, urgency, WARNING_SECONDS } from './TimerRing';

const gameId = '10000000-0000-4000-8000-000000000001';
const state: GameState = {
  gameId,
  board: [
    ['X', 'O', ''],
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
const over: GameState = { ...state, status: 'completed', winner: 'X', winnerUserId: ada.userId };

let play: ReturnType<typeof actions>;
/** The next game according to the server. */
let offer: Pick<GameState, 'nextGameId' | 'nextGameBy'>;

beforeEach(() => {
  notifications.clean();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  offer = {};
  play = actions('game', {
    get_games_by_user: () => answer({ games: [] }),
    play_again: () => answer({ game: { gameId: 'next', initiatorUserId: ada.userId } }),
    get_game: () => answer({ game: { ...state, status: 'completed', ...offer } as never }),
    cancel_game: () => answer({}),
    claim_win: () => answer({}),
    claim_seat: () => answer({}),
  });
  server.use(...signedInAsAda, ...play.handlers);
});

async function openGame(gameState: GameState = state, message?: string) {
  const app = renderApp(`/app/game/${gameId}`);
  expect(await screen.findByText('Connecting to Game Server...')).toBeInTheDocument();
  const socket = FakeSocket.last;
  socket.open();
  await waitFor(() => expect(socket.sent).toContainEqual(expect.objectContaining({ event: 'joinGame' })));
  // The server's time as of now, however long the tests before took.
  const current = { ...gameState, serverTime: Date.now() };
  socket.receive('gameJoined', { gameId, success: true, gameState: current, message });
  await screen.findByRole('grid');
  return { ...app, socket };
}

/** The server's answer to `playAgain`. */
function joinsNext(socket: FakeSocket) {
  const sent = socket.sent.find(({ event }) => event === 'playAgain');
  expect(sent?.data).toEqual({ gameId });
  const gameState: GameState = { ...state, gameId: 'next', status: 'waiting' };
  socket.receive('gameJoined', { gameId: 'next', success: true, gameState, previousGameId: gameId });
  socket.receive('ack', { succeeded: true }, sent?.id);
}

/** The longest time until it reconnects by itself. */
function longestWait() {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1);
  onTestFinished(() => random.mockRestore());
}

const cell = (row: number, col: number) =>
  screen.getByRole('gridcell', { name: new RegExp(`Row ${row}, column ${col}`) });

describe('the live game page', () => {
  it('joins with the user’s id, and leaves the room when the page is left', async () => {
    const { socket, router, user, at } = await openGame();
    expect(socket.sent.find(({ event }) => event === 'joinGame')?.data).toEqual({ gameId, userId: ada.userId });
    await router.navigate('/app/home');
    const dialog = await screen.findByRole('dialog', { name: 'Leave this game?' });
    await user.click(within(dialog).getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(at()).toBe('/app/home'));
    const left = { event: 'leaveGameRoom', data: { gameId, userId: ada.userId } };
    await waitFor(() => expect(socket.sent).toContainEqual(left));
  });

  it('shows a move at once, sends it with its version, and takes it back when it is rejected', async () => {
    const told = vi.fn();
    onTestFinished(log.listen(told));
    const { user, socket } = await openGame();
    await user.click(cell(2, 2));
    expect(cell(2, 2)).toHaveAccessibleName('Row 2, column 2, X');
    const sent = socket.sent.find(({ event }) => event === 'makeMove');
    expect(sent?.data).toEqual({ gameId, userId: ada.userId, row: 1, col: 1, version: 4 });
    socket.receive('moveRejected', { gameId, error: 'Not your turn', errorCode: 'not-your-turn', row: 1, col: 1 });
    await waitFor(() => expect(cell(2, 2)).toHaveAccessibleName('Row 2, column 2, empty'));
    expect(console.warn).toHaveBeenCalledWith('Move rejected', 'Not your turn');
    expect(told).not.toHaveBeenCalled();
  });

  it('joins again with its last version when an update is missing', async () => {
    const { socket } = await openGame();
    socket.receive('moveUpdate', {
      gameId,
      ...bob,
      symbol: 'O',
      row: 2,
      col: 2,
      board: state.board,
      isDraw: false,
      gameStatus: 'active',
      version: 9,
      serverTime: 0,
    });
    await waitFor(() =>
      expect(socket.sent.at(-1)).toMatchObject({ event: 'joinGame', data: { gameId, lastVersion: 4 } }),
    );
  });

  it('sends a move again after a reconnection', async () => {
    const { user, socket } = await openGame();
    await user.click(cell(2, 2));
    socket.close();
    await waitFor(() => expect(FakeSocket.all).toHaveLength(2), { timeout: 3_000 });
    FakeSocket.last.open();
    await waitFor(() =>
      expect(FakeSocket.last.sent).toContainEqual(
        expect.objectContaining({ event: 'makeMove', data: expect.objectContaining({ version: 4 }) as unknown }),
      ),
    );
  });

  describe('on a connection that died silently', () => {
    const movesOf = (socket: FakeSocket) => socket.sent.filter(({ event }) => event === 'makeMove');
    const turn = (name: string) => screen.findByRole('heading', { level: 2, name });

    beforeEach(useFakeTimers);

    /** A move that nobody answers, for longer than a living connection takes. */
    async function playUnanswered() {
      vi.spyOn(Math, 'random').mockReturnValue(1);
      const app = await openGame();
      await app.user.click(cell(2, 2));
      await passTime(750);
      expect(await turn('Your turn')).toBeInTheDocument();
      await passTime(500);
      return app;
    }

    it('says so after 1 s, keeps one’s own turn, and sends the move again over a new one', async () => {
      const { socket, user } = await playUnanswered();
      expect(await turn('Sending…')).toBeInTheDocument();
      expect(cell(2, 2)).toHaveAccessibleName('Row 2, column 2, X, sending');
      expect(screen.getByRole('img', { name: 'plays X' }).parentElement?.querySelector('svg > circle')).not.toBeNull();
      await user.click(cell(3, 3));
      await passTime(1_750);
      expect(FakeSocket.all).toHaveLength(2);
      expect(screen.getByText(/Reconnecting…/)).toBeInTheDocument();
      const next = FakeSocket.last;
      act(() => next.open());
      await waitFor(() => expect(movesOf(next)).toHaveLength(1));
      expect([movesOf(socket), movesOf(next)].map(([sent]) => sent?.data)).toEqual(
        Array(2).fill({ gameId, userId: ada.userId, row: 1, col: 1, version: 4 }),
      );
      const board = [
        ['X', 'O', ''],
        ['', 'X', ''],
        ['', '', ''],
      ];
      const moved = { gameId, userId: ada.userId, symbol: 'X', row: 1, col: 1, board, nextTurn: bob.userId };
      act(() => {
        next.receive('moveUpdate', { ...moved, isDraw: false, gameStatus: 'active', version: 5, serverTime: 0 });
        next.receive('ack', { succeeded: true }, movesOf(next)[0]?.id);
      });
      expect(await turn("bob's turn")).toBeInTheDocument();
      expect(cell(2, 2)).toHaveAccessibleName('Row 2, column 2, X');
      expect(movesOf(next)).toHaveLength(1);
    });

    it('shows what became of a move whose answer alone was lost', async () => {
      await playUnanswered();
      await passTime(1_750);
      const next = FakeSocket.last;
      act(() => next.open());
      await waitFor(() => expect(movesOf(next)).toHaveLength(1));
      const refused = { succeeded: false, errorCode: 'stale-version', errorMessage: 'The board has changed since.' };
      act(() => next.receive('ack', refused, movesOf(next)[0]?.id));
      await waitFor(() => expect(next.sent.at(-1)).toMatchObject({ event: 'joinGame', data: { lastVersion: 4 } }));
      const board = [
        ['X', 'O', ''],
        ['', 'X', ''],
        ['', '', ''],
      ];
      const played = { board, version: 5, currentTurn: bob.userId, moves: [{ row: 1, col: 1, symbol: 'X', at: 1 }] };
      act(() => next.receive('gameJoined', { gameId, success: true, gameState: { ...state, ...played } }));
      expect(await turn("bob's turn")).toBeInTheDocument();
      expect(cell(2, 2)).toHaveAccessibleName('Row 2, column 2, X');
    });
  });

  it('draws the ring around the mark of the player on the move', async () => {
    await openGame();
    const around = (mark: string) => screen.getByRole('img', { name: `plays ${mark}` }).parentElement;
    expect(around('X')?.querySelector(':scope > svg > circle')).not.toBeNull();
    expect(around('O')?.querySelector(':scope > svg > circle')).toBeNull();
  });

  it('loads when "Try now" is pressed after the first connection failed', async () => {
    useFakeTimers();
    const { user } = renderApp(`/app/game/${gameId}`);
    await passTime(3_000);
    const again = await screen.findByRole('button', { name: 'Try now' });
    longestWait();
    FakeSocket.last.close();
    expect(FakeSocket.all).toHaveLength(1);
    await user.click(again);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.open();
    await waitFor(() => expect(FakeSocket.last.sent.at(-1)).toMatchObject({ event: 'joinGame' }));
    FakeSocket.last.receive('gameJoined', { gameId, success: true, gameState: state });
    expect(await screen.findByRole('grid')).toBeInTheDocument();
  });

  it('continues when "Try now" is pressed after the connection was lost', async () => {
    const { user, socket } = await openGame();
    longestWait();
    socket.close();
    await user.click(await screen.findByRole('button', { name: 'Try now' }));
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.open();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Try now' })).not.toBeInTheDocument());
  });

  it('asks before forfeiting', async () => {
    const { user, socket, at } = await openGame();
    await user.click(screen.getByRole('button', { name: 'Forfeit and close' }));
    const dialog = await screen.findByRole('dialog', { name: 'Confirm Forfeit' });
    expect(dialog).toHaveTextContent('Are you sure you want to forfeit this game? This action cannot be undone.');
    const forfeit = within(dialog).getByRole('button', { name: 'Forfeit' });
    expect(forfeit).toHaveAttribute('data-variant', 'danger');
    expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveAttribute('data-variant', 'default');
    await user.click(forfeit);
    const sent = socket.sent.at(-1);
    expect(sent).toMatchObject({ event: 'forfeitGame', data: { gameId, userId: ada.userId } });
    socket.receive('ack', { succeeded: true }, sent?.id);
    await waitFor(() => expect(at()).toBe('/app/practice'));
  });

  it('shows the server’s message when the game is cancelled', async () => {
    const { user, socket, at } = await openGame();
    const message = 'bob cancelled the invitation.';
    socket.receive('gameCancelled', { gameId, success: true, message, reason: 'withdrawn', userId: bob.userId });
    const dialog = await screen.findByRole('dialog', { name: 'Game Cancelled' });
    expect(dialog).toHaveTextContent(message);
    await user.click(within(dialog).getByRole('button', { name: 'OK' }));
    await waitFor(() => expect(at()).toBe('/app/practice'));
  });

  it('counts down while the opponent is away and shows when they return', async () => {
    const { socket } = await openGame();
    socket.receive('opponentDisconnected', { gameId, userId: bob.userId, countdown: 60 });
    // In one's own turn nothing is counted.
    expect(await screen.findByText('Opponent disconnected. Waiting for reconnection...')).toBeInTheDocument();
    const absentUntil = Date.now() + 60_000;
    socket.receive('opponentDisconnected', { gameId, userId: bob.userId, countdown: 60, absentUntil });
    expect(
      await screen.findByText(/^Opponent disconnected\. Waiting for reconnection\.\.\. \((60|5\d)s\)$/),
    ).toBeVisible();
    socket.receive('opponentReconnected', { gameId, userId: bob.userId });
    await waitFor(() => expect(screen.queryByText(/Opponent disconnected/)).not.toBeInTheDocument());
  });

  it('offers to claim the win after the countdown, or to keep waiting', async () => {
    const { user, socket } = await openGame();
    socket.receive('opponentDisconnected', { gameId, userId: bob.userId, countdown: 0, absentUntil: Date.now() });
    await user.click(await screen.findByRole('button', { name: 'Keep waiting' }));
    await user.click(screen.getByRole('button', { name: 'Claim win' }));
    await waitFor(() => expect(play.calls).toContainEqual({ action: 'claim_win', payload: { gameId } }));
  });

  it('ends with Play Again, by which the server makes and joins the next game', async () => {
    const { user, socket, at } = await openGame();
    socket.receive('gameEnd', {
      gameId,
      reason: 'forfeit',
      winner: 'X',
      winnerUserId: ada.userId,
      isDraw: false,
      forfeit: true,
      forfeiter: bob.userId,
      message: 'Opponent forfeited. You win!',
      gameType: 'invite',
      eventId: `remote-${gameId}`,
      version: 5,
    });
    expect(await screen.findByRole('heading', { name: 'You Won!' })).toBeInTheDocument();
    expect(screen.getByText('Opponent forfeited. You win!')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See why' })).toHaveAttribute('href', `/app/game/${gameId}/replay`);
    await user.click(screen.getByRole('button', { name: 'Play Again' }));
    joinsNext(socket);
    await waitFor(() => expect(at()).toBe('/app/game/next'));
    expect(play.calls.map(({ action }) => action)).not.toContain('play_again');
  });

  it('asks for the next game by a call while there is no connection', async () => {
    const { user, socket, at } = await openGame(over);
    const again = await screen.findByRole('button', { name: 'Play Again' });
    longestWait();
    socket.close();
    await user.click(again);
    await waitFor(() => expect(at()).toBe('/app/game/next'));
    expect(play.calls).toContainEqual({ action: 'play_again', payload: { gameId } });
  });

  it('says why there is no next game', async () => {
    const { user, socket, at } = await openGame(over);
    await user.click(await screen.findByRole('button', { name: 'Play Again' }));
    const sent = socket.sent.find(({ event }) => event === 'playAgain');
    const refused = { succeeded: false, errorCode: 'too-many-games', errorMessage: 'You have too many games open.' };
    socket.receive('ack', refused, sent?.id);
    expect(await screen.findByText('You have too many games open.')).toBeInTheDocument();
    expect(at()).toBe(`/app/game/${gameId}`);
    expect(play.calls.map(({ action }) => action)).not.toContain('play_again');
  });

  it('handles an invitation that arrives at the very end of a game without errors', async () => {
    const told = vi.fn();
    onTestFinished(log.listen(told));
    window.addEventListener('error', told);
    window.addEventListener('unhandledrejection', told);
    onTestFinished(() => {
      window.removeEventListener('error', told);
      window.removeEventListener('unhandledrejection', told);
    });
    const { socket } = await openGame();
    const invite = (of: string) => socket.receive('gameInvitation', { game: gameWithBob({ gameId: of }), from: bob });
    socket.receive('gameJoined', { gameId, success: true, gameState: over });
    invite(gameId);
    invite('next');
    expect(await screen.findByRole('heading', { name: 'You Won!' })).toBeInTheDocument();
    invite(gameId);
    expect(await screen.findByRole('button', { name: 'Play Again' })).toBeInTheDocument();
    expect(told).not.toHaveBeenCalled();
    // On a busy machine the store's development checks report how long they took.
    const isSlowness = ([text]: unknown[]) => /Middleware took \d+ms/.test(String(text));
    expect(vi.mocked(console.warn).mock.calls.filter((call) => !isSlowness(call))).toEqual([]);
  });

  it('shows the opponent’s offer to play again until it is withdrawn, and can decline it', async () => {
    const { user, socket } = await openGame(over);
    expect(await screen.findByText('Congratulations!')).toBeInTheDocument();
    offer = { nextGameId: 'next', nextGameBy: bob.userId };
    socket.receive('gameInvitation', { game: gameWithBob({ gameId: 'next' }), from: bob });
    expect(await screen.findByText('bob wants to play again!')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Decline' }));
    const declined = { action: 'cancel_game', payload: { gameId: 'next', userId: ada.userId } };
    await waitFor(() => expect(play.calls).toContainEqual(declined));
    offer = {};
    socket.receive('gameCancelled', { gameId: 'next', success: true, message: '', reason: 'withdrawn' });
    await waitFor(() => expect(screen.queryByText('bob wants to play again!')).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: 'Play Again' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Decline' })).not.toBeInTheDocument();
  });

  it('shows an offer and its answer at once, as the frame tells it', async () => {
    const { user, socket, at } = await openGame(over);
    const tell = (state: string, offeredBy: string) =>
      socket.receive('rematchOffer', { gameId, nextGameId: 'next', offeredBy, state });
    await screen.findByText('Congratulations!');
    // Made in another tab of Ada.
    tell('offered', ada.userId);
    expect(await screen.findByText('bob has not answered yet.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Open the game' })).toHaveAttribute('href', '/app/game/next');
    expect(screen.getByRole('button', { name: 'Cancel Invitation' })).toBeInTheDocument();
    tell('declined', ada.userId);
    expect(await screen.findByText('bob does not want to play again.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Play Again' })).toBeInTheDocument();
    tell('offered', bob.userId);
    expect(await screen.findByText('bob wants to play again!')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Decline' })).toBeInTheDocument();
    tell('withdrawn', bob.userId);
    expect(await screen.findByText('bob withdrew the offer.')).toBeInTheDocument();
    tell('expired', bob.userId);
    expect(await screen.findByText('The offer has expired.')).toBeInTheDocument();
    tell('accepted', bob.userId);
    expect(await screen.findByRole('link', { name: 'Go to the next game' })).toHaveAttribute('href', '/app/game/next');
    tell('offered', bob.userId);
    await user.click(await screen.findByRole('button', { name: 'Accept' }));
    joinsNext(socket);
    await waitFor(() => expect(at()).toBe('/app/game/next'));
  });

  it('shows an offer that was made while the page was closed', async () => {
    offer = { nextGameId: 'next', nextGameBy: bob.userId };
    await openGame({ ...state, status: 'completed', isDraw: true });
    expect(await screen.findByText('bob wants to play again!')).toBeInTheDocument();
  });

  it('always shows whose turn it is with a name', async () => {
    const { currentTurn, ...between } = state;
    await openGame(between);
    expect(currentTurn).toBe(ada.userId);
    expect(screen.getByRole('heading', { name: 'One moment…' })).toBeInTheDocument();
    expect(screen.queryByText(/^'s turn/)).not.toBeInTheDocument();
  });

  it('lets the invited player decline while the other is away', async () => {
    const waiting: GameState = { ...state, status: 'waiting', initiatorUserId: bob.userId };
    const { user } = await openGame(waiting, 'Waiting for Opponent');
    expect(screen.getByText(/^bob invited you, but is away/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Decline' }));
    const declined = { action: 'cancel_game', payload: { gameId, userId: ada.userId } };
    await waitFor(() => expect(play.calls).toContainEqual(declined));
  });

  it('offers the invite link while a seat is open', async () => {
    const only = state.players.slice(0, 1);
    const waiting: GameState = { ...state, status: 'waiting', players: only, inviteToken: 'tok' };
    await openGame(waiting, 'Waiting for opponent');
    expect(screen.getByRole('heading', { name: 'Waiting for Opponent' })).toBeInTheDocument();
    expect(screen.getByLabelText('Invite link')).toHaveValue(`${window.location.origin}/app/game/${gameId}?invite=tok`);
    expect(screen.getByRole('button', { name: 'Cancel Invitation' })).toBeInTheDocument();
  });

  it('takes the open seat of an invite link before it joins', async () => {
    const { router } = renderApp(`/app/game/${gameId}?invite=tok`);
    await screen.findByText('Connecting to Game Server...');
    FakeSocket.last.open();
    await waitFor(() =>
      expect(play.calls).toContainEqual({ action: 'claim_seat', payload: { gameId, inviteToken: 'tok' } }),
    );
    await waitFor(() => expect(router.state.location.search).toBe(''));
    await waitFor(() => expect(FakeSocket.last.sent.at(-1)).toMatchObject({ event: 'joinGame' }));
  });

  it.each([
    ['seat-taken', /Somebody else has already taken the seat/],
    ['not-found', /This invitation has expired, or was withdrawn/],
  ])('says what to do when the open seat cannot be had: %s', async (errorCode, text) => {
    const refusal = { succeeded: false, errorMessage: 'Refused.', errorCode, payload: {} };
    play = actions('game', { claim_seat: () => HttpResponse.json(refusal, { status: 409 }) });
    server.use(...play.handlers);
    renderApp(`/app/game/${gameId}?invite=tok`);
    await screen.findByText('Connecting to Game Server...');
    FakeSocket.last.open();
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(screen.getByRole('link', { name: 'Find an opponent' })).toHaveAttribute('href', '/app/play');
    expect(screen.getByRole('link', { name: 'Invite a friend' })).toHaveAttribute('href', '/app/practice/remote');
  });

  it('watches from a player’s address where that is allowed, and says so where not', async () => {
    renderApp(`/app/game/${gameId}`);
    await screen.findByText('Connecting to Game Server...');
    const socket = FakeSocket.last;
    socket.open();
    const idOf = async (event: string) => {
      await waitFor(() => expect(socket.sent.at(-1)).toMatchObject({ event }));
      return socket.sent.at(-1)?.id;
    };
    const refusal = { succeeded: false, errorMessage: 'You are not a player of this game.', errorCode: 'not-a-player' };
    socket.receive('ack', refusal, await idOf('joinGame'));
    socket.receive(
      'ack',
      { ...refusal, errorMessage: 'Game not found.', errorCode: 'not-found' },
      await idOf('spectateGame'),
    );
    expect(await screen.findByRole('alert')).toHaveTextContent('Only the players can see this game.');
    const others = state.players.map((player) => ({ ...player, userId: `${player.userId}-other` }));
    socket.receive('gameJoined', { gameId, success: true, gameState: { ...state, players: others } });
    expect(await screen.findByText('Watching a game')).toBeInTheDocument();
  });

  it('shows why a game cannot be joined', async () => {
    renderApp(`/app/game/${gameId}`);
    await screen.findByText('Connecting to Game Server...');
    FakeSocket.last.open();
    await waitFor(() => expect(FakeSocket.last.sent.at(-1)).toMatchObject({ event: 'joinGame' }));
    FakeSocket.last.receive('gameJoined', { gameId, success: false });
    expect(await screen.findByText('Failed to join game room')).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent('Failed to join game');
  });

  it('sends visitors to the sign-in first', async () => {
    server.use(...visitor);
    const { at } = renderApp(`/app/game/${gameId}`);
    await waitFor(() => expect(at()).toBe('/login'));
    expect(FakeSocket.all).toHaveLength(0);
  });
});

describe('the turn timer', () => {
  it('has 15 s, warns at 10 and is critical at 5', () => {
    expect([TURN_SECONDS, WARNING_SECONDS, CRITICAL_SECONDS]).toEqual([15, 10, 5]);
    expect([11, 10, 6, 5, 0].map(urgency)).toEqual(['calm', 'warning', 'warning', 'critical', 'critical']);
  });

  it('runs in event games, and never forfeits by itself', async () => {
    const { socket } = await openGame({
      ...state,
      gameType: 'event',
      eventId: 'e',
      serverTime: Date.now(),
      turnDeadline: Date.now(),
    });
    expect(screen.getByRole('timer', { name: '0 seconds left' })).toBeInTheDocument();
    expect(socket.sent.map(({ event }) => event)).not.toContain('forfeitGame');
  });

  it('is drawn around the mark of the player to move, which stays visible', async () => {
    const timed: GameState = { ...state, gameType: 'event', eventId: 'e', turnDeadline: Date.now() + 15_000 };
    for (const gameState of [timed, state]) {
      const { unmount } = await openGame(gameState);
      expect(screen.getByRole('img', { name: 'plays X' })).toBeInTheDocument();
      expect(screen.getByRole('img', { name: 'plays O' })).toBeInTheDocument();
      unmount();
    }
  });

  it('is absent in invite games', async () => {
    await openGame();
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
  });
});

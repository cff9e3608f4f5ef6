import { describe, expect, it } from 'vitest';
import type { EndReason } from '@/api/events';
import type { GameEnd, GameState, MoveUpdate } from '@/realtime/protocol';
import {
  pathAfterForfeit,
  eventOf,
  initialLiveGame,
  type LiveGame,
  type LiveGameEvent,
  liveGameReducer,
  type PendingMove,
  outcome,
  shownBoard,
  shownTurn,
} from './liveGame';

const ada = { userId: 'a', username: 'ada', displayName: 'ada', symbol: 'X', connected: true, timeUsedMs: 0 } as const;
const bob = { userId: 'b', username: 'bob', displayName: 'bob', symbol: 'O', connected: true, timeUsedMs: 0 } as const;

const fresh: GameState = {
  gameId: 'g',
  board: [
    ['', '', ''],
    ['', '', ''],
    ['', '', ''],
  ],
  players: [ada, bob],
  currentTurn: 'a',
  isDraw: false,
  boardSize: 3,
  drawCount: 0,
  status: 'active',
  gameType: 'invite',
  clock: 'none',
  eventId: 'remote-g',
  level: 1,
  initiatorUserId: 'a',
  notify: true,
  version: 7,
  serverTime: 10_000,
  moves: [],
  createdAt: '2026-01-01T00:00:00Z',
};

const firstMove: MoveUpdate = {
  gameId: 'g',
  userId: 'a',
  symbol: 'X',
  row: 1,
  col: 1,
  board: [
    ['', '', ''],
    ['', 'X', ''],
    ['', '', ''],
  ],
  nextTurn: 'b',
  isDraw: false,
  gameStatus: 'active',
  version: 8,
  serverTime: 11_000,
};

function end(over: Partial<GameEnd> = {}): GameEnd {
  return {
    gameId: 'g',
    reason: 'forfeit',
    winner: 'X',
    winnerUserId: 'a',
    isDraw: false,
    forfeit: true,
    forfeiter: 'b',
    message: 'Opponent forfeited. You win!',
    gameType: 'invite',
    eventId: 'remote-g',
    version: 8,
    ...over,
  };
}

function run(...events: LiveGameEvent[]): LiveGame {
  return events.reduce(liveGameReducer, initialLiveGame);
}

const join: LiveGameEvent = {
  type: 'joined',
  data: { gameId: 'g', success: true, gameState: fresh },
  userId: 'a',
  now: 9_000,
};

describe('joining', () => {
  it('connects, waits while there is a message, and is ready without one', () => {
    expect(initialLiveGame.phase).toBe('connecting');
    const waiting = { ...fresh, status: 'waiting' as const };
    const data = { gameId: 'g', success: true, message: 'Waiting for opponent', gameState: waiting };
    expect(run({ ...join, data }).phase).toBe('waiting');
    expect(run(join).phase).toBe('ready');
    expect(run({ ...join, data }, { type: 'started', state: fresh, userId: 'a', now: 0 }).phase).toBe('ready');
  });

  it('fails with the server’s message or with Failed to join game', () => {
    const refused = run({ ...join, data: { gameId: 'g', success: false, error: 'Not your game' } });
    expect(refused.error).toEqual({ status: 'Failed to join game room', text: 'Not your game' });
    expect(run({ ...join, data: { gameId: 'g', success: false } }).error?.text).toBe('Failed to join game');
    expect(run(join, { type: 'failed', message: 'Broken' }).error).toEqual({
      status: 'Game error occurred',
      text: 'Broken',
    });
  });

  it('computes how far the server’s clock is ahead', () => {
    expect(run(join).clockOffset).toBe(1_000);
    // A frame that was held up for 5 s does not move a deadline, a clock that was set does.
    const at = (now: number): LiveGameEvent => ({ type: 'moved', data: firstMove, now });
    expect(run(join, at(firstMove.serverTime + 4_000)).clockOffset).toBe(1_000);
    expect(run(join, at(firstMove.serverTime - 1_200)).clockOffset).toBe(1_200);
    expect(run(join, at(firstMove.serverTime + 3_600_000)).clockOffset).toBe(-3_600_000);
  });
});

describe('moves', () => {
  it('are applied in the order of their versions, once', () => {
    const game = run(join, { type: 'moved', data: firstMove, now: 0 }, { type: 'moved', data: firstMove, now: 0 });
    expect(game.state).toMatchObject({ version: 8, currentTurn: 'b', board: firstMove.board });
    expect(game.state?.moves).toHaveLength(1);
  });

  it('with a missing version make the page request the whole state', () => {
    const game = run(join, { type: 'moved', data: { ...firstMove, version: 9 }, now: 0 });
    expect(game.isBehind).toBe(true);
    // The update is shown at once; the version stays the last complete one.
    expect(game.state).toMatchObject({ version: 7, board: firstMove.board, currentTurn: 'b' });
    const whole = { ...fresh, version: 9 };
    expect(liveGameReducer(game, { ...join, data: { gameId: 'g', success: true, gameState: whole } }).isBehind).toBe(
      false,
    );
  });

  it('of the user are shown at once and confirmed by the server', () => {
    const played = run(join, { type: 'played', row: 1, col: 1, userId: 'a' });
    expect(played.pending).toEqual({ row: 1, col: 1, version: 7, ply: 0, round: 0 });
    expect(shownBoard(played, 'a')[1]?.[1]).toBe('X');
    // Nobody else's turn begins before the server says so.
    expect(shownTurn(played)).toBe('a');
    const confirmed = liveGameReducer(played, { type: 'moved', data: firstMove, now: 0 });
    expect(confirmed.pending).toBeNull();
    expect(shownBoard(confirmed, 'a')[1]?.[1]).toBe('X');
  });

  it('that were acknowledged without an update make the page request the state', () => {
    const played = run(join, { type: 'played', row: 1, col: 1, userId: 'a' });
    const accepted: LiveGameEvent = { type: 'accepted', move: played.pending as PendingMove };
    expect(liveGameReducer(played, accepted).isBehind).toBe(true);
    const confirmed = liveGameReducer(played, { type: 'moved', data: firstMove, now: 0 });
    expect(liveGameReducer(confirmed, accepted).isBehind).toBe(false);
  });

  it('are taken back when the server rejects them', () => {
    const game = run(join, { type: 'played', row: 1, col: 1, userId: 'a' }, { type: 'rejected' });
    expect(shownBoard(game, 'a')).toEqual(fresh.board);
    expect(shownTurn(game)).toBe('a');
    // It may have been played by the time it was sent again.
    expect(game.isBehind).toBe(true);
  });

  it.each([
    ['out of turn', { ...fresh, currentTurn: 'b' }],
    ['on a full cell', { ...fresh, board: firstMove.board }],
    ['after the end', { ...fresh, status: 'completed' as const }],
  ])('%s are not made', (_name, gameState) => {
    const game = run(
      { ...join, data: { gameId: 'g', success: true, gameState } },
      { type: 'played', row: 1, col: 1, userId: 'a' },
    );
    expect(game.pending).toBeNull();
  });

  it('sent before a reconnection stay pending until they, or others, are on the board', () => {
    const played = run(join, { type: 'played', row: 0, col: 0, userId: 'a' });
    const again = (over: Partial<GameState>) =>
      liveGameReducer(played, { ...join, data: { gameId: 'g', success: true, gameState: { ...fresh, ...over } } });
    expect(again({ version: 9 }).pending).not.toBeNull();
    expect(again({ version: 9, moves: [{ row: 0, col: 0, symbol: 'X', at: 1 }] }).pending).toBeNull();
    expect(again({ version: 9, drawCount: 1 }).pending).toBeNull();
  });
});

describe('the end', () => {
  const finished = (state: Partial<GameState>): GameState => ({ ...fresh, status: 'completed', ...state });

  const lostBy = (loser: 'a' | 'b', reason: EndReason) =>
    finished({ winnerUserId: loser === 'a' ? 'b' : 'a', forfeiter: loser, reason });

  it.each([
    ['You Won!', 'Congratulations!', finished({ winnerUserId: 'a' })],
    ['bob Won!', 'Better luck next time!', finished({ winnerUserId: 'b' })],
    ['You Won!', 'Opponent forfeited. You win!', lostBy('b', 'forfeit')],
    ['bob Won!', 'You forfeited. Opponent wins!', lostBy('a', 'forfeit')],
    ['You Won!', 'bob ran out of time.', lostBy('b', 'timeout')],
    ['bob Won!', 'You ran out of time.', lostBy('a', 'timeout')],
    ['You Won!', 'bob did not come.', lostBy('b', 'noShow')],
    ['bob Won!', 'You did not come in time.', lostBy('a', 'noShow')],
    ['You Won!', 'bob declined the game.', lostBy('b', 'declined')],
    ['bob Won!', 'You declined the game.', lostBy('a', 'declined')],
    ['You Won!', 'bob was removed.', lostBy('b', 'removed')],
    ['bob Won!', 'You were removed.', lostBy('a', 'removed')],
    ['You Won!', 'bob was away for too long.', lostBy('b', 'disconnect')],
    ['bob Won!', 'You were away for too long.', lostBy('a', 'disconnect')],
    ['You Won!', 'You used less time.', finished({ winnerUserId: 'a', reason: 'time' })],
    ['bob Won!', 'bob used less time.', finished({ winnerUserId: 'b', reason: 'time' })],
    [
      'bob Won!',
      'Decided by the organisers: They agreed.',
      finished({ winnerUserId: 'b', reason: 'adjudicated', decision: 'They agreed.' }),
    ],
    ['The game is over', 'It counts for nobody.', finished({ reason: 'void' })],
    ["It's a Draw!", 'Nobody has three in a row.', finished({ isDraw: true })],
  ])('%s %s', (title, detail, state) => expect(outcome(state, 'a')).toMatchObject({ title, detail }));

  it('names the winner for watchers', () => {
    expect(outcome(finished({ winnerUserId: 'b' }), 'c')).toMatchObject({ kind: 'watched', title: 'bob Won!' });
  });

  it('has a sentence for watchers, and keeps the admin’s reason of a frame', () => {
    expect(outcome(lostBy('a', 'timeout'), 'c')?.detail).toBe('ada ran out of time.');
    const game = run(join, { type: 'ended', data: end({ reason: 'adjudicated', decision: 'They agreed.' }) });
    expect(game.state && outcome(game.state, 'c')?.detail).toBe('Decided by the organisers: They agreed.');
  });

  it('requests the last move if the end arrived before it, but not after a forfeit', () => {
    const line = end({ reason: 'line', forfeit: false, version: 9 });
    expect(run(join, { type: 'ended', data: line }).isBehind).toBe(true);
    const last = { ...firstMove, gameStatus: 'completed' as const };
    expect(run(join, { type: 'moved', data: last, now: 0 }, { type: 'ended', data: line }).isBehind).toBe(false);
    expect(run(join, { type: 'ended', data: end() }).isBehind).toBe(false);
    expect(run(join, { type: 'ended', data: end() }).state?.status).toBe('completed');
  });

  it('of a drawn round in an event starts the next', () => {
    const newGameState = { ...fresh, gameType: 'event' as const, drawCount: 2, version: 8 };
    const game = run(join, {
      type: 'drawn',
      data: { gameId: 'g', newGameState, message: '', version: 8 },
      userId: 'a',
      now: 0,
    });
    expect(game.drawNotice).toBe('Round 2 ended in a draw. Starting new round...');
    expect(game.state?.status).toBe('active');
  });

  it('of an invite game has no event to return to', () => {
    expect(eventOf(fresh)).toBeNull();
    expect(eventOf({ ...fresh, gameType: 'event', eventId: 'e' })).toBe('e');
  });

  it('by forfeit redirects to the event, to practice, or to Home', () => {
    expect(pathAfterForfeit({ ...fresh, gameType: 'event', eventId: 'e' })).toBe('/app/events/view/e');
    expect(pathAfterForfeit(fresh)).toBe('/app/practice');
    expect(pathAfterForfeit(null)).toBe('/app/home');
  });
});

describe('an absent opponent', () => {
  it('has the server’s countdown until they return', () => {
    const gone = run(join, { type: 'opponentLeft', opponentId: 'b', absentUntil: 65_000 });
    expect(gone.awayUntil).toBe(64_000);
    expect(gone.state?.players[1]?.connected).toBe(false);
    const own = liveGameReducer(gone, { type: 'opponentLeft', opponentId: 'b', absentUntil: undefined });
    expect(own.awayUntil).toBeNull();
    const back = liveGameReducer(gone, { type: 'opponentBack', opponentId: 'b' });
    expect(back.awayUntil).toBeNull();
    expect(back.state?.players[1]?.connected).toBe(true);
  });

  it('is shown after a reload too, by the server’s clock', () => {
    const players = [ada, { ...bob, connected: false, absentUntil: 40_000 }];
    expect(run({ ...join, data: { gameId: 'g', success: true, gameState: { ...fresh, players } } }).awayUntil).toBe(
      39_000,
    );
  });
});

import type { GameEnd, GameState, MoveUpdate, ServerEvents } from '@/realtime/protocol';
import { nameOf } from '@/shared/people/personSummary';

/** What the page knows of its game. Everything the person sees follows from this. */
export interface LiveGame {
  phase: 'connecting' | 'waiting' | 'ready' | 'error';
  state: GameState | null;
  /** The server's clock minus ours, in milliseconds. */
  clockOffset: number;
  /** Our move that the server has not confirmed yet. */
  pending: PendingMove | null;
  /** A version is missing: the whole state has to be asked for. */
  isBehind: boolean;
  /** When the absent opponent's time is up, by our clock. */
  awayUntil: number | null;
  /** Why there is no game to see. */
  error: { status: string; text: string } | null;
  /** The server's words when it called the game off. */
  cancelled: string | null;
  /** A round ended in a draw and the next one began. */
  drawNotice: string | null;
}

export interface PendingMove {
  row: number;
  col: number;
  /** The version it was made on: sent again after a reconnection, it is played once. */
  version: number;
  /** Its place among the moves of its round. */
  ply: number;
  round: number;
}

export const initialLiveGame: LiveGame = {
  phase: 'connecting',
  state: null,
  clockOffset: 0,
  pending: null,
  isBehind: false,
  awayUntil: null,
  error: null,
  cancelled: null,
  drawNotice: null,
};

export const JOIN_FAILED = 'Failed to join game';
export const JOIN_FAILED_STATUS = 'Failed to join game room';
export const GAME_ERROR_STATUS = 'Game error occurred';

export type LiveGameEvent =
  | { type: 'joined'; data: ServerEvents['gameJoined']; userId: string; now: number }
  | { type: 'joinFailed'; message: string }
  | { type: 'started'; state: GameState; userId: string; now: number }
  | { type: 'moved'; data: MoveUpdate; now: number }
  | { type: 'played'; row: number; col: number; userId: string }
  | { type: 'rejected' }
  | { type: 'ended'; data: GameEnd }
  | { type: 'drawn'; data: ServerEvents['gameDraw']; userId: string; now: number }
  | { type: 'opponentLeft'; opponentId: string; countdown: number; now: number }
  | { type: 'opponentBack'; opponentId: string }
  | { type: 'cancelled'; message: string }
  | { type: 'failed'; message: string };

export function liveGameReducer(game: LiveGame, event: LiveGameEvent): LiveGame {
  switch (event.type) {
    case 'joined':
      return joined(game, event);
    case 'joinFailed':
      return { ...game, phase: 'error', error: { status: JOIN_FAILED_STATUS, text: event.message || JOIN_FAILED } };
    case 'started':
      return { ...withState(game, event.state, event.userId, event.now), phase: 'ready', drawNotice: null };
    case 'moved':
      return moved(game, event.data, event.now);
    case 'played':
      return played(game, event);
    case 'rejected':
      return { ...game, pending: null };
    case 'ended':
      return ended(game, event.data);
    case 'drawn':
      return drawn(game, event);
    case 'opponentLeft':
      return { ...connection(game, event.opponentId, false), awayUntil: event.now + event.countdown * 1000 };
    case 'opponentBack':
      return { ...connection(game, event.opponentId, true), awayUntil: null };
    case 'cancelled':
      return { ...game, cancelled: event.message, pending: null };
    case 'failed':
      // Too late for a game that is over: its result stands.
      if (game.state?.status === 'completed') return game;
      return { ...game, phase: 'error', error: { status: GAME_ERROR_STATUS, text: event.message } };
  }
}

function joined(game: LiveGame, { data, userId, now }: Extract<LiveGameEvent, { type: 'joined' }>): LiveGame {
  if (!data.success || data.gameState === undefined) {
    return { ...game, phase: 'error', error: { status: JOIN_FAILED_STATUS, text: data.error ?? JOIN_FAILED } };
  }
  const { status } = data.gameState;
  const next = withState(game, data.gameState, userId, now);
  return {
    ...next,
    phase: data.message !== undefined && status === 'waiting' ? 'waiting' : 'ready',
    cancelled: status === 'cancelled' ? (game.cancelled ?? 'This game was cancelled.') : game.cancelled,
  };
}

/** Takes the whole state as the server has it; an older one, overtaken on the way, is left aside. */
function withState(game: LiveGame, state: GameState, userId: string, now: number): LiveGame {
  if (game.state !== null && game.state.gameId === state.gameId && state.version < game.state.version) return game;
  const clockOffset = state.serverTime - now;
  const opponent = state.players.find((player) => player.userId !== userId);
  const isAway = state.status === 'active' && opponent !== undefined && !opponent.connected;
  return {
    ...game,
    state,
    clockOffset,
    error: null,
    isBehind: false,
    pending: isStillDue(game.pending, state) ? game.pending : null,
    awayUntil: isAway && opponent.absentUntil !== undefined ? opponent.absentUntil - clockOffset : null,
  };
}

/** Connections that come and go raise the version too; only another move, or another round, overtakes a pending one. */
function isStillDue(pending: PendingMove | null, { status, moves, drawCount }: GameState): boolean {
  return pending !== null && status === 'active' && moves.length === pending.ply && drawCount === pending.round;
}

function connection(game: LiveGame, userId: string, connected: boolean): LiveGame {
  if (game.state === null) return game;
  const players = game.state.players.map((player) => (player.userId === userId ? { ...player, connected } : player));
  return { ...game, state: { ...game.state, players } };
}

function moved(game: LiveGame, update: MoveUpdate, now: number): LiveGame {
  const { state } = game;
  if (state === null || update.version <= state.version) return game;
  // The update tells the whole board; what else was missed is asked for, from the version that is complete.
  const isBehind = update.version > state.version + 1;
  const winner = state.players.find(({ symbol }) => symbol === update.winner);
  return {
    ...game,
    clockOffset: update.serverTime - now,
    pending: null,
    isBehind,
    drawNotice: null,
    state: {
      ...betweenTurns(state),
      board: update.board,
      isDraw: update.isDraw,
      status: update.gameStatus,
      version: isBehind ? state.version : update.version,
      serverTime: update.serverTime,
      moves: [...state.moves, { row: update.row, col: update.col, symbol: update.symbol, at: update.serverTime }],
      ...(update.nextTurn === undefined ? {} : { currentTurn: update.nextTurn }),
      ...(update.turnDeadline === undefined ? {} : { turnDeadline: update.turnDeadline }),
      ...(update.winner === undefined ? {} : { winner: update.winner }),
      ...(update.winningLine === undefined ? {} : { winningLine: update.winningLine }),
      ...(winner === undefined ? {} : { winnerUserId: winner.userId }),
    },
  };
}

function played(game: LiveGame, { row, col, userId }: Extract<LiveGameEvent, { type: 'played' }>): LiveGame {
  const { state, pending } = game;
  const isOpen =
    state !== null &&
    pending === null &&
    state.status === 'active' &&
    state.currentTurn === userId &&
    state.board[row]?.[col] === '';
  return isOpen
    ? { ...game, pending: { row, col, version: state.version, ply: state.moves.length, round: state.drawCount } }
    : game;
}

function ended(game: LiveGame, end: GameEnd): LiveGame {
  const { state } = game;
  if (state === null) return game;
  return {
    ...game,
    pending: null,
    awayUntil: null,
    drawNotice: null,
    // A last move that did not arrive is fetched with the whole state; a forfeit comes without one.
    isBehind: state.status === 'active' && (end.isDraw || end.reason === 'line'),
    state: {
      ...betweenTurns(state),
      status: 'completed',
      isDraw: end.isDraw,
      reason: end.reason,
      version: Math.max(state.version, end.version),
      ...(end.winner === undefined ? {} : { winner: end.winner }),
      ...(end.winnerUserId === undefined ? {} : { winnerUserId: end.winnerUserId }),
      ...(end.forfeiter === undefined ? {} : { forfeiter: end.forfeiter }),
      ...(end.winningLine === undefined ? {} : { winningLine: end.winningLine }),
    },
  };
}

function drawn(game: LiveGame, { data, userId, now }: Extract<LiveGameEvent, { type: 'drawn' }>): LiveGame {
  if (data.newGameState !== undefined) {
    const { drawCount } = data.newGameState;
    return {
      ...withState(game, data.newGameState, userId, now),
      drawNotice: drawCount > 0 ? `Round ${drawCount} ended in a draw. Starting new round...` : data.message,
    };
  }
  if (game.state === null) return game;
  return { ...game, pending: null, state: { ...betweenTurns(game.state), status: 'completed', isDraw: true } };
}

/** The state without whose turn it is and until when: an update says so anew, or nobody may move any more. */
function betweenTurns({ currentTurn, turnDeadline, ...kept }: GameState): GameState {
  return kept;
}

/** The board as the person sees it: with their own move on it before the server has answered. */
export function shownBoard({ state, pending }: LiveGame, userId: string): string[][] {
  if (state === null) return [];
  const own = state.players.find((player) => player.userId === userId);
  if (pending === null || own === undefined) return state.board;
  return state.board.map((cells, row) =>
    row === pending.row ? cells.map((cell, col) => (col === pending.col ? own.symbol : cell)) : cells,
  );
}

/** Whose turn it is, a move on its way counted as made. */
export function shownTurn({ state, pending }: LiveGame): string | null {
  if (state?.status !== 'active') return null;
  if (pending === null) return state.currentTurn ?? null;
  return state.players.find(({ userId }) => userId !== state.currentTurn)?.userId ?? null;
}

/** Whose turn it is, in words. */
export function turnText(game: LiveGame, userId: string): string {
  const turn = shownTurn(game);
  if (turn === userId) return 'Your turn';
  const player = game.state?.players.find((each) => each.userId === turn);
  // Between two rounds nobody may move.
  return player === undefined ? 'One moment…' : `${nameOf(player)}'s turn`;
}

export interface Outcome {
  kind: 'won' | 'lost' | 'draw' | 'watched';
  title: string;
  detail: string;
}

/** The end in words. */
export function outcome(state: GameState, userId: string): Outcome | null {
  if (state.status !== 'completed') return null;
  const isPlayer = state.players.some((player) => player.userId === userId);
  if (state.isDraw) return { kind: 'draw', title: "It's a Draw!", detail: 'Nobody gave anything away.' };
  const winner = state.players.find((player) => player.userId === state.winnerUserId);
  if (winner === undefined) return { kind: 'watched', title: 'The game is over', detail: '' };
  if (!isPlayer) return { kind: 'watched', title: `${nameOf(winner)} Won!`, detail: '' };
  const isWinner = winner.userId === userId;
  if (state.forfeiter !== undefined) {
    return isWinner
      ? { kind: 'won', title: 'You Won!', detail: 'Opponent forfeited. You win!' }
      : { kind: 'lost', title: `${nameOf(winner)} Won!`, detail: 'You forfeited. Opponent wins!' };
  }
  return isWinner
    ? { kind: 'won', title: 'You Won!', detail: 'Congratulations!' }
    : { kind: 'lost', title: `${nameOf(winner)} Won!`, detail: 'Better luck next time!' };
}

/** An invite game's `remote-` id is no event. */
export function eventOf({ eventId, gameType }: Pick<GameState, 'eventId' | 'gameType'>): string | null {
  return gameType === 'event' && !eventId.startsWith('remote-') ? eventId : null;
}

/** Where a forfeit, or a cancelled game, leads. */
export function pathAfterForfeit(state: GameState | null): string {
  if (state === null) return '/app/home';
  const event = eventOf(state);
  return event === null ? '/app/practice' : `/app/events/view/${event}`;
}

/** Where closing the page leads while there is nothing to forfeit. */
export function closePath(state: GameState | null): string {
  if (state === null) return '/app/home';
  if (eventOf(state) !== null) return pathAfterForfeit(state);
  return state.status === 'completed' ? '/app/practice' : '/app/home';
}

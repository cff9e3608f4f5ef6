import type { GameEnd, GameState, MoveUpdate, ServerEvents } from '@/realtime/protocol';
import { nameOf } from '@/shared/people/personSummary';
import { inARow, ownReasonSentence, reasonSentence } from '@/shared/play/endReason';

/** The state of a live game, from which the page is rendered. */
export interface LiveGame {
  phase: 'connecting' | 'waiting' | 'ready' | 'error';
  state: GameState | null;
  /** The server's clock minus the local one, in milliseconds. */
  clockOffset: number;
  /** The user's move that the server has not confirmed yet. */
  pending: PendingMove | null;
  /** A version is missing: the full state must be requested. */
  isBehind: boolean;
  /** When the absent opponent's time is up, by the local clock. */
  awayUntil: number | null;
  /** Why the game cannot be shown. */
  error: { status: string; text: string } | null;
  /** The server's message when the game was cancelled. */
  cancelled: string | null;
  /** A round ended in a draw and the next one began. */
  drawNotice: string | null;
  /** How many people watch. */
  watchers: number;
}

export interface PendingMove {
  row: number;
  col: number;
  /** The version it was made on, so that a repeated move is played once. */
  version: number;
  /** Its index among the moves of the round. */
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
  watchers: 0,
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
  | { type: 'accepted'; move: PendingMove }
  | { type: 'rejected' }
  | { type: 'ended'; data: GameEnd }
  | { type: 'rated'; data: ServerEvents['ratingChanged'] }
  | { type: 'drawn'; data: ServerEvents['gameDraw']; userId: string; now: number }
  | { type: 'opponentLeft'; opponentId: string; absentUntil: number | undefined }
  | { type: 'opponentBack'; opponentId: string }
  | { type: 'cancelled'; message: string }
  | { type: 'watched'; watchers: number }
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
    case 'accepted':
      // Its update came before its acknowledgement, or was lost: then the state is requested.
      return game.pending === event.move ? { ...game, isBehind: true } : game;
    case 'rejected':
      // A move that was sent twice may have been played, or the board has changed since: the state says which.
      return game.pending === null ? game : { ...game, pending: null, isBehind: true };
    case 'ended':
      return ended(game, event.data);
    case 'rated':
      if (game.state === null) return game;
      return { ...game, state: { ...game.state, ratingChanges: event.data.players } };
    case 'drawn':
      return drawn(game, event);
    case 'opponentLeft':
      return {
        ...connection(game, event.opponentId, false),
        awayUntil: localTime(event.absentUntil, game.clockOffset),
      };
    case 'opponentBack':
      return { ...connection(game, event.opponentId, true), awayUntil: null };
    case 'cancelled':
      return { ...game, cancelled: event.message, pending: null };
    case 'watched':
      return { ...game, watchers: event.watchers };
    case 'failed':
      // Too late for a game that is over: its result is final.
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
    watchers: data.watchers ?? game.watchers,
    phase: data.message !== undefined && status === 'waiting' ? 'waiting' : 'ready',
    cancelled: status === 'cancelled' ? (game.cancelled ?? 'This game was cancelled.') : game.cancelled,
  };
}

/** Applies the server's full state; an older one is ignored. */
function withState(game: LiveGame, state: GameState, userId: string, now: number): LiveGame {
  if (game.state !== null && game.state.gameId === state.gameId && state.version < game.state.version) return game;
  const clockOffset = offsetOf(game, state.serverTime, now);
  const opponent = state.players.find((player) => player.userId !== userId);
  const isAway = state.status === 'active' && opponent !== undefined && !opponent.connected;
  return {
    ...game,
    state,
    clockOffset,
    error: null,
    isBehind: false,
    pending: isStillDue(game.pending, state) ? game.pending : null,
    awayUntil: isAway ? localTime(opponent.absentUntil, clockOffset) : null,
  };
}

/** A time of the server by the local clock, if there is one. */
function localTime(serverTime: number | undefined, clockOffset: number): number | null {
  return serverTime === undefined ? null : serverTime - clockOffset;
}

/** Later than this no frame arrives: a clock was set meanwhile. */
const LONGEST_DELAY_MS = 30_000;

/**
 * The server's clock minus the local one. A frame that was held up on its way makes it too small, by which a deadline would
 * be shown too late; so the largest one counts.
 */
function offsetOf({ state, clockOffset }: LiveGame, serverTime: number, now: number): number {
  const measured = serverTime - now;
  return state === null || clockOffset - measured > LONGEST_DELAY_MS ? measured : Math.max(clockOffset, measured);
}

/** Connections also raise the version; only another move or round supersedes a pending move. */
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
  // The update contains the whole board; other missed data is requested, based on the last complete version.
  const isBehind = update.version > state.version + 1;
  const winner = state.players.find(({ symbol }) => symbol === update.winner);
  const clockOffset = offsetOf(game, update.serverTime, now);
  return {
    ...game,
    clockOffset,
    awayUntil: localTime(update.absentUntil, clockOffset),
    pending: null,
    isBehind,
    drawNotice: null,
    state: {
      ...betweenTurns(state),
      players: withTimes(state.players, update),
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
    // A missing last move is loaded with the full state; a forfeit has none.
    isBehind: state.status === 'active' && (end.isDraw || end.reason === 'line'),
    state: {
      ...betweenTurns(state),
      status: 'completed',
      isDraw: end.isDraw,
      reason: end.reason,
      ...(end.decision === undefined ? {} : { decision: end.decision }),
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

/** The players with what X and O have left, if the clock has such a total, and have used, in an event. */
function withTimes(players: GameState['players'], { timesLeftMs, timesUsedMs }: MoveUpdate): GameState['players'] {
  return players.map((player) => {
    const index = player.symbol === 'X' ? 0 : 1;
    const [timeLeftMs, timeUsedMs] = [timesLeftMs?.[index], timesUsedMs?.[index]];
    return {
      ...player,
      ...(timeLeftMs === undefined ? {} : { timeLeftMs }),
      ...(timeUsedMs === undefined ? {} : { timeUsedMs }),
    };
  });
}

/** The state without turn and deadline: an update sets them again, or nobody may move. */
function betweenTurns({ currentTurn, turnDeadline, ...kept }: GameState): GameState {
  return kept;
}

/** The board as displayed, with the user's own pending move. */
export function shownBoard({ state, pending }: LiveGame, userId: string): string[][] {
  if (state === null) return [];
  const own = state.players.find((player) => player.userId === userId);
  if (pending === null || own === undefined) return state.board;
  return state.board.map((cells, row) =>
    row === pending.row ? cells.map((cell, col) => (col === pending.col ? own.symbol : cell)) : cells,
  );
}

/** Whose turn it is by the server: one's own until it has confirmed the move. */
export function shownTurn({ state }: LiveGame): string | null {
  return state?.status === 'active' ? (state.currentTurn ?? null) : null;
}

/** Whose turn it is, in words. */
export function turnText(game: LiveGame, userId: string): string {
  const turn = shownTurn(game);
  if (turn === userId) return 'Your turn';
  const player = game.state?.players.find((each) => each.userId === turn);
  // Nobody may move between two rounds.
  return player === undefined ? 'One moment…' : `${nameOf(player)}'s turn`;
}

export interface Outcome {
  kind: 'won' | 'lost' | 'draw' | 'watched';
  title: string;
  detail: string;
}

/** The result in words, and why. */
export function outcome(state: GameState, userId: string): Outcome | null {
  if (state.status !== 'completed') return null;
  if (state.isDraw) {
    return { kind: 'draw', title: "It's a Draw!", detail: `Nobody has ${inARow(state.boardSize).toLowerCase()}.` };
  }
  const winner = state.players.find((player) => player.userId === state.winnerUserId);
  if (winner === undefined) {
    return { kind: 'watched', title: 'The game is over', detail: reasonSentence(state, 'Nobody') };
  }
  const loser = state.players.find((player) => player !== winner);
  const won = `${nameOf(winner)} Won!`;
  const loserName = loser === undefined ? 'The opponent' : nameOf(loser);
  if (winner.userId === userId) {
    return { kind: 'won', title: 'You Won!', detail: ownReasonSentence(state, true, loserName) };
  }
  return loser?.userId === userId
    ? { kind: 'lost', title: won, detail: ownReasonSentence(state, false, nameOf(winner)) }
    : { kind: 'watched', title: won, detail: reasonSentence(state, loserName) };
}

/** The id of a game outside events, such as `remote-…`, is not an event. */
export function eventOf({ eventId, gameType }: Pick<GameState, 'eventId' | 'gameType'>): string | null {
  return gameType === 'event' && !eventId.startsWith('remote-') ? eventId : null;
}

/** Where to go after a forfeit or a cancelled game. */
export function pathAfterForfeit(state: GameState | null): string {
  if (state === null) return '/app/home';
  if (state.gameType === 'quick') return '/app/play';
  const event = eventOf(state);
  return event === null ? '/app/practice' : `/app/events/view/${event}`;
}

/** Where to go when the page is closed and there is nothing to forfeit. */
export function closePath(state: GameState | null, isPlayer: boolean): string {
  if (state === null) return '/app/home';
  if (!isPlayer && eventOf(state) === null) return '/app/watch';
  if (state.gameType !== 'invite') return pathAfterForfeit(state);
  return state.status === 'completed' ? '/app/practice' : '/app/home';
}

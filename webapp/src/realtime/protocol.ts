/** The frames of `/api/backend/realtime`: `{event, data, id?}`, one JSON object each. */

export type Mark = 'X' | 'O';
export type Cell = Mark | '';
export type GameStatus = 'waiting' | 'active' | 'completed' | 'cancelled';
export type GameType = 'invite' | 'event';
export type EndReason = 'line' | 'forfeit' | 'timeout' | 'noShow' | 'disconnect' | 'time' | 'adjudicated' | 'void';
/** Row and column, counted from 0. */
export type Place = [row: number, col: number];

export interface GamePlayer {
  userId: string;
  username: string;
  symbol: Mark;
  connected: boolean;
  timeUsedMs: number;
  /** Unix milliseconds. */
  absentUntil?: number;
}

export interface GameMove {
  row: number;
  col: number;
  symbol: Mark;
  /** Unix milliseconds. */
  at: number;
}

export interface GameState {
  gameId: string;
  board: string[][];
  players: GamePlayer[];
  currentTurn?: string;
  winner?: Mark;
  winnerUserId?: string;
  isDraw: boolean;
  winningLine?: number[][];
  boardSize: number;
  drawCount: number;
  status: GameStatus;
  gameType: GameType;
  eventId: string;
  level: number;
  initiatorUserId: string;
  notify: boolean;
  version: number;
  serverTime: number;
  turnDeadline?: number;
  moves: GameMove[];
  reason?: EndReason;
  forfeiter?: string;
  inviteToken?: string;
  nextGameId?: string;
  createdAt: string;
  endedAt?: string;
}

/** A game in a list. */
export interface Game {
  gameId: string;
  players: { userId: string; username: string }[];
  eventId: string;
  level: number;
  initiatorUserId: string;
  gameType: GameType;
  status: GameStatus;
  notify: boolean;
  boardSize: number;
  drawCount: number;
  winnerUserId?: string;
  isDraw: boolean;
  yourTurn: boolean;
  reason?: EndReason;
  inviteToken?: string;
  createdAt: string;
  endedAt?: string;
}

export interface MoveUpdate {
  gameId: string;
  userId: string;
  symbol: Mark;
  row: number;
  col: number;
  board: string[][];
  nextTurn?: string;
  winner?: Mark;
  winningLine?: number[][];
  isDraw: boolean;
  gameStatus: GameStatus;
  version: number;
  serverTime: number;
  turnDeadline?: number;
}

export interface GameEnd {
  gameId: string;
  reason: EndReason;
  winner?: Mark;
  winnerUserId?: string;
  isDraw: boolean;
  forfeit: boolean;
  forfeiter?: string;
  message: string;
  gameType: GameType;
  eventId: string;
  winningLine?: number[][];
  tournamentResult?: { winner: { userId: string }; loser: { userId: string; isEliminated: boolean } };
  version: number;
}

/** What the client sends. */
export interface ClientEvents {
  authenticate: { userId?: string };
  joinGame: { userId?: string; gameId: string; lastVersion?: number };
  makeMove: { gameId: string; userId?: string; row: number; col: number; version?: number };
  forfeitGame: { gameId: string; userId?: string };
  leaveGameRoom: { gameId: string; userId?: string };
  cancelGame: { gameId: string; userId?: string };
  spectateGame: { gameId: string };
}

/** What the server sends, acknowledgements aside. */
export interface ServerEvents {
  authenticated: { userId?: string; socketId: string };
  gameJoined: { gameId: string; success: boolean; message?: string; error?: string; gameState?: GameState };
  gameStarted: { gameId: string; gameState: GameState };
  gameError: { gameId?: string; error: string };
  moveUpdate: MoveUpdate;
  moveRejected: { gameId: string; error: string; errorCode: string; row: number; col: number; version?: number };
  gameEnd: GameEnd;
  gameDraw: { gameId: string; newGameState?: GameState; message: string; version: number };
  opponentDisconnected: { gameId: string; userId: string; countdown: number };
  opponentReconnected: { gameId: string; userId: string };
  gameCancelled: { gameId: string; success: boolean; message: string };
  gameInvitation: { game: Game; from: { userId: string; username: string } };
  'check-everone-login-activity': Record<string, never>;
  error: { message: string; errorCode: string; event?: string };
  serverDraining: { reconnectInMs: number };
}

export type ClientEvent = keyof ClientEvents;
export type ServerEvent = keyof ServerEvents;

export interface Ack {
  succeeded: boolean;
  errorMessage?: string;
  errorCode?: string;
}

/** One invite game as the server plays it (events and gameplay, sections 3, 4 and 7), by the web app's own rules. */

import type { components } from '@/api/schema';
import { type BoardSize, type Game as Position, type Mark, newGame, play, type Refusal as Rule } from '@/shared/rules';
import { conflict, Refusal } from './refusal';

type Schemas = components['schemas'];
type Reason = Schemas['EndReason'];

export interface Seat {
  userId: string;
  username: string;
}

const RULES: Record<Rule, string> = {
  'game-over': 'The game is over.',
  'off-board': 'This cell is not on the board.',
  'cell-taken': 'This cell is already taken.',
};

const MARKS: readonly Mark[] = ['X', 'O'];

export class MockGame {
  readonly gameId: string;
  readonly createdAt = new Date().toISOString();
  /** X, then O; one alone while the second seat is open. */
  readonly seats: Seat[];
  readonly #present = new Set<string>();
  readonly #moves: Schemas['GameMove'][] = [];
  position: Position;
  status: Schemas['GameStatus'] = 'waiting';
  version = 1;
  inviteToken: string | undefined;
  nextGameId: string | undefined;
  winner: Seat | undefined;
  forfeiter: Seat | undefined;
  reason: Reason | undefined;
  #endedAt: string | undefined;

  constructor(gameId: string, seats: Seat[], boardSize: BoardSize, starter: Mark = 'X') {
    this.gameId = gameId;
    this.seats = seats;
    this.position = newGame(boardSize, starter);
    if (seats.length === 1) this.inviteToken = crypto.randomUUID();
  }

  get turn(): Seat | undefined {
    const { turn } = this.position;
    return this.status === 'active' && turn !== null ? this.seats[MARKS.indexOf(turn)] : undefined;
  }

  get isOver(): boolean {
    return this.status === 'completed' || this.status === 'cancelled';
  }

  seatOf(userId: string): Seat {
    const seat = this.seats.find((each) => each.userId === userId);
    if (seat === undefined) throw new Refusal(403, 'not-a-player', 'You are not a player of this game.');
    return seat;
  }

  markOf(seat: Seat): Mark {
    return MARKS[this.seats.indexOf(seat)] ?? 'X';
  }

  opponentOf(userId: string): Seat | undefined {
    return this.seats.find((each) => each.userId !== userId);
  }

  /** Takes the open seat. */
  claim(seat: Seat, token: string): void {
    if (this.seats.some(({ userId }) => userId === seat.userId)) {
      throw conflict('own-game', 'You cannot play against yourself.');
    }
    if (this.inviteToken === undefined || this.inviteToken !== token) {
      throw conflict('seat-taken', 'This seat is already taken.');
    }
    this.seats.push(seat);
    this.inviteToken = undefined;
    this.version += 1;
  }

  /** Comes into the game; whether that started it. */
  enter(userId: string): boolean {
    this.seatOf(userId);
    this.#present.add(userId);
    if (this.status !== 'waiting' || this.#present.size < 2) return false;
    this.status = 'active';
    this.version += 1;
    return true;
  }

  /** Plays for a person, and tells what everybody hears of it. */
  move(userId: string, row: number, col: number, version?: number): Schemas['MoveUpdate'] {
    const seat = this.seatOf(userId);
    if (this.isOver) throw conflict('game-over', RULES['game-over']);
    if (this.status === 'waiting') throw conflict('game-not-started', 'The game has not started yet.');
    if (this.turn !== seat) throw conflict('not-your-turn', 'It is not your turn.');
    if (version !== undefined && version !== this.version) {
      throw conflict('stale-version', 'The board has changed since.');
    }
    const next = play(this.position, [row, col]);
    if (typeof next === 'string') throw conflict(next, RULES[next]);
    const symbol = this.markOf(seat);
    this.position = next;
    this.version += 1;
    const at = Date.now();
    this.#moves.push({ row, col, symbol, at });
    if (next.turn === null) this.#end('line', next.winner === null ? undefined : seat);
    return {
      gameId: this.gameId,
      userId,
      symbol,
      row,
      col,
      board: grid(next),
      isDraw: next.isDraw,
      gameStatus: this.status,
      version: this.version,
      serverTime: at,
      ...(this.turn === undefined ? {} : { nextTurn: this.turn.userId }),
      ...(next.winner === null ? {} : { winner: next.winner }),
      ...winningLine(next),
    };
  }

  forfeit(userId: string): void {
    const seat = this.seatOf(userId);
    if (this.isOver) throw conflict('game-over', RULES['game-over']);
    if (this.status === 'waiting') throw conflict('game-not-started', 'The game has not started yet.');
    this.forfeiter = seat;
    this.version += 1;
    this.#end('forfeit', this.opponentOf(userId));
  }

  cancel(userId: string): void {
    this.seatOf(userId);
    if (this.isOver) throw conflict('game-over', RULES['game-over']);
    if (this.status === 'active') throw conflict('game-already-started', 'The game has already started.');
    this.status = 'cancelled';
    this.#endedAt = new Date().toISOString();
    this.version += 1;
  }

  #end(reason: Reason, winner: Seat | undefined): void {
    this.status = 'completed';
    this.#endedAt = new Date().toISOString();
    this.winner = winner;
    if (winner !== undefined) this.reason = reason;
  }

  /** The game as a player sees it who has it open. */
  state(): Schemas['GameState'] {
    return {
      ...this.#common(),
      board: grid(this.position),
      players: this.seats.map((seat) => ({
        ...seat,
        symbol: this.markOf(seat),
        connected: this.#present.has(seat.userId),
        timeUsedMs: 0,
      })),
      version: this.version,
      serverTime: Date.now(),
      moves: this.#moves,
      ...(this.winner === undefined ? {} : { winner: this.markOf(this.winner) }),
      ...winningLine(this.position),
      ...(this.forfeiter === undefined ? {} : { forfeiter: this.forfeiter.userId }),
      ...(this.nextGameId === undefined ? {} : { nextGameId: this.nextGameId }),
    };
  }

  /** The game in a list of this person's. */
  entry(userId: string): Schemas['Game'] {
    return {
      ...this.#common(),
      players: this.seats.map((seat) => ({ ...seat })),
      yourTurn: this.turn?.userId === userId,
      moveCount: this.#moves.length,
    };
  }

  /** How it ended, in the words for one of the players (events and gameplay, section 8). */
  end(userId: string): Schemas['GameEnd'] | undefined {
    const { winner, reason } = this;
    if (winner === undefined || reason === undefined) return undefined;
    const hasWon = winner.userId === userId;
    const messages =
      reason === 'forfeit'
        ? ['Opponent forfeited. You win!', 'You forfeited. Opponent wins!']
        : ['You Won!', `${winner.username} Won!`];
    return {
      gameId: this.gameId,
      reason,
      winner: this.markOf(winner),
      winnerUserId: winner.userId,
      isDraw: false,
      forfeit: reason === 'forfeit',
      ...(this.forfeiter === undefined ? {} : { forfeiter: this.forfeiter.userId }),
      message: messages[hasWon ? 0 : 1] ?? '',
      gameType: 'invite',
      eventId: `remote-${this.gameId}`,
      ...winningLine(this.position),
      version: this.version,
    };
  }

  replay(): Schemas['Replay'] {
    const { size, starter, isDraw } = this.position;
    return {
      gameId: this.gameId,
      players: this.seats.map((seat) => ({ ...seat, symbol: this.markOf(seat) })),
      rounds: [{ boardSize: size, starter, moves: this.#moves }],
      isDraw,
      ...(this.winner === undefined ? {} : { winner: this.markOf(this.winner) }),
      ...(this.reason === undefined ? {} : { reason: this.reason }),
      gameType: 'invite',
      eventId: `remote-${this.gameId}`,
      createdAt: this.createdAt,
      ...(this.#endedAt === undefined ? {} : { endedAt: this.#endedAt }),
    };
  }

  #common() {
    const { position, turn } = this;
    return {
      gameId: this.gameId,
      eventId: `remote-${this.gameId}`,
      level: 1,
      initiatorUserId: this.seats[0]?.userId ?? '',
      gameType: 'invite' as const,
      status: this.status,
      notify: true,
      boardSize: position.size,
      drawCount: 0,
      isDraw: position.isDraw,
      createdAt: this.createdAt,
      ...(turn === undefined ? {} : { currentTurn: turn.userId }),
      ...(this.winner === undefined ? {} : { winnerUserId: this.winner.userId }),
      ...(this.reason === undefined ? {} : { reason: this.reason }),
      ...(this.inviteToken === undefined ? {} : { inviteToken: this.inviteToken }),
      ...(this.#endedAt === undefined ? {} : { endedAt: this.#endedAt }),
    };
  }
}

function grid({ board }: Position): string[][] {
  return board.map((cells) => [...cells]);
}

function winningLine({ winningLine: line }: Position) {
  return line === null ? {} : { winningLine: line.map((place) => [...place]) };
}

/** One game as the server plays it (docs/behaviour/play.md), by the web app's own rules. */

import type { components } from '@/api/schema';
import {
  BOARD_SIZES,
  type BoardSize,
  type Game as Position,
  type Mark,
  newGame,
  opposite,
  play,
  type Refusal as Rule,
} from '@/shared/rules';
import { resultOf, tagsOf, writeNotation } from '@/shared/notation';
import { conflict, notAPlayer, notFound, Refusal } from './refusal';

type Schemas = components['schemas'];
type Reason = Schemas['EndReason'];

export interface Seat {
  userId: string;
  username: string;
  displayName: string;
  profileUrl?: string;
  isBot?: boolean;
}

export function seat(person: Seat & { profile?: string }): Seat {
  const { userId, username, displayName, profileUrl, isBot } = { ...small(person.profile), ...person };
  const badge = isBot === true ? { isBot } : {};
  return { userId, username, displayName, ...(profileUrl === undefined ? {} : { profileUrl }), ...badge };
}

/** The avatar in the size for lists. */
export function small(profile = ''): { profileUrl?: string } {
  return profile === '' ? {} : { profileUrl: profile.replace('/256', '/64') };
}

/** The additional data of an event's game. */
export interface EventGame {
  eventId: string;
  /** The lower of the two players' levels. */
  level: number;
  /** The length of a turn where every turn has the same, in milliseconds. */
  turnMs: number;
}

/** What a game is about: quick games are rated or not. */
export interface Terms {
  clock: Schemas['TimeControl'];
  rated?: boolean;
}

/** docs/behaviour/play.md#time-controls, in milliseconds. */
const CLOCK = { turn: 15_000, base: 60_000, increment: 2_000 };

const RULES: Record<Rule, string> = {
  'game-over': 'The game is over.',
  'off-board': 'This cell is not on the board.',
  'cell-taken': 'This cell is already taken.',
};

const NOT_STARTED = 'The game has not started yet.';
const MARKS: readonly Mark[] = ['X', 'O'];
/** After this many drawn rounds an event game is decided by time; the board grows after every second one. */
const MAX_DRAWS = 5;

export class MockGame {
  readonly gameId: string;
  createdAt = new Date().toISOString();
  /** X, then O; one alone while the second seat is open. */
  readonly seats: Seat[];
  readonly event: EventGame | undefined;
  readonly terms: Terms;
  readonly #present = new Set<string>();
  readonly #rounds: { boardSize: BoardSize; starter: Mark; moves: Schemas['GameMove'][] }[] = [];
  readonly #timeUsed = new Map<Seat, number>();
  #turnSince = 0;
  /** The version of the last change of the board: moves must refer to it or to a later one. */
  #boardVersion = 1;
  position: Position;
  status: Schemas['GameStatus'] = 'waiting';
  version = 1;
  inviteToken: string | undefined;
  /** The latest game from Play Again. */
  next: MockGame | undefined;
  /** How many games Play Again made of it. */
  offers = 0;
  /** The game that this one was offered after. */
  previous: MockGame | undefined;
  winner: Seat | undefined;
  forfeiter: Seat | undefined;
  reason: Reason | undefined;
  /** Why an admin decided it so. */
  decision: string | undefined;
  /** What the result means for the event. */
  tournamentResult: Schemas['TournamentResult'] | undefined;
  /** Beside the players' names. */
  ratingOf: (userId: string) => { rating?: Schemas['PlayerRating'] } = () => ({});
  /** Of a rated game that is over. */
  ratingChanges: Schemas['RatingChange'][] | undefined;
  #endedAt: string | undefined;

  constructor(
    gameId: string,
    seats: Seat[],
    boardSize: BoardSize,
    starter: Mark = 'X',
    event?: EventGame,
    terms: Terms = { clock: event === undefined ? 'none' : 'turn15' },
  ) {
    this.gameId = gameId;
    this.seats = seats;
    this.event = event;
    this.terms = terms;
    this.position = this.#newRound(boardSize, starter);
    if (seats.length === 1) this.inviteToken = crypto.randomUUID();
  }

  get turn(): Seat | undefined {
    const { turn } = this.position;
    return this.status === 'active' && turn !== null ? this.seats[MARKS.indexOf(turn)] : undefined;
  }

  get isOver(): boolean {
    return this.status === 'completed' || this.status === 'cancelled';
  }

  /** Rounds that ended in a draw so far. */
  get drawCount(): number {
    return this.#rounds.length - 1;
  }

  seatOf(userId: string): Seat {
    const seat = this.seats.find((each) => each.userId === userId);
    if (seat === undefined) throw notAPlayer();
    return seat;
  }

  markOf(seat: Seat): Mark {
    return MARKS[this.seats.indexOf(seat)] ?? 'X';
  }

  opponentOf(userId: string): Seat | undefined {
    return this.seats.find((each) => each.userId !== userId);
  }

  /** The game was played at another time: Unix milliseconds. */
  backdate(at: number): void {
    const shift = at - Date.now();
    this.createdAt = new Date(at).toISOString();
    this.#endedAt = new Date(at + 60_000).toISOString();
    for (const { moves } of this.#rounds) for (const move of moves) move.at += shift;
  }

  /** Replaces a player's account by another. */
  replace(userId: string, seat: Seat): void {
    this.seats.splice(this.seats.indexOf(this.seatOf(userId)), 1, seat);
    this.version += 1;
  }

  /** Takes the open seat. */
  claim(seat: Seat, token: string): void {
    if (this.inviteToken === undefined || this.inviteToken !== token) throw notFound('Game');
    this.#mustNotBeOver();
    const [first, second] = this.seats;
    if (first?.userId === seat.userId) throw conflict('own-game', 'You cannot play against yourself.');
    if (second?.userId === seat.userId) return;
    if (second !== undefined) throw conflict('seat-taken', 'This seat is already taken.');
    this.seats.push(seat);
    this.version += 1;
  }

  /** Joins the game; returns whether that started it. */
  enter(userId: string): boolean {
    this.seatOf(userId);
    if (this.status !== 'waiting' || this.#present.has(userId)) return false;
    this.#present.add(userId);
    this.version += 1;
    if (this.#present.size < 2) return false;
    this.status = 'active';
    this.version += 1;
    this.#boardVersion = this.version;
    this.#turnSince = Date.now();
    return true;
  }

  /** Plays a move and returns the update for everybody. A drawn round of an event game leads to the next one. */
  move(userId: string, row: number, col: number, version?: number): Schemas['MoveUpdate'] {
    const seat = this.seatOf(userId);
    this.mustBeActive();
    if (version !== undefined && (version < this.#boardVersion || version > this.version)) {
      throw conflict('stale-version', 'The board has changed since.');
    }
    if (this.turn !== seat) throw conflict('not-your-turn', 'It is not your turn.');
    const next = play(this.position, [row, col]);
    if (next === 'off-board') throw new Refusal(422, next, RULES[next]);
    if (typeof next === 'string') throw conflict(next, RULES[next]);
    const symbol = this.markOf(seat);
    const at = Date.now();
    this.#timeUsed.set(seat, this.#used(seat) + at - this.#turnSince);
    this.#turnSince = at;
    this.position = next;
    this.version += 1;
    this.#boardVersion = this.version;
    const moved = this.version;
    this.#moves.push({ row, col, symbol, at });
    const isRoundDrawn = next.isDraw && this.event !== undefined;
    if (next.turn === null && !isRoundDrawn) this.#end('line', next.winner === null ? undefined : seat);
    const update: Schemas['MoveUpdate'] = {
      gameId: this.gameId,
      userId,
      symbol,
      row,
      col,
      board: grid(next),
      isDraw: next.isDraw,
      gameStatus: this.status,
      version: moved,
      serverTime: at,
      ...(this.turn === undefined ? {} : { nextTurn: this.turn.userId }),
      ...this.#deadline(),
      ...(this.terms.clock === '1+2' ? { timesLeftMs: this.seats.map((each) => this.#timeLeft(each)) } : {}),
      ...(this.event === undefined ? {} : { timesUsedMs: this.seats.map((each) => this.#used(each)) }),
      ...(next.winner === null ? {} : { winner: next.winner }),
      ...winningLine(next),
    };
    if (isRoundDrawn) this.#drawRound();
    return update;
  }

  forfeit(userId: string, reason: Reason = 'forfeit'): void {
    const seat = this.seatOf(userId);
    if (isNoShow(reason) || reason === 'removed') this.#mustNotBeOver();
    else this.mustBeActive();
    this.forfeiter = seat;
    this.#end(reason, this.opponentOf(userId));
  }

  /** An admin decides the game. */
  adjudicate(winner: Seat, decision: string): void {
    this.#mustNotBeOver();
    if (this.seats.length < 2) throw conflict('game-not-started', NOT_STARTED);
    this.decision = decision;
    this.#end('adjudicated', winner);
  }

  /** Ends the game without a result. */
  callOff(reason?: Reason, decision?: string): void {
    this.decision = decision;
    this.status = 'cancelled';
    this.reason = reason;
    this.#endedAt = new Date().toISOString();
    this.version += 1;
  }

  /** The player who has used less time wins. */
  decideByTime(): void {
    this.#end('time', this.#faster());
  }

  mustBeActive(): void {
    this.#mustNotBeOver();
    if (this.status === 'waiting') throw conflict('game-not-started', NOT_STARTED);
  }

  #mustNotBeOver(): void {
    if (this.isOver) throw conflict('game-over', RULES['game-over']);
  }

  isHere(userId: string): boolean {
    return this.#present.has(userId);
  }

  /** Whether this player has moved in any round. */
  hasMoved(userId: string): boolean {
    const mark = this.markOf(this.seatOf(userId));
    return this.#rounds.some(({ moves }) => moves.some(({ symbol }) => symbol === mark));
  }

  get #moves(): Schemas['GameMove'][] {
    return this.#rounds.at(-1)?.moves ?? [];
  }

  #newRound(boardSize: BoardSize, starter: Mark): Position {
    this.#rounds.push({ boardSize, starter, moves: [] });
    return newGame(boardSize, starter);
  }

  #drawRound(): void {
    if (this.#rounds.length === MAX_DRAWS) {
      this.#end('time', this.#faster());
      return;
    }
    this.version += 1;
    this.#boardVersion = this.version;
    const { size, starter } = this.position;
    const grows = this.#rounds.length % 2 === 0;
    const next = grows ? BOARD_SIZES.find((each) => each > size) : undefined;
    this.position = this.#newRound(next ?? size, opposite(starter));
  }

  #used(seat: Seat): number {
    return this.#timeUsed.get(seat) ?? 0;
  }

  #faster(): Seat | undefined {
    return this.seats.toSorted((a, b) => this.#used(a) - this.#used(b))[0];
  }

  /** When the turn ends, in Unix milliseconds; undefined without a limit. */
  get turnDeadline(): number | undefined {
    const { turn, event, terms } = this;
    if (turn === undefined || terms.clock === 'none') return undefined;
    const limit = terms.clock === '1+2' ? this.#timeLeft(turn) : (event?.turnMs ?? CLOCK.turn);
    return this.#turnSince + limit;
  }

  #deadline() {
    const { turnDeadline } = this;
    return turnDeadline === undefined ? {} : { turnDeadline };
  }

  /** What a player has left for all further turns, as of the turn's start. */
  #timeLeft(seat: Seat): number {
    const mark = this.markOf(seat);
    const moves = this.#rounds.flatMap((round) => round.moves).filter(({ symbol }) => symbol === mark).length;
    return Math.max(0, CLOCK.base + CLOCK.increment * moves - this.#used(seat));
  }

  #end(reason: Reason, winner: Seat | undefined): void {
    this.status = 'completed';
    this.version += 1;
    this.#endedAt = new Date().toISOString();
    this.winner = winner;
    if (winner !== undefined) this.reason = reason;
  }

  /** The game's state for a player who has joined it. */
  state(viewer?: string): Schemas['GameState'] {
    return {
      ...this.#common(viewer),
      ...this.#decision(),
      board: grid(this.position),
      players: this.seats.map((seat) => ({
        ...seat,
        symbol: this.markOf(seat),
        connected: this.#present.has(seat.userId),
        timeUsedMs: this.#used(seat),
        ...(this.terms.clock === '1+2' ? { timeLeftMs: this.#timeLeft(seat) } : {}),
        ...this.ratingOf(seat.userId),
      })),
      version: this.version,
      serverTime: Date.now(),
      moves: [...this.#moves],
      ...this.#deadline(),
      ...(this.winner === undefined ? {} : { winner: this.markOf(this.winner) }),
      ...winningLine(this.position),
      ...(this.forfeiter === undefined ? {} : { forfeiter: this.forfeiter.userId }),
      ...this.#offer(),
      ...(this.ratingChanges === undefined ? {} : { ratingChanges: this.ratingChanges }),
    };
  }

  /** The next game, unless it was cancelled, and who offers it while it is waiting. */
  #offer() {
    const { next } = this;
    if (next === undefined || next.status === 'cancelled') return {};
    const by = next.status === 'waiting' ? next.seats[0] : undefined;
    return { nextGameId: next.gameId, ...(by === undefined ? {} : { nextGameBy: by.userId }) };
  }

  /** The game as this user's lists contain it. */
  summary(userId: string | undefined): Schemas['Game'] {
    return {
      ...this.#common(userId),
      players: this.seats.map((seat) => ({ ...seat, ...this.ratingOf(seat.userId) })),
      ...(this.seats.some((seat) => seat.userId === userId) ? { isOwn: true } : {}),
      yourTurn: this.turn?.userId === userId,
      moveCount: this.#moves.length,
    };
  }

  /** The result, with the text for one of the players. */
  end(userId: string): Schemas['GameEnd'] | undefined {
    const { winner, reason, forfeiter } = this;
    if (reason === undefined) return undefined;
    const { gameId, version } = this;
    if (winner === undefined) {
      const message = 'The game was declared void.';
      return { gameId, reason, ...this.#decision(), isDraw: false, forfeit: false, message, ...this.#kind(), version };
    }
    const isPlayer = this.seats.some((seat) => seat.userId === userId);
    const hasWon = winner.userId === userId;
    const messages = (isPlayer ? END_MESSAGES[reason] : undefined) ?? ['You Won!', `${winner.displayName} Won!`];
    return {
      gameId,
      reason,
      ...this.#decision(),
      winner: this.markOf(winner),
      winnerUserId: winner.userId,
      isDraw: false,
      forfeit: forfeiter !== undefined,
      ...(forfeiter === undefined ? {} : { forfeiter: forfeiter.userId }),
      message: messages[hasWon ? 0 : 1] ?? '',
      ...this.#kind(),
      ...winningLine(this.position),
      ...(this.tournamentResult === undefined ? {} : { tournamentResult: this.tournamentResult }),
      version,
    };
  }

  /** What changes of the game while it is played. */
  liveBoard(watchers: number): Schemas['LiveBoard'] {
    const { turn, winner } = this;
    const last = this.#moves.at(-1);
    return {
      gameId: this.gameId,
      version: this.version,
      boardSize: this.position.size,
      cells: this.position.board.flatMap((cells) => cells.map((cell) => cell || '.')).join(''),
      drawCount: this.drawCount,
      status: this.status,
      watchers,
      ...(last === undefined ? {} : { lastMove: [last.row, last.col] }),
      ...(turn === undefined ? {} : { currentTurn: turn.userId }),
      ...(winner === undefined ? {} : { winnerUserId: winner.userId }),
      ...winningLine(this.position),
    };
  }

  get endedAt(): string | undefined {
    return this.#endedAt;
  }

  #decision() {
    return this.decision === undefined ? {} : { decision: this.decision };
  }

  replay(): Schemas['Replay'] {
    return {
      gameId: this.gameId,
      players: this.seats.map((seat) => ({ ...seat, symbol: this.markOf(seat), ...this.ratingOf(seat.userId) })),
      rounds: this.#rounds
        .filter(({ moves }) => moves.length > 0)
        .map((round) => ({ ...round, moves: [...round.moves] })),
      isDraw: this.position.isDraw && this.winner === undefined,
      ...(this.winner === undefined ? {} : { winner: this.markOf(this.winner) }),
      ...(this.reason === undefined ? {} : { reason: this.reason }),
      ...this.#decision(),
      ...this.#kind(),
      ...this.#terms(),
      createdAt: this.createdAt,
      ...(this.#endedAt === undefined ? {} : { endedAt: this.#endedAt }),
    };
  }

  /** The game as text with tags; the event's title as it is told to the reader, and its stage round and board. */
  notation(site: string, event: string | undefined, round?: string): string {
    const { winner, isDraw, reason, rounds, clock, rated, gameType } = this.replay();
    const [date = '', time = ''] = this.createdAt.split('T');
    const name = (mark: 'X' | 'O') => this.seats.find((each) => this.markOf(each) === mark)?.username ?? '?';
    const noted = rounds.map(({ boardSize, starter, moves }) => ({
      boardSize: boardSize as BoardSize,
      starter,
      moves: moves.map(({ row, col }) => [row, col] as const),
    }));
    const result = resultOf(winner ?? null, isDraw);
    const [first, ...derived] = tagsOf(noted, result, this.position.size);
    const outside = gameType === 'invite' ? 'Invite game' : 'Quick match';
    return writeNotation({
      tags: [
        ['Event', event ?? (gameType === 'event' ? '?' : outside)],
        ['Site', site],
        ['Date', date.replaceAll('-', '.')],
        ['Time', time.slice(0, 8)],
        ...(round === undefined ? [] : ([['Round', round]] as const)),
        ['X', name('X')],
        ['O', name('O')],
        ...(rated === undefined ? [] : ([['Rated', rated ? 'yes' : 'no']] as const)),
        ['GameId', this.gameId],
        first ?? ['Result', result],
        ...(reason === undefined ? [] : ([['Reason', reason]] as const)),
        ...derived,
        ['TimeControl', clock],
      ],
      rounds: noted,
      result,
    });
  }

  #terms() {
    // Everybody here is at one address.
    return { ...this.terms, ...(this.event === undefined ? {} : { rated: false }) };
  }

  /** A game outside events has a pseudo event id: `remote-` or `quick-`, and the game's id. */
  #kind() {
    if (this.event !== undefined) return { gameType: 'event' as const, eventId: this.event.eventId };
    return this.terms.rated === undefined
      ? { gameType: 'invite' as const, eventId: `remote-${this.gameId}` }
      : { gameType: 'quick' as const, eventId: `quick-${this.gameId}` };
  }

  #common(viewer: string | undefined) {
    const { position, turn } = this;
    const [inviter] = this.seats;
    const isOpen = this.seats.length === 1 && inviter?.userId === viewer;
    return {
      gameId: this.gameId,
      ...this.#kind(),
      ...this.#terms(),
      level: this.event?.level ?? 1,
      initiatorUserId: this.seats[0]?.userId ?? '',
      status: this.status,
      notify: this.event === undefined && this.terms.rated === undefined,
      boardSize: position.size,
      drawCount: this.drawCount,
      isDraw: position.isDraw && this.winner === undefined,
      createdAt: this.createdAt,
      ...(turn === undefined ? {} : { currentTurn: turn.userId }),
      ...(this.winner === undefined ? {} : { winnerUserId: this.winner.userId }),
      ...(this.reason === undefined ? {} : { reason: this.reason }),
      ...(isOpen && this.inviteToken !== undefined ? { inviteToken: this.inviteToken } : {}),
      ...(this.#endedAt === undefined ? {} : { endedAt: this.#endedAt }),
    };
  }
}

/** Whether the loser did not come, or said so beforehand. */
export function isNoShow(reason: Reason | undefined): boolean {
  return reason === 'noShow' || reason === 'declined';
}

/** What the two players are told of an end that is not on the board: the winner, then the loser. */
const END_MESSAGES: Partial<Record<Reason, readonly [string, string]>> = {
  forfeit: ['Opponent forfeited. You win!', 'You forfeited. Opponent wins!'],
  timeout: ['Opponent ran out of time. You win!', 'You ran out of time. Opponent wins!'],
  noShow: ['Opponent did not come. You win!', 'You did not come in time. Opponent wins!'],
  declined: ['Opponent declined the game. You win!', 'You declined the game. Opponent wins!'],
  removed: ['Opponent was removed. You win!', 'You were removed. Opponent wins!'],
  disconnect: ['Opponent was away for too long. You win!', 'You were away for too long. Opponent wins!'],
  time: ['You used less time. You win!', 'Opponent used less time and wins!'],
};

function grid({ board }: Position): string[][] {
  return board.map((cells) => [...cells]);
}

function winningLine({ winningLine: line }: Position) {
  return line === null ? {} : { winningLine: line.map((place) => [...place]) };
}

import type { components } from '@/api/schema';
import type { ServerEvents } from '@/realtime/protocol';
import { type BoardSize, isBoardSize, opposite } from '@/shared/rules';
import { MockEvents } from './mockEvents';
import { Billing } from './billing';
import { type EventGame, MockGame, type Seat, seat, small } from './mockGame';
import { LogBook } from './logbook';
import { choose, stumble } from './opponent';
import { conflict, invalid, notFound, notSignedIn, Refusal, tooMany } from './refusal';
import { seedEvents } from './seed';
import { AccountState } from './accountSettings';

type Schemas = components['schemas'];
export type User = Schemas['User'];

/** The accounts that mock mode offers: a player on the free plan, and an admin with Pro. */
export const DEMO = { email: 'ada@example.org', password: 'Chalk-and-1nk' } as const;
export const DEMO_ADMIN = { email: 'grace@example.org', password: DEMO.password } as const;

export type Send = <E extends keyof ServerEvents>(event: E, data: ServerEvents[E]) => void;

interface Account extends Omit<User, 'hasPassword'> {
  password: string;
}

interface Options {
  /**
   * In milliseconds: how long the mock opponent takes to join, to move and to invite; how often the simulated players of
   * an event look for a game; how long a turn in an event game is; and how often a record is added to a followed log.
   */
  pace?: {
    join: number;
    move: number;
    invite: number;
    others: number;
    turn: number;
    log?: number;
    search?: number;
    noShow?: number;
  };
}

const INVITES_AT_ONCE = 20;
const INVITE_MS = 60_000 / INVITES_AT_ONCE;
/** Both players of an event game must have joined it within this time. */
const NO_SHOW_MS = 20_000;

/** A turn of an event game: docs/behaviour/play.md#turn-clock. */
const TURN_MS = 15_000;
/** Moves are accepted until this long after the deadline. */
const TURN_GRACE_MS = 500;

/** The stateful mock of the server, for one browser: accounts, the session, games and events. Kept in memory only. */
export class MockServer {
  readonly #accounts: Account[] = [];
  readonly #games = new Map<string, MockGame>();
  readonly #shared = new Map<string, string>();
  /** Former usernames, with the ids of their users. */
  readonly #formerNames = new Map<string, string>();
  /** The open websockets, with the ids of their users. */
  readonly #listeners = new Map<Send, string>();
  /** By user: until when their recent invitations count towards the limit, in Unix milliseconds. */
  readonly #invited = new Map<string, number>();
  /** Ids of games that somebody watches. */
  readonly #watched = new Set<string>();
  readonly #pace: Required<Options>['pace'];
  readonly events: MockEvents;
  readonly accountState = new AccountState();
  readonly logs: LogBook;
  /** Actions of admins, the oldest first. */
  readonly auditLog: Schemas['AuditEntry'][] = [];
  readonly billing = new Billing((userId, isProUser) => {
    Object.assign(this.#accounts.find((each) => each.userId === userId) ?? {}, { isProUser });
  });
  #signedIn: Account | undefined;
  #hasInvited = false;
  #othersTimer: ReturnType<typeof setInterval> | undefined;

  constructor({
    pace = { join: 1_500, move: 700, invite: 20_000, others: 2_000, turn: TURN_MS, log: 900 },
  }: Options = {}) {
    this.#pace = pace;
    this.addUser('ada', DEMO.email, DEMO.password);
    for (const name of ['bob', 'barbara', 'edsger', 'hedy', 'margaret']) this.#addOther(name);
    this.addUser('grace', DEMO_ADMIN.email, DEMO_ADMIN.password);
    const grace = this.#accounts.at(-1);
    if (grace !== undefined) {
      grace.isAdmin = true;
      this.billing.grant(grace.userId, 'Keeps this server running.');
    }
    this.#addOther('linus');
    this.logs = new LogBook(
      this.#accounts.map(({ userId }) => userId),
      pace.log,
    );
    this.events = this.#openEvents();
    const [demo, ...others] = this.#accounts.map(seat);
    if (demo !== undefined) seedEvents(this.events, demo, others);
  }

  #addOther(name: string): void {
    this.addUser(name, `${name}@example.org`, crypto.randomUUID());
  }

  #openEvents(): MockEvents {
    const signedIn = () => this.#signedIn;
    const others = () => this.#accounts.filter((each) => each !== this.#signedIn).map(seat);
    return new MockEvents({
      get viewer() {
        const account = signedIn();
        return account === undefined ? undefined : own(account);
      },
      get others() {
        return others();
      },
      send: this.send,
      gamesOf: (eventId) => this.gamesOf(eventId),
      createEventGame: (eventId, seats, level, size) => {
        const game = this.#add(crypto.randomUUID(), seats, size, 'X', { eventId, level, turnMs: this.#pace.turn });
        // Two simulated players join at once; otherwise the signed-in user still has to join.
        const here = seats.filter(({ userId }) => userId !== this.#signedIn?.userId);
        if (here.length === 2) setTimeout(() => here.forEach(({ userId }) => this.enter(game, userId)));
        else setTimeout(() => this.#come(game), this.#pace.join);
        setTimeout(() => this.#checkPresence(game), this.#pace.noShow ?? NO_SHOW_MS);
        return game;
      },
      declareVoid: (game) => this.#declareVoid(game, 'void'),
      giveUp: (game, userId) => {
        game.forfeit(userId, game.status === 'waiting' ? 'noShow' : 'forfeit');
        this.#finish(game);
      },
      decide: (game) => {
        game.decideByTime();
        this.#finish(game);
      },
    });
  }

  get user(): User {
    if (this.#signedIn === undefined) throw notSignedIn();
    return own(this.#signedIn);
  }

  /** As `user`, but refuses guests. */
  get member(): User {
    const { user } = this;
    if (user.isTempUser) {
      const text = 'Guests cannot do this. Create an account first; your games come with you.';
      throw new Refusal(403, 'guest', text);
    }
    return user;
  }

  /** How long the search for an opponent in an event takes, in milliseconds. */
  get searchMs(): number {
    return this.#pace.search ?? 2 * this.#pace.join;
  }

  /** The signed-in user; undefined for visitors. */
  get viewer(): User | undefined {
    return this.#signedIn === undefined ? undefined : own(this.#signedIn);
  }

  get isSignedIn(): boolean {
    return this.#signedIn !== undefined;
  }

  addUser(username: string, email: string, password: string, names: { firstName?: string; lastName?: string } = {}) {
    this.#checkFree(username, email);
    this.#accounts.push({ ...newAccount(username), ...names, email, password });
  }

  /** Signs a visitor in as a guest with a random name. */
  addGuest(): User {
    const username = `guest_${Math.random().toString(36).slice(2, 8)}`;
    this.#signedIn = { ...newAccount(username), displayName: randomName(), isTempUser: true };
    this.#accounts.push(this.#signedIn);
    return this.user;
  }

  /** Turns the signed-in guest into an account with the same id. */
  keepGuest(changes: Pick<Account, 'username' | 'email' | 'password' | 'firstName' | 'lastName'>): User {
    this.#checkFree(changes.username, changes.email);
    return this.update({ ...changes, isTempUser: false });
  }

  #checkFree(username: string, email: string): void {
    const others = this.#accounts.filter((each) => each !== this.#signedIn);
    if (others.some((each) => each.username.toLowerCase() === username.toLowerCase())) {
      const text = 'This username is taken. Please choose another.';
      throw Object.assign(conflict('username-taken', text), { fieldErrors: { username: text } });
    }
    if (others.some((each) => each.email.toLowerCase() === email.toLowerCase())) {
      const text = 'This email belongs to another account. Please use another, or sign in.';
      throw Object.assign(conflict('email-taken', text), { fieldErrors: { email: text } });
    }
  }

  /** Signs in; false when the password is wrong. */
  signIn(email: string, password: string): boolean {
    const account = this.#accounts.find((each) => each.email.toLowerCase() === email.toLowerCase());
    if (account?.password !== password) return false;
    this.#signedIn = account;
    return true;
  }

  signOut(): void {
    this.events.forget();
    this.#signedIn = undefined;
  }

  update(changes: Partial<Omit<Account, 'userId' | 'createdAt'>>): User {
    if (this.#signedIn === undefined) throw notSignedIn();
    return own(Object.assign(this.#signedIn, changes));
  }

  /** Sets a password by recovery, which verifies the email and ends every session. */
  setPassword(email: string, password: string): void {
    const account = this.#accounts.find((each) => each.email.toLowerCase() === email.toLowerCase());
    Object.assign(account ?? {}, { password, emailVerified: true });
    if (account === this.#signedIn) this.signOut();
  }

  /** Deletes the signed-in user's account and forfeits their games. */
  removeAccount(): void {
    const { userId } = this.user;
    for (const game of this.games(userId)) if (game.status === 'active') this.forfeit(game, userId);
    this.#accounts.splice(
      this.#accounts.findIndex((each) => each.userId === userId),
      1,
    );
    this.signOut();
  }

  /** Refuses unless the password is right; accounts without one need none. */
  prove(password: string | undefined): void {
    if (this.user.isTempUser) return;
    if (!password) throw invalid('password', 'Please enter your password.', 'password-needed');
    if (!this.hasPassword(password)) throw invalid('password', 'The password is wrong.');
  }

  /** Changes the username; the former one still finds the user. */
  rename(username: string): void {
    const { userId, email, username: before, usernameChangeableAt: again } = this.user;
    if (username === before) return;
    if (again !== undefined && Date.parse(again) > Date.now()) {
      const day = new Date(again).toLocaleDateString('en-GB', {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone: 'UTC',
      });
      const text = `You can change your username again on ${day}.`;
      throw Object.assign(conflict('username-cooldown', text), { fieldErrors: { username: text } });
    }
    this.#checkFree(username, email || userId);
    this.update({ usernameChangeableAt: new Date(Date.now() + RENAMED_EVERY_MS).toISOString() });
    this.#formerNames.delete(username.toLowerCase());
    if (before.toLowerCase() !== username.toLowerCase()) this.#formerNames.set(before.toLowerCase(), userId);
  }

  /** Finds a user by their current or a former username. */
  findByName(text: string): User {
    const name = text.toLowerCase();
    const former = this.#formerNames.get(name);
    return this.find((each) => each.username.toLowerCase() === name || each.userId === former);
  }

  /** Moves a guest's games to the signed-in user and returns their number. */
  adoptGuest(guestId: string): number {
    const games = this.games(guestId);
    for (const game of games) game.replace(guestId, seat(this.user));
    this.#accounts.splice(
      this.#accounts.findIndex((each) => each.userId === guestId),
      1,
    );
    return games.length;
  }

  restoreEmail(userId: string, email: string): void {
    const account = this.#accounts.find((each) => each.userId === userId);
    Object.assign(account ?? {}, { email, emailVerified: true });
    if (account === this.#signedIn) this.signOut();
  }

  hasPassword(password: string): boolean {
    return this.#signedIn?.password === password;
  }

  find(matches: (user: User) => boolean): User {
    const account = this.#accounts.find((each) => matches(own(each)));
    if (account === undefined) throw notFound('User');
    return own(account);
  }

  /** Users whose name or email contains the text, sorted by username. */
  everybody(text: string): User[] {
    const wanted = text.trim().toLowerCase();
    return this.#accounts
      .filter((each) => `${each.username}\n${each.displayName}\n${each.email}`.toLowerCase().includes(wanted))
      .toSorted((a, b) => a.username.localeCompare(b.username))
      .map(own);
  }

  /** Users whose username or display name contains the text, without the caller. */
  search(text: string, limit = 10): User[] {
    if (text.trim().length < 2) throw invalid('text', 'Type at least 2 characters');
    const wanted = text.trim().toLowerCase();
    return this.#accounts
      .filter(
        (each) => each !== this.#signedIn && `${each.username}\n${each.displayName}`.toLowerCase().includes(wanted),
      )
      .slice(0, limit)
      .map(own);
  }

  game(gameId: string): MockGame {
    const game = this.#games.get(gameId);
    if (game === undefined) throw notFound('Game');
    return game;
  }

  hasGame(gameId: string): boolean {
    return this.#games.has(gameId);
  }

  games(userId: string): MockGame[] {
    return [...this.#games.values()].filter(({ seats }) => seats.some((seat) => seat.userId === userId)).reverse();
  }

  /** Limits invitations, including Play Again, to twenty a minute, with one more every three seconds. */
  admitInvite(): void {
    const { userId } = this.user;
    const until = Math.max(this.#invited.get(userId) ?? 0, Date.now()) + INVITE_MS;
    const wait = until - Date.now() - INVITES_AT_ONCE * INVITE_MS;
    if (wait > 0) throw tooMany(Math.max(Math.floor(wait / 1_000), 1));
    this.#invited.set(userId, until);
  }

  /** Creates an invite game; the mock opponent joins after a moment. */
  create(gameId: string, seats: Seat[], boardSize: number, starter: 'X' | 'O' = 'X'): MockGame {
    if (!isBoardSize(boardSize)) throw invalid('boardSize', 'A board has 3 to 6 cells a side.');
    if (this.#games.has(gameId)) throw conflict('id-taken', 'There is a game with this id already.');
    const game = this.#add(gameId, seats, boardSize, starter);
    setTimeout(() => this.#come(game), this.#pace.join);
    return game;
  }

  #add(gameId: string, seats: Seat[], boardSize: BoardSize, starter: 'X' | 'O', event?: EventGame): MockGame {
    const game = new MockGame(gameId, seats, boardSize, starter, event);
    this.#games.set(gameId, game);
    return game;
  }

  /** An event's games, the latest first. */
  gamesOf(eventId: string): MockGame[] {
    return [...this.#games.values()].filter(({ event }) => event?.eventId === eventId).reverse();
  }

  liveGames(): MockGame[] {
    return [...this.#games.values()].filter(({ status }) => status === 'active');
  }

  watch(game: MockGame): void {
    this.#watched.add(game.gameId);
  }

  unwatch(gameId: string): void {
    this.#watched.delete(gameId);
  }

  playAgain(game: MockGame): MockGame {
    if (game.event !== undefined) throw conflict('not-an-invite-game', 'This is possible in invite games only.');
    if (game.status === 'cancelled') {
      throw conflict('game-not-played', 'This game was called off, so it has no next one.');
    }
    if (game.status !== 'completed') throw conflict('game-not-over', 'The game is still being played.');
    if (game.next !== undefined && game.next.status !== 'cancelled') return game.next;
    this.admitInvite();
    // The user who offers is X, and the other mark starts than before.
    const { userId } = this.user;
    const [x] = game.seats;
    const { size, starter } = game.position;
    const seats = game.seats.toSorted((seat) => (seat.userId === userId ? -1 : 1));
    const next = this.create(crypto.randomUUID(), seats, size, x?.userId === userId ? opposite(starter) : starter);
    game.next = next;
    return next;
  }

  share(game: MockGame): string {
    const known = [...this.#shared].find(([, gameId]) => gameId === game.gameId);
    if (known !== undefined) return known[0];
    const token = crypto.randomUUID();
    this.#shared.set(token, game.gameId);
    return token;
  }

  shared(token: string): MockGame {
    return this.game(this.#shared.get(token) ?? '');
  }

  /** A user joins a game, which starts when both have joined. */
  enter(game: MockGame, userId: string): void {
    if (game.enter(userId)) this.#start(game);
  }

  move(game: MockGame, userId: string, row: number, col: number, version?: number): void {
    const { drawCount } = game;
    const update = game.move(userId, row, col, version);
    this.#sendToRoom(game, 'moveUpdate', update);
    if (game.drawCount > drawCount) {
      this.#sendToRoom(game, 'gameDraw', {
        gameId: game.gameId,
        newGameState: game.state(),
        message: `Round ${game.drawCount} ended in a draw. Starting new round...`,
        version: game.version,
      });
    }
    if (game.isOver) this.#finish(game);
    else this.#goOn(game);
  }

  /** An admin decides the game; without a winner it is void. */
  adjudicate(game: MockGame, winner: Seat | undefined): void {
    if (winner === undefined) return this.#declareVoid(game, 'adjudicated');
    game.adjudicate(winner);
    this.#finish(game);
  }

  setAdmin(userId: string, isAdmin: boolean): User {
    const account = this.#accounts.find((each) => each.userId === userId);
    if (account === undefined) throw notFound('User');
    return own(Object.assign(account, { isAdmin }));
  }

  /** Records an action of the signed-in admin. */
  audit(action: string, subject: string, detail: object): void {
    this.auditLog.push({
      auditId: crypto.randomUUID(),
      actor: this.user.username,
      action,
      subject,
      address: '127.0.0.1',
      detail: JSON.stringify(detail),
      at: new Date().toISOString(),
    });
  }

  forfeit(game: MockGame, userId: string): void {
    game.forfeit(userId);
    this.#finish(game);
  }

  cancel(game: MockGame, user: Seat): void {
    game.seatOf(user.userId);
    if (game.isOver) throw conflict('game-over', 'The game is over.');
    if (game.status === 'active') throw conflict('game-already-started', 'The game has already started.');
    if (game.event !== undefined) {
      // Declining counts as not joining.
      game.forfeit(user.userId, 'noShow');
      return this.#finish(game);
    }
    game.callOff();
    const isInviter = game.seats[0]?.userId === user.userId;
    const who = user.userId === this.#signedIn?.userId ? 'You' : user.displayName;
    this.#sendToRoom(game, 'gameCancelled', {
      gameId: game.gameId,
      success: true,
      message: `${who} ${isInviter ? 'cancelled' : 'declined'} the invitation.`,
      reason: isInviter ? 'withdrawn' : 'declined',
      userId: user.userId,
    });
  }

  listen(send: Send): () => void {
    this.#listeners.set(send, this.user.userId);
    if (!this.#hasInvited) setTimeout(() => this.#invite(), this.#pace.invite);
    this.#hasInvited = true;
    // The simulated players play only while somebody is connected.
    this.#othersTimer ??= setInterval(() => this.events.playOthers(), this.#pace.others);
    return () => {
      this.#listeners.delete(send);
      if (this.#listeners.size > 0) return;
      this.events.disconnected();
      clearInterval(this.#othersTimer);
      this.#othersTimer = undefined;
    };
  }

  readonly send: Send = (event, data) => {
    for (const send of this.#listeners.keys()) send(event, data);
  };

  /** Sends a frame to all players and watchers of the game. */
  #sendToRoom: <E extends keyof ServerEvents>(game: MockGame, event: E, data: ServerEvents[E]) => void = (
    game,
    event,
    data,
  ) => {
    for (const [send, userId] of this.#listeners) {
      if (this.#watched.has(game.gameId) || game.seats.some((each) => each.userId === userId)) send(event, data);
    }
  };

  /** Sends the result to all of them, each with their own text. */
  #sendGameEnd(game: MockGame): void {
    for (const [send, userId] of this.#listeners) {
      const end = game.end(userId);
      const isThere = this.#watched.has(game.gameId) || game.seats.some((each) => each.userId === userId);
      if (isThere && end !== undefined) send('gameEnd', end);
    }
  }

  #declareVoid(game: MockGame, reason: 'void' | 'adjudicated'): void {
    game.callOff(reason);
    this.#sendGameEnd(game);
    if (game.event !== undefined) this.events.settle();
  }

  /** A player who has not joined loses; if neither has, the game is void. */
  #checkPresence(game: MockGame): void {
    if (game.status !== 'waiting') return;
    const absent = game.seats.filter(({ userId }) => !game.isHere(userId));
    const [first, second] = absent;
    if (first === undefined || second !== undefined) return this.#declareVoid(game, 'void');
    game.forfeit(first.userId, 'noShow');
    this.#finish(game);
  }

  #come(game: MockGame): void {
    if (game.isOver) return;
    const [first] = game.seats;
    if (game.inviteToken !== undefined && game.seats.length === 1) {
      const visitor = this.#accounts.find(({ userId }) => userId !== first?.userId);
      if (visitor !== undefined) game.claim(seat(visitor), game.inviteToken);
    }
    const opponent = game.seats.find(({ userId }) => userId !== this.#signedIn?.userId);
    if (opponent !== undefined && game.enter(opponent.userId)) this.#start(game);
  }

  #start(game: MockGame): void {
    this.#sendToRoom(game, 'gameStarted', { gameId: game.gameId, gameState: game.state() });
    this.#goOn(game);
  }

  /** The mock opponent moves if it is their turn; in an event a turn that takes too long forfeits. */
  #goOn(game: MockGame): void {
    const { turn, version, event } = game;
    if (turn === undefined) return;
    if (event !== undefined) {
      setTimeout(() => {
        if (game.isOver || game.version !== version) return;
        game.forfeit(turn.userId, 'timeout');
        this.#finish(game);
      }, event.turnMs + TURN_GRACE_MS);
    }
    if (turn.userId === this.#signedIn?.userId) return;
    // Against each other they make mistakes, so that games end and standings change.
    const isAmongOthers = !game.seats.some(({ userId }) => userId === this.#signedIn?.userId);
    const next = isAmongOthers ? stumble : choose;
    setTimeout(() => {
      const place = game.turn === turn && game.version === version ? next(game.position) : undefined;
      if (place !== undefined) this.move(game, turn.userId, ...place);
    }, this.#pace.move);
  }

  #finish(game: MockGame): void {
    const goOn = this.events.record(game);
    const { gameId, version, reason } = game;
    if (reason === undefined) this.#sendToRoom(game, 'gameDraw', { gameId, message: "It's a Draw!", version });
    else this.#sendGameEnd(game);
    goOn();
    if (game.event !== undefined) this.send('refreshLeaderboard', { eventId: game.event.eventId });
  }

  /** A mock user invites the signed-in user once. */
  #invite(): void {
    const from = this.#accounts.findLast(({ userId }) => userId !== this.#signedIn?.userId);
    if (this.#signedIn === undefined || from === undefined) return;
    const game = this.create(crypto.randomUUID(), [seat(from), seat(this.#signedIn)], 3);
    this.send('gameInvitation', { game: game.summary(this.#signedIn.userId), from: seat(from) });
  }
}

/** How long a username cannot be changed again, in milliseconds. */
const RENAMED_EVERY_MS = 30 * 24 * 60 * 60 * 1_000;

function own({ password, ...user }: Account): User {
  return { ...user, ...small(user.profile), hasPassword: password !== '' };
}

function newAccount(username: string): Account {
  return {
    userId: crypto.randomUUID(),
    username,
    firstName: '',
    lastName: '',
    displayName: username,
    email: '',
    password: '',
    emailVerified: false,
    profile: '',
    isProUser: false,
    isTempUser: false,
    isAdmin: false,
    createdAt: new Date().toISOString(),
  };
}

const FIRST = ['Quick', 'Patient', 'Clever', 'Merry', 'Bold', 'Quiet'];
const SECOND = ['Pen', 'Chalk', 'Owl', 'Fox', 'Heron', 'Badger'];

/** A random display name like the server's. */
export function randomName(): string {
  const any = (words: string[]) => words[Math.floor(Math.random() * words.length)] ?? '';
  return `${any(FIRST)} ${any(SECOND)} ${10 + Math.floor(Math.random() * 90)}`;
}

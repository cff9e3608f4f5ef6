import type { components } from '@/api/schema';
import type { ServerEvents } from '@/realtime/protocol';
import { isBoardSize, opposite } from '@/shared/rules';
import { MockGame, type Seat } from './game';
import { choose } from './opponent';
import { conflict, invalid, notFound, notSignedIn } from './refusal';

type Schemas = components['schemas'];
export type User = Schemas['User'];

/** The account that mock mode tells a developer of. */
export const DEMO = { email: 'ada@example.org', password: 'Chalk-and-1nk' } as const;

export type Tell = <E extends keyof ServerEvents>(event: E, data: ServerEvents[E]) => void;

interface Account extends User {
  password: string;
}

interface Options {
  /** How long the mock opponent takes to come, to move and to invite, in milliseconds. */
  pace?: { come: number; move: number; invite: number };
}

/** One browser's server: people, who is signed in, and their games. Nothing outlives the page. */
export class World {
  readonly #accounts: Account[] = [];
  readonly #games = new Map<string, MockGame>();
  readonly #shared = new Map<string, string>();
  /** The open websockets, all of them the signed-in person's. */
  readonly #listeners = new Set<Tell>();
  readonly #pace: Required<Options>['pace'];
  #signedIn: Account | undefined;
  #hasInvited = false;

  constructor({ pace = { come: 1_500, move: 700, invite: 20_000 } }: Options = {}) {
    this.#pace = pace;
    this.addUser('ada', DEMO.email, DEMO.password);
    for (const name of ['bob', 'grace', 'linus']) this.addUser(name, `${name}@example.org`, crypto.randomUUID());
  }

  get user(): User {
    if (this.#signedIn === undefined) throw notSignedIn();
    return own(this.#signedIn);
  }

  get isSignedIn(): boolean {
    return this.#signedIn !== undefined;
  }

  addUser(username: string, email: string, password: string, names: { firstName?: string; lastName?: string } = {}) {
    if (this.#accounts.some((each) => each.username.toLowerCase() === username.toLowerCase())) {
      const text = 'This username is taken. Please choose another.';
      throw Object.assign(conflict('username-taken', text), { fieldErrors: { username: text } });
    }
    if (this.#accounts.some((each) => each.email.toLowerCase() === email.toLowerCase())) {
      const text = 'This email belongs to another account. Please use another, or sign in.';
      throw Object.assign(conflict('email-taken', text), { fieldErrors: { email: text } });
    }
    this.#accounts.push({
      userId: crypto.randomUUID(),
      username,
      firstName: names.firstName ?? '',
      lastName: names.lastName ?? '',
      displayName: username,
      email,
      password,
      emailVerified: false,
      profile: '',
      isProUser: false,
      isTempUser: false,
      isAdmin: false,
      createdAt: new Date().toISOString(),
    });
  }

  /** Signs in; false when the password is wrong. */
  signIn(email: string, password: string): boolean {
    const account = this.#accounts.find((each) => each.email.toLowerCase() === email.toLowerCase());
    if (account?.password !== password) return false;
    this.#signedIn = account;
    return true;
  }

  signOut(): void {
    this.#signedIn = undefined;
  }

  update(changes: Partial<Pick<Account, 'username' | 'displayName' | 'firstName' | 'lastName' | 'password'>>): User {
    if (this.#signedIn === undefined) throw notSignedIn();
    return own(Object.assign(this.#signedIn, changes));
  }

  hasPassword(password: string): boolean {
    return this.#signedIn?.password === password;
  }

  find(matches: (user: User) => boolean): User {
    const account = this.#accounts.find(matches);
    if (account === undefined) throw notFound('User');
    return own(account);
  }

  /** Whose username or display name contains the text, without the caller. */
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

  /** Makes an invite game; with a mock opponent in it, who comes after a moment. */
  create(gameId: string, seats: Seat[], boardSize: number, starter: 'X' | 'O' = 'X'): MockGame {
    if (!isBoardSize(boardSize)) throw invalid('boardSize', 'A board has 3 to 6 cells a side.');
    if (this.#games.has(gameId)) throw conflict('id-taken', 'There is a game with this id already.');
    const game = new MockGame(gameId, seats, boardSize, starter);
    this.#games.set(gameId, game);
    setTimeout(() => this.#come(game), this.#pace.come);
    return game;
  }

  playAgain(game: MockGame): MockGame {
    if (game.status !== 'completed') throw conflict('game-not-over', 'The game is not over yet.');
    if (game.nextGameId !== undefined) return this.game(game.nextGameId);
    const next = this.create(crypto.randomUUID(), [...game.seats], game.position.size, opposite(game.position.starter));
    game.nextGameId = next.gameId;
    return next;
  }

  share(game: MockGame): string {
    const token = crypto.randomUUID();
    this.#shared.set(token, game.gameId);
    return token;
  }

  shared(token: string): MockGame {
    return this.game(this.#shared.get(token) ?? '');
  }

  /** The signed-in person comes into a game; it starts when both are there. */
  enter(game: MockGame, userId: string): void {
    if (game.enter(userId)) this.#start(game);
  }

  move(game: MockGame, userId: string, row: number, col: number, version?: number): void {
    this.tell('moveUpdate', game.move(userId, row, col, version));
    if (game.isOver) this.#tellEnd(game);
    else this.#think(game);
  }

  forfeit(game: MockGame, userId: string): void {
    game.forfeit(userId);
    this.#tellEnd(game);
  }

  cancel(game: MockGame, user: Seat): void {
    game.cancel(user.userId);
    const message = `${user.username} cancelled the game.`;
    this.tell('gameCancelled', { gameId: game.gameId, success: true, message });
  }

  listen(tell: Tell): () => void {
    this.#listeners.add(tell);
    if (!this.#hasInvited) setTimeout(() => this.#invite(), this.#pace.invite);
    this.#hasInvited = true;
    return () => this.#listeners.delete(tell);
  }

  readonly tell: Tell = (event, data) => {
    for (const tell of this.#listeners) tell(event, data);
  };

  #come(game: MockGame): void {
    if (game.isOver) return;
    const [first] = game.seats;
    if (game.inviteToken !== undefined) {
      const visitor = this.#accounts.find(({ userId }) => userId !== first?.userId);
      if (visitor !== undefined) game.claim(seat(visitor), game.inviteToken);
    }
    const opponent = game.seats.find(({ userId }) => userId !== this.#signedIn?.userId);
    if (opponent !== undefined && game.enter(opponent.userId)) this.#start(game);
  }

  #start(game: MockGame): void {
    this.tell('gameStarted', { gameId: game.gameId, gameState: game.state() });
    this.#think(game);
  }

  /** The mock opponent moves, if it is their turn. */
  #think(game: MockGame): void {
    const { turn } = game;
    if (turn === undefined || turn.userId === this.#signedIn?.userId) return;
    setTimeout(() => {
      const place = game.turn === turn ? choose(game.position) : undefined;
      if (place !== undefined) this.move(game, turn.userId, ...place);
    }, this.#pace.move);
  }

  #tellEnd(game: MockGame): void {
    const end = game.end(this.#signedIn?.userId ?? '');
    const { gameId, version } = game;
    if (end === undefined) this.tell('gameDraw', { gameId, message: "It's a Draw!", version });
    else this.tell('gameEnd', end);
  }

  /** Somebody invites the signed-in person once, so that an invitation can be seen. */
  #invite(): void {
    const from = this.#accounts.findLast(({ userId }) => userId !== this.#signedIn?.userId);
    if (this.#signedIn === undefined || from === undefined) return;
    const game = this.create(crypto.randomUUID(), [seat(from), seat(this.#signedIn)], 3);
    this.tell('gameInvitation', { game: game.entry(this.#signedIn.userId), from: seat(from) });
  }
}

export function seat({ userId, username }: Seat): Seat {
  return { userId, username };
}

function own({ password, ...user }: Account): User {
  return user;
}

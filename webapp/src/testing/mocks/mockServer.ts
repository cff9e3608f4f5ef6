import type { components } from '@/api/schema';
import { type BoardSize, isBoardSize, opposite } from '@/shared/rules';
import { MockEvents } from './mockEvents';
import { Billing } from './billing';
import { type EventGame, MockGame, type Seat, seat, type Terms } from './mockGame';
import { QuickMatches } from './quickMatch';
import { Ratings } from './ratings';
import { MockAccounts, type User } from './mockAccounts';
import { LiveNow } from './liveNow';
import { LogBook } from './logbook';
import { type KeptEvidence, seedEngineUse } from './engineUse';
import { earlierGames } from './playedGames';
import { Moderation, seedReports } from './moderation';
import { MockNotifications } from './notifications';
import { mustMeet } from './entry';
import { choose, stumble } from './opponent';
import { admitReaction, answerTo, type Reaction } from './reactions';
import { conflict, invalid, notFound, tooMany } from './refusal';
import { MockPresence } from './presence';
import { Rooms, type Send } from './rooms';
import { seedEvents } from './seed';
import { seedHosted } from './seedHosted';
import { seedStages } from './seedStages';
import { MockSeries } from './series';
import { seedSeries } from './seedSeries';
import { AccountState } from './accountSettings';
import { SecondFactors } from './secondFactor';
import { Webhooks } from './webhooks';

type Schemas = components['schemas'];

/** The accounts that mock mode offers: a player on the free plan, and an admin with Pro. */
export const DEMO = { email: 'ada@example.org', password: 'Chalk-and-1nk' } as const;
export const DEMO_ADMIN = { email: 'grace@example.org', password: DEMO.password } as const;
/** May not sign in. */
export const DEMO_SUSPENDED = { email: 'mallory@example.org', password: DEMO.password } as const;

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
    /** Between two stage rounds of an event. */
    roundPause?: number;
  };
  /** Simulated people watch the games of others. */
  crowd?: boolean;
  /** Everybody plays from one address, so that no game of an event is rated, and the players are told why. */
  sharesAddress?: boolean;
}

const INVITES_AT_ONCE = 20;
const INVITE_MS = 60_000 / INVITES_AT_ONCE;
/** Games that may follow one. */
const MOST_OFFERS = 16;
/** Between two stage rounds: shorter than the server's, whose players need time to come. */
const ROUND_PAUSE_MS = 8_000;
/** Both players of an event game must have joined it within this time. */
const NO_SHOW_MS = 20_000;

/** The row of a rated game's end, and with it the ratings, is stored this long after it. */
const RATED_AFTER_MS = 100;

/** A turn of an event game: docs/behaviour/play.md#turn-clock. */
const TURN_MS = 15_000;
/** Moves are accepted until this long after the deadline. */
const TURN_GRACE_MS = 500;

/** The stateful mock of the server, for one browser: accounts, the session, games and events. Kept in memory only. */
export class MockServer extends MockAccounts {
  readonly #games = new Map<string, MockGame>();
  readonly #shared = new Map<string, string>();
  /** Played out when somebody looks at them: most tests do not. */
  readonly #earlier: () => MockGame[];
  /** By user: until when their recent invitations count towards the limit, in Unix milliseconds. */
  readonly #invited = new Map<string, number>();
  readonly #pace: Required<Options>['pace'];
  readonly #hasCrowd: boolean;
  readonly #sharesAddress: boolean;
  readonly events: MockEvents;
  readonly rooms = new Rooms();
  readonly presence = new MockPresence();
  readonly accountState = new AccountState();
  readonly factors = new SecondFactors();
  readonly moderation = new Moderation();
  readonly notifications = new MockNotifications();
  readonly webhooks = new Webhooks();
  readonly series = new MockSeries(this);
  readonly liveNow = new LiveNow(this);
  /** By account: how its moves compare with the solver's. */
  readonly engineEvidence = new Map<string, KeptEvidence>();
  readonly quickMatches = new QuickMatches(this);
  readonly ratings = new Ratings((userId) =>
    [...this.accounts, ...(this.viewer === undefined ? [] : [this.viewer])].some(
      (each) => each.userId === userId && !each.isTempUser,
    ),
  );
  readonly logs: LogBook;
  /** Actions of admins, the oldest first. */
  readonly auditLog: Schemas['AuditEntry'][] = [];
  readonly billing = new Billing((userId, isProUser) => {
    Object.assign(this.accounts.find((each) => each.userId === userId) ?? {}, { isProUser });
  });
  /** Whether members may host private events. */
  membersMayHost = true;
  /** Wrong join codes of the signed-in user. */
  wrongCodes = 0;
  #hasInvited = false;
  #othersTimer: ReturnType<typeof setInterval> | undefined;

  constructor({
    pace = { join: 1_500, move: 700, invite: 20_000, others: 2_000, turn: TURN_MS, log: 900 },
    crowd = false,
    sharesAddress = false,
  }: Options = {}) {
    super();
    this.#sharesAddress = sharesAddress;
    this.#pace = pace;
    this.#hasCrowd = crowd;
    this.addUser('ada', DEMO.email, DEMO.password);
    for (const name of ['bob', 'barbara', 'edsger', 'hedy', 'margaret']) this.#addOther(name);
    this.addUser('grace', DEMO_ADMIN.email, DEMO_ADMIN.password);
    const grace = this.accounts.at(-1);
    if (grace !== undefined) {
      grace.isAdmin = true;
      this.billing.grant(grace.userId, 'Keeps this server running.');
    }
    this.#addOther('linus');
    this.logs = new LogBook(
      this.accounts.map(({ userId }) => userId),
      pace.log,
    );
    this.events = this.#openEvents();
    const seats = this.accounts.map(seat);
    const [demo, ...others] = seats;
    if (demo !== undefined) {
      seedSeries(this.events, this.series, [demo, ...others]);
      seedStages(this.events, demo, others);
      seedEvents(this.events, demo, others);
      seedHosted(this.events, demo, others);
    }
    let earlier: MockGame[] | undefined;
    this.#earlier = () => (earlier ??= earlierGames(seats));
    this.addUser('mallory', DEMO_SUSPENDED.email, DEMO_SUSPENDED.password);
    const { userId } = this.find(({ username }) => username === 'mallory');
    this.change(userId, { suspension: { reason: 'Insults in a name.', at: new Date().toISOString() } });
    seedReports(this);
    seedEngineUse(this);
  }

  #addOther(name: string): void {
    this.addUser(name, `${name}@example.org`, crypto.randomUUID());
  }

  #openEvents(): MockEvents {
    const viewer = () => this.viewer;
    // Bots enter no event by themselves.
    const others = () => this.others.filter(({ isBot }) => isBot !== true).map(seat);
    return new MockEvents({
      get viewer() {
        return viewer();
      },
      get others() {
        return others();
      },
      sendToPeople: (isReader, event, data) => this.rooms.sendToPeople(isReader, event, data),
      send: this.rooms.send,
      ratings: this.ratings,
      sharesAddress: this.#sharesAddress,
      roundPauseMs: this.#pace.roundPause ?? ROUND_PAUSE_MS,
      mustMeet: (event, person) => mustMeet(this, event, person),
      gamesOf: (eventId) => this.gamesOf(eventId),
      createEventGame: ({ eventId, clock }, seats, level, size) => {
        const event = { eventId, level, turnMs: this.#pace.turn };
        const game = this.#add(crypto.randomUUID(), seats, size, 'X', event, { clock });
        // Two simulated players join at once; otherwise the signed-in user still has to join.
        const here = seats.filter(({ userId }) => userId !== this.viewer?.userId);
        if (here.length === 2) setTimeout(() => here.forEach(({ userId }) => this.enter(game, userId)));
        else setTimeout(() => this.#come(game), this.#pace.join);
        setTimeout(() => this.#checkPresence(game), this.#pace.noShow ?? NO_SHOW_MS);
        return game;
      },
      declareVoid: (game) => this.#declareVoid(game, 'void'),
      giveUp: (game, userId) => this.forfeit(game, userId, 'removed'),
      decide: (game) => {
        game.decideByTime();
        this.#finish(game);
      },
    });
  }

  /** How long the search for an opponent in an event takes, in milliseconds. */
  get searchMs(): number {
    return this.#pace.search ?? 2 * this.#pace.join;
  }

  override signOut(): void {
    this.events.forget();
    super.signOut();
  }

  /** Deletes the signed-in user's account and forfeits their games. */
  removeAccount(): void {
    this.removeUser(this.user.userId);
    this.signOut();
  }

  /** Deletes an account and forfeits its games. */
  removeUser(userId: string): void {
    this.#giveUpGames(userId);
    this.events.withoutHost(userId);
    this.drop(userId);
  }

  /** Suspends an account: its games are lost, and its rights as an admin end. */
  suspend(userId: string, suspension: Schemas['Suspension']): User {
    this.#giveUpGames(userId, 'removed');
    this.events.withoutHost(userId);
    this.personalTokens.delete(userId);
    return this.change(userId, { suspension, isAdmin: false });
  }

  #giveUpGames(userId: string, reason: 'forfeit' | 'removed' = 'forfeit'): void {
    for (const game of this.games(userId)) if (game.status === 'active') this.forfeit(game, userId, reason);
  }

  /** Moves a guest's games to the signed-in user and returns their number. */
  adoptGuest(guestId: string): number {
    const games = this.games(guestId);
    for (const game of games) game.replace(guestId, seat(this.user));
    this.drop(guestId);
    return games.length;
  }

  game(gameId: string): MockGame {
    const game =
      this.#games.get(gameId) ??
      this.events.sampleGame(gameId) ??
      this.#earlier().find((each) => each.gameId === gameId);
    if (game === undefined) throw notFound('Game');
    return game;
  }

  hasGame(gameId: string): boolean {
    return this.#games.has(gameId) || this.events.sampleGame(gameId) !== undefined;
  }

  games(userId: string): MockGame[] {
    return [...this.#games.values()].filter(({ seats }) => seats.some((seat) => seat.userId === userId)).reverse();
  }

  /** Somebody's games from before this server began. */
  earlierGames(userId: string): MockGame[] {
    return this.#earlier().filter(({ seats }) => seats.some((each) => each.userId === userId));
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
  create(gameId: string, seats: Seat[], boardSize: number, starter: 'X' | 'O' = 'X', terms?: Terms): MockGame {
    if (!isBoardSize(boardSize)) throw invalid('boardSize', 'A board has 3 to 6 cells a side.');
    if (this.#games.has(gameId)) throw conflict('id-taken', 'There is a game with this id already.');
    const game = this.#add(gameId, seats, boardSize, starter, undefined, terms);
    setTimeout(() => this.#come(game), this.#pace.join);
    return game;
  }

  /** The game of two paired players, which is void if one of them does not come in time. */
  createQuick(seats: Seat[], boardSize: BoardSize, terms: Required<Terms>): MockGame {
    const game = this.create(crypto.randomUUID(), seats, boardSize, 'X', terms);
    setTimeout(() => game.status === 'waiting' && this.#declareVoid(game, 'void'), this.#pace.noShow ?? NO_SHOW_MS);
    return game;
  }

  #add(
    gameId: string,
    seats: Seat[],
    boardSize: BoardSize,
    starter: 'X' | 'O',
    event?: EventGame,
    terms?: Terms,
  ): MockGame {
    const game = new MockGame(gameId, seats, boardSize, starter, event, terms);
    game.ratingOf = (userId) => this.ratings.beside(userId);
    this.#games.set(gameId, game);
    return game;
  }

  /** An event's games, the latest first. */
  gamesOf(eventId: string): MockGame[] {
    return [...this.#games.values()].filter(({ event }) => event?.eventId === eventId).reverse();
  }

  /** How many people watch the game: the signed-in user, and of games among others a few that come and go. */
  watchers(game: MockGame): number {
    const { viewer } = this;
    const plays = game.seats.some(({ userId }) => userId === viewer?.userId);
    const crowd = plays || !this.#hasCrowd ? 0 : game.version % 4;
    // Visitors are not counted.
    return crowd + (viewer !== undefined && !plays && this.rooms.isWatched(game) ? 1 : 0);
  }

  /** A player reacts; a mock opponent may answer. */
  react(game: MockGame, userId: string, reaction: Reaction): void {
    admitReaction(game, userId);
    this.rooms.sendTo(game, 'reaction', { gameId: game.gameId, userId, reaction });
    const opponent = game.opponentOf(userId);
    const answer = answerTo(reaction);
    if (opponent === undefined || answer === undefined || userId !== this.viewer?.userId) return;
    setTimeout(() => {
      const by = { gameId: game.gameId, userId: opponent.userId };
      this.rooms.sendTo(game, 'reaction', { ...by, reaction: answer });
    }, this.#pace.move);
  }

  liveGames(): MockGame[] {
    return [...this.#games.values()].filter(({ status }) => status === 'active');
  }

  playAgain(game: MockGame): MockGame {
    if (game.event !== undefined) throw conflict('not-an-invite-game', 'This is possible in invite games only.');
    if (game.status === 'cancelled') {
      throw conflict('game-not-played', 'This game was cancelled, so there is no rematch.');
    }
    if (game.status !== 'completed') throw conflict('game-not-over', 'The game is still being played.');
    if (game.next !== undefined && game.next.status !== 'cancelled') return game.next;
    if (game.offers >= MOST_OFFERS) {
      const text = 'You and this opponent have cancelled too many games. Invite them instead, or try again tomorrow.';
      throw conflict('too-many-offers', text);
    }
    this.admitInvite();
    game.offers += 1;
    // The user who offers is X, and the other mark starts than before.
    const { userId } = this.user;
    const [x] = game.seats;
    const { size, starter } = game.position;
    const seats = game.seats.toSorted((seat) => (seat.userId === userId ? -1 : 1));
    const { clock } = game.terms;
    const next = this.create(crypto.randomUUID(), seats, size, x?.userId === userId ? opposite(starter) : starter, {
      clock,
    });
    game.next = next;
    next.previous = game;
    this.tellOffer(next, 'offered');
    return next;
  }

  /** Tells both players of an offer to play again, or of its answer. */
  tellOffer(next: MockGame, state: Schemas['RematchState']): void {
    const [by] = next.seats;
    if (next.previous === undefined || by === undefined) return;
    const about = { gameId: next.previous.gameId, nextGameId: next.gameId, offeredBy: by.userId };
    this.rooms.sendToPlayers(next, 'rematchOffer', { ...about, state });
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
    this.rooms.sendTo(game, 'moveUpdate', update);
    if (this.#hasCrowd)
      this.rooms.sendTo(game, 'watchersChanged', { gameId: game.gameId, watchers: this.watchers(game) });
    if (game.drawCount > drawCount) {
      this.rooms.sendTo(game, 'gameDraw', {
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
  adjudicate(game: MockGame, winner: Seat | undefined, decision: string): void {
    if (winner === undefined) return this.#declareVoid(game, 'adjudicated', decision);
    game.adjudicate(winner, decision);
    this.#finish(game);
  }

  /** Records an action of the signed-in admin. */
  audit(action: string, subject: string, detail: object | null): void {
    this.auditLog.push({
      auditId: crypto.randomUUID(),
      sequence: this.auditLog.length + 1,
      actor: this.user.username,
      action,
      subject,
      address: '127.0.0.1',
      detail: JSON.stringify(detail),
      at: new Date().toISOString(),
    });
  }

  /** Records a read of other people's data; the same one again is no entry. */
  auditRead(action: string, subject: string, detail: object | null = null): void {
    const read = { actor: this.user.username, action, subject, detail: JSON.stringify(detail) };
    const isSame = (entry: Schemas['AuditEntry']) =>
      Object.entries(read).every(([field, value]) => entry[field as keyof typeof read] === value);
    if (!this.auditLog.some(isSame)) this.audit(action, subject, detail);
  }

  forfeit(game: MockGame, userId: string, reason: 'forfeit' | 'removed' = 'forfeit'): void {
    game.forfeit(userId, reason);
    this.#finish(game);
  }

  cancel(game: MockGame, user: Seat): void {
    game.seatOf(user.userId);
    if (game.isOver) throw conflict('game-over', 'The game is over.');
    if (game.status === 'active') throw conflict('game-already-started', 'The game has already started.');
    if (game.event !== undefined) {
      // Declining counts as not joining.
      game.forfeit(user.userId, 'declined');
      return this.#finish(game);
    }
    game.callOff();
    const isInviter = game.seats[0]?.userId === user.userId;
    const who = user.userId === this.viewer?.userId ? 'You' : user.displayName;
    this.rooms.sendTo(game, 'gameCancelled', {
      gameId: game.gameId,
      success: true,
      message: `${who} ${isInviter ? 'cancelled' : 'declined'} the invitation.`,
      reason: isInviter ? 'withdrawn' : 'declined',
      userId: user.userId,
    });
    this.tellOffer(game, isInviter ? 'withdrawn' : 'declined');
  }

  listen(send: Send): () => void {
    this.rooms.connect(send, this.viewer?.userId ?? '');
    if (this.viewer !== undefined && !this.#hasInvited) setTimeout(() => this.#invite(), this.#pace.invite);
    this.#hasInvited ||= this.viewer !== undefined;
    // The simulated players play only while somebody is connected.
    this.#othersTimer ??= setInterval(() => this.events.playOthers(), this.#pace.others);
    return () => {
      this.rooms.disconnect(send);
      if (!this.rooms.isEmpty) return;
      this.events.disconnected();
      this.quickMatches.leave();
      clearInterval(this.#othersTimer);
      this.#othersTimer = undefined;
    };
  }

  #declareVoid(game: MockGame, reason: 'void' | 'adjudicated', decision?: string): void {
    game.callOff(reason, decision);
    this.rooms.sendEnd(game);
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
      const visitor = this.accounts.find(({ userId }) => userId !== first?.userId);
      if (visitor !== undefined) game.claim(seat(visitor), game.inviteToken);
    }
    const opponent = game.seats.find(({ userId }) => userId !== this.viewer?.userId);
    if (opponent !== undefined && game.enter(opponent.userId)) this.#start(game);
  }

  #start(game: MockGame): void {
    this.rooms.sendTo(game, 'gameStarted', { gameId: game.gameId, gameState: game.state() });
    this.tellOffer(game, 'accepted');
    this.#goOn(game);
  }

  /** The mock opponent moves if it is their turn; with a clock a turn that takes too long forfeits. */
  #goOn(game: MockGame): void {
    const { turn, version, turnDeadline } = game;
    if (turn === undefined) return;
    if (turnDeadline !== undefined) {
      setTimeout(
        () => {
          if (game.isOver || game.version !== version) return;
          game.forfeit(turn.userId, 'timeout');
          this.#finish(game);
        },
        turnDeadline - Date.now() + TURN_GRACE_MS,
      );
    }
    if (turn.userId === this.viewer?.userId) return;
    // Against each other they make mistakes, so that games end and standings change.
    const isAmongOthers = !game.seats.some(({ userId }) => userId === this.viewer?.userId);
    const next = isAmongOthers ? stumble : choose;
    setTimeout(() => {
      const place = game.turn === turn && game.version === version ? next(game.position) : undefined;
      if (place !== undefined) this.move(game, turn.userId, ...place);
    }, this.#pace.move);
  }

  #finish(game: MockGame): void {
    const goOn = this.events.record(game);
    const { gameId, version, reason } = game;
    if (reason === undefined) this.rooms.sendTo(game, 'gameDraw', { gameId, message: "It's a Draw!", version });
    else this.rooms.sendEnd(game);
    if (game.terms.rated === true) setTimeout(() => this.#rate(game), RATED_AFTER_MS);
    goOn();
    if (game.event !== undefined) this.rooms.send('refreshLeaderboard', { eventId: game.event.eventId });
  }

  #rate(game: MockGame): void {
    const players = this.ratings.rate(game);
    game.ratingChanges = players;
    const told = { gameId: game.gameId, players };
    // Players hear it wherever they are.
    if (game.seats.some(({ userId }) => userId === this.viewer?.userId)) this.rooms.send('ratingChanged', told);
    else this.rooms.sendTo(game, 'ratingChanged', told);
  }

  /** A mock user invites the signed-in user once. */
  #invite(): void {
    const { viewer } = this;
    const blocked = viewer === undefined ? [] : this.moderation.blockedBy(viewer.userId);
    const from = this.others.findLast(({ userId }) => !blocked.includes(userId));
    if (viewer === undefined || from === undefined) return;
    const game = this.create(crypto.randomUUID(), [seat(from), seat(viewer)], 3);
    this.rooms.send('gameInvitation', { game: game.summary(viewer.userId), from: seat(from) });
  }
}

/** The events, the queue before their games, and the other players, who play while somebody looks on. */

import { type BoardSize } from '@/shared/rules';
import { type MockGame, type Seat, seat } from './game';
import { conflict, notFound, Refusal } from './refusal';
import { type Plan, Tournament } from './tournament';
import type { Tell, User } from './world';

/** Free accounts join so many distinct events (decisions: play). */
export const FREE_EVENTS = 3;
/** Games of others that a live event shows at once. */
const GAMES_AT_ONCE = 2;

interface Host {
  /** The signed-in person, if there is one. */
  readonly viewer: User | undefined;
  /** Everybody else: they are played by the mock. */
  readonly others: Seat[];
  readonly tell: Tell;
  gamesOf(eventId: string): MockGame[];
  createEventGame(eventId: string, seats: Seat[], level: number, boardSize: BoardSize): MockGame;
  declareVoid(game: MockGame): void;
  decide(game: MockGame): void;
  /** Somebody loses a game, started or not. */
  giveUp(game: MockGame, userId: string): void;
}

export class Arena {
  readonly #host: Host;
  readonly #events: Tournament[] = [];
  /** Since when the signed-in person waits in which event. */
  readonly #waiting = new Map<string, number>();
  readonly #lastOpponent = new Map<string, string>();

  constructor(host: Host) {
    this.#host = host;
  }

  add(plan: Plan): Tournament {
    const event: Tournament = new Tournament(plan, () => this.#live(event).length);
    this.#events.push(event);
    return event;
  }

  /** The event as this person may see it: nobody but admins sees a draft. */
  event(eventId: string): Tournament {
    this.settle();
    const event = this.#events.find((each) => each.eventId === eventId);
    if (event === undefined || (event.state === 'drafted' && this.#host.viewer?.isAdmin !== true)) {
      throw notFound('Event');
    }
    return event;
  }

  all(): Tournament[] {
    this.settle();
    const isAdmin = this.#host.viewer?.isAdmin === true;
    return this.#events
      .filter(({ state }) => isAdmin || state !== 'drafted')
      .toSorted((a, b) => (a.startsAt || 0) - (b.startsAt || 0));
  }

  delete(event: Tournament): void {
    if (event.state !== 'drafted') throw conflict('cannot-delete', 'Only a draft can be deleted.');
    this.#events.splice(this.#events.indexOf(event), 1);
  }

  /** How many events somebody joined. */
  joinedBy(userId: string): number {
    return this.#events.filter((each) => each.hasJoined(userId)).length;
  }

  join(event: Tournament, person: User): void {
    const { userId } = person;
    const isFree = person.isProUser || event.hasJoined(userId) || this.joinedBy(userId) < FREE_EVENTS;
    if (!isFree && event.state === 'started') {
      const refusal = new Refusal(402, 'upgrade-required', "You've hit the free plan limit!");
      throw Object.assign(refusal, { requiresUpgrade: true });
    }
    event.join(seat(person));
  }

  start(event: Tournament): void {
    event.go('started');
    for (const { userId } of event.seats) {
      if (this.#host.others.some((other) => other.userId === userId))
        event.join({ userId, username: '', displayName: '' });
    }
    this.#tellState(event);
  }

  end(event: Tournament): void {
    if (event.state === 'started') {
      for (const game of this.#live(event)) this.#host.decide(game);
    }
    event.go('ended');
    this.#clearQueue(event, 'The event has ended.');
    this.#tellState(event);
    this.#tellWinners(event);
  }

  cancel(event: Tournament): void {
    event.go('cancelled');
    for (const game of this.#live(event)) this.#host.declareVoid(game);
    this.#clearQueue(event, 'The event was cancelled.');
    this.#tellState(event);
  }

  reopen(event: Tournament): void {
    event.reopen();
    this.#tellState(event);
  }

  conclude(event: Tournament): void {
    event.conclude();
    this.#tellWinners(event);
  }

  announce(event: Tournament, message: string): void {
    const told = event.announce(message);
    const { eventId } = event;
    const viewer = this.#host.viewer?.userId ?? '';
    if (event.isSignedUp(viewer)) this.#host.tell('eventAnnouncement', { eventId, title: event.view().title, ...told });
  }

  /** Somebody was taken out: a game of theirs is lost. */
  showOut(event: Tournament, userId: string): void {
    const { eventId } = event;
    const game = this.#gameOf(event, userId);
    if (game !== undefined) this.#host.giveUp(game, userId);
    if (userId !== this.#host.viewer?.userId) return;
    this.#waiting.delete(eventId);
    this.#host.tell('removedFromRoom', { eventId, message: 'You have been removed from this event.' });
  }

  /** Counts a finished game. */
  record(game: MockGame): void {
    const event = this.#events.find(({ eventId }) => eventId === game.event?.eventId);
    const { winner } = game;
    const loser = winner && game.opponentOf(winner.userId);
    if (event === undefined || winner === undefined || loser === undefined) return;
    game.tournamentResult = event.record(winner, loser);
    this.#lastOpponent.set(winner.userId, loser.userId).set(loser.userId, winner.userId);
  }

  enterRoom(event: Tournament, person: Seat): void {
    const { eventId } = event;
    const player = event.player(person.userId);
    const game = this.#gameOf(event, person.userId);
    if (game !== undefined) this.#host.tell('redirectToGame', { gameId: game.gameId, redirectInMs: 1_500 });
    this.#host.tell('eventJoined', { eventId, player, queueSize: this.queueSize(eventId) });
  }

  /** Waits for an opponent; `found` after the time it takes somebody to be there. */
  findMatch(event: Tournament, person: Seat, afterMs: number): void {
    const { eventId } = event;
    if (event.state !== 'started') throw conflict('event-not-started', 'This event has not started yet.');
    event.join(person);
    if (this.#gameOf(event, person.userId) !== undefined) {
      throw conflict('already-playing', 'You are in a game already.');
    }
    const since = Date.now();
    this.#waiting.set(eventId, since);
    this.#host.tell('matchmakingStarted', this.#queue(event));
    setTimeout(() => {
      if (this.#waiting.get(eventId) === since) this.#host.tell('queueUpdate', this.#queue(event));
    }, afterMs / 2);
    setTimeout(() => {
      if (this.#waiting.get(eventId) === since) this.#pair(event, person, afterMs);
    }, afterMs);
  }

  cancelMatchmaking(eventId: string): void {
    if (!this.#waiting.delete(eventId)) throw conflict('not-waiting', 'You are not waiting for a match.');
    const message = 'Matchmaking cancelled.';
    this.#host.tell('matchmakingCancelled', { eventId, message, redirectInMs: 1_500 });
  }

  leaveRoom(eventId: string): void {
    this.#waiting.delete(eventId);
  }

  queueSize(eventId: string): number {
    return this.#waiting.has(eventId) ? 1 : 0;
  }

  /** Time passes: events begin and end by themselves. */
  settle(): void {
    const now = Date.now();
    for (const event of this.#events) {
      if (event.state === 'published' && event.startsAt <= now) this.start(event);
      if (event.state === 'started' && event.endsAt <= now) this.end(event);
    }
  }

  /** The others play on: each live event has a few games of theirs. */
  stir(): void {
    this.settle();
    for (const event of this.#events) {
      if (event.state !== 'started') continue;
      const free = this.#free(event);
      for (let games = this.#live(event).length; games < GAMES_AT_ONCE; games += 1) {
        const first = free.splice(Math.floor(Math.random() * free.length), 1)[0];
        const second = first && this.#nearest(event, first, free);
        if (first === undefined || second === undefined) break;
        free.splice(free.indexOf(second), 1);
        this.#play(event, [first, second]);
      }
    }
  }

  #pair(event: Tournament, person: Seat, againInMs: number): void {
    const { eventId } = event;
    const opponent = this.#nearest(event, person, this.#free(event));
    if (opponent === undefined) {
      this.#host.tell('queueUpdate', this.#queue(event));
      const since = this.#waiting.get(eventId);
      setTimeout(() => {
        if (since !== undefined && this.#waiting.get(eventId) === since) this.#pair(event, person, againInMs);
      }, againInMs);
      return;
    }
    this.#waiting.delete(eventId);
    const { gameId } = this.#play(event, [person, opponent]);
    this.#host.tell('playerFound', {
      eventId,
      gameId,
      opponent: { ...opponent, level: event.levelOf(opponent.userId) },
      redirectInMs: 2_000,
    });
  }

  #play(event: Tournament, seats: [Seat, Seat]): MockGame {
    const level = Math.min(...seats.map(({ userId }) => event.levelOf(userId)));
    return this.#host.createEventGame(event.eventId, seats, level, boardSize(level));
  }

  /** Nearest level first; the last opponent only if there is nobody else. */
  #nearest(event: Tournament, person: Seat, free: Seat[]): Seat | undefined {
    const gap = ({ userId }: Seat) => Math.abs(event.levelOf(userId) - event.levelOf(person.userId));
    const last = this.#lastOpponent.get(person.userId);
    const again = ({ userId }: Seat) => (userId === last ? 1 : 0);
    return free.filter((each) => each !== person).toSorted((a, b) => again(a) - again(b) || gap(a) - gap(b))[0];
  }

  /** The others who are in the event and in no game. */
  #free(event: Tournament): Seat[] {
    return this.#host.others.filter(
      ({ userId }) =>
        event.hasJoined(userId) && !event.isEliminated(userId) && this.#gameOf(event, userId) === undefined,
    );
  }

  #live(event: Tournament): MockGame[] {
    return this.#host.gamesOf(event.eventId).filter(({ isOver }) => !isOver);
  }

  #gameOf(event: Tournament, userId: string): MockGame | undefined {
    return this.#live(event).find(({ seats }) => seats.some((each) => each.userId === userId));
  }

  #queue(event: Tournament) {
    const { eventId } = event;
    const waitedMs = Date.now() - (this.#waiting.get(eventId) ?? Date.now());
    const playing = this.#live(event).length * 2;
    const reason = playing > 0 ? 'All other players are in a game.' : 'Nobody else is waiting yet.';
    return { eventId, queueSize: this.queueSize(eventId), playing, waitedMs, ...(waitedMs > 0 ? { reason } : {}) };
  }

  #clearQueue({ eventId }: Tournament, message: string): void {
    if (!this.#waiting.delete(eventId)) return;
    this.#host.tell('matchmakingCancelled', { eventId, message, redirectInMs: 1_500 });
  }

  #tellWinners(event: Tournament): void {
    this.#host.tell('eventConcluded', { eventId: event.eventId, winners: event.view().winners });
  }

  #tellState({ eventId, state }: Tournament): void {
    this.#host.tell('eventStateChanged', { eventId, eventState: state });
  }
}

/** Levels 1 and 2 play on 3×3, 3 and 4 on 4×4, 5 and 6 on 5×5, higher ones on 6×6. */
function boardSize(level: number): BoardSize {
  return level <= 2 ? 3 : level <= 4 ? 4 : level <= 6 ? 5 : 6;
}

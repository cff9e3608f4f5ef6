/** All events with their queues, and the simulated players, who play while somebody is connected. */

import type { components } from '@/api/schema';
import { type BoardSize } from '@/shared/rules';
import { isNoShow, MockGame, type Seat, seat } from './mockGame';
import { conflict, notFound, Refusal } from './refusal';
import type { EventDetails } from './eventDetails';
import { END_GRACE_MS, MockEvent } from './mockEvent';
import { AWAY_TWICE, MAX_STRIKES } from './participants';
import type { User } from './mockAccounts';
import type { Ratings } from './ratings';
import { playOut } from './playedGames';
import type { Rooms, Send } from './rooms';
import type { Stage } from './stages';

type Schemas = components['schemas'];

/** How many events a free account can join in a calendar month: docs/behaviour/events.md#free-plan. */
export const FREE_EVENTS = 3;
/** Of `setTimeout`, in milliseconds. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;
/** Simulated games of a live event at a time. */
const GAMES_AT_ONCE = 2;
/** The same in an event with stage rounds. */
const MATCHES_AT_ONCE = 1;
/** The order of states in lists. */
const STATES = ['started', 'published', 'drafted', 'ended', 'cancelled'];

const ONE_ADDRESS = 'You and your opponent share a network address, so this game is not rated.';

interface Host {
  /** The signed-in person, if there is one. */
  readonly viewer: User | undefined;
  /** Everybody else; the mock plays for them. */
  readonly others: Seat[];
  readonly send: Send;
  readonly sendToPeople: Rooms['sendToPeople'];
  readonly ratings: Ratings;
  readonly sharesAddress: boolean;
  /** Between two stage rounds, and before the first. */
  readonly roundPauseMs: number;
  /** Refuses somebody who is not in the event and misses a condition of entry. */
  mustMeet(event: MockEvent, person: User): void;
  gamesOf(eventId: string): MockGame[];
  createEventGame(event: MockEvent, seats: Seat[], level: number, boardSize: BoardSize): MockGame;
  declareVoid(game: MockGame): void;
  decide(game: MockGame): void;
  /** The user loses the game, whether it has started or not. */
  giveUp(game: MockGame, userId: string): void;
}

export class MockEvents {
  readonly #host: Host;
  readonly #events: MockEvent[] = [];
  /** By event: since when the signed-in user has been in its queue. */
  readonly #waiting = new Map<string, number>();
  readonly #lastOpponent = new Map<string, string>();
  /** The events whose rooms the signed-in user has joined. */
  readonly #rooms = new Set<string>();
  /** Games of sample events that somebody has looked at. */
  readonly #sampleGames = new Map<string, MockGame>();
  #searchMs = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  /** A draft; with a host a private one. */
  add(details: EventDetails, host?: Seat): MockEvent {
    const event: MockEvent = new MockEvent(details, () => this.#live(event).length, host);
    this.#events.push(event);
    return event;
  }

  /** The event, if the signed-in user may see it. */
  event(eventId: string): MockEvent {
    this.settle();
    const event = this.known(eventId);
    if (event?.isSeenBy(this.#host.viewer) !== true) throw notFound('Event');
    return event;
  }

  /** The event, whoever may see it. */
  known(eventId: string): MockEvent | undefined {
    return this.#events.find((each) => each.eventId === eventId);
  }

  /** The open event that is entered with this code. */
  withCode(code: string): MockEvent | undefined {
    this.settle();
    return this.#events.find(
      ({ joinCode, state }) => joinCode === code && (state === 'published' || state === 'started'),
    );
  }

  /** How many private events are published or under way. */
  openPrivate(): number {
    this.settle();
    return this.#events.filter(({ isPrivate, state }) => isPrivate && (state === 'published' || state === 'started'))
      .length;
  }

  /** The private events of a host, in every state, the newest first. */
  hostedBy(userId: string): MockEvent[] {
    this.settle();
    return this.#events.filter(({ host }) => host?.userId === userId).reverse();
  }

  /** The events that somebody is invited to and has not answered, the latest first. */
  invitedTo(userId: string): MockEvent[] {
    this.settle();
    return this.#events
      .filter(({ state, invitations, participants }) => {
        const own = invitations.get(userId);
        const isOpen = state === 'published' || state === 'started';
        return isOpen && own !== undefined && !own.isDeclined && !own.isWithdrawn && !participants.has(userId);
      })
      .reverse();
  }

  /** What lists have for the signed-in user: private events are for admins. */
  all(): MockEvent[] {
    const isAdmin = this.#host.viewer?.isAdmin === true;
    return this.seen().filter(({ isPrivate }) => isAdmin || !isPrivate);
  }

  /** All that the signed-in user may see. */
  seen(): MockEvent[] {
    this.settle();
    const { viewer } = this.#host;
    // Upcoming events by start, past events newest first.
    return this.#events
      .filter((event) => event.isSeenBy(viewer))
      .toSorted((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state) || a.position - b.position);
  }

  /** The host is suspended or deleted: their events do not take place. */
  withoutHost(userId: string): void {
    for (const event of this.hostedBy(userId)) {
      if (event.state === 'drafted') this.delete(event);
      else if (event.state === 'published' || event.state === 'started') this.cancel(event);
    }
  }

  delete(event: MockEvent): void {
    if (event.state !== 'drafted') throw conflict('cannot-delete', 'Only a draft can be deleted.');
    this.#events.splice(this.#events.indexOf(event), 1);
  }

  /** How many events a user joined in this calendar month (UTC). */
  joinedBy(userId: string): number {
    const month = new Date().toISOString().slice(0, 7);
    const joined = this.#events
      .filter(({ isPrivate }) => !isPrivate)
      .map((each) => each.participants.joinedAt(userId))
      .filter((at) => at !== undefined);
    return joined.filter((at) => new Date(at).toISOString().startsWith(month)).length;
  }

  lastJoinedBy(userId: string): MockEvent | undefined {
    const joined = this.#events.filter((each) => each.participants.hasJoined(userId));
    return joined
      .toSorted((a, b) => (a.participants.joinedAt(userId) ?? 0) - (b.participants.joinedAt(userId) ?? 0))
      .at(-1);
  }

  signUp(event: MockEvent, person: User) {
    this.#hideDraft(event);
    mustBeMember(person);
    return event.signUp(seat(person), () => this.#host.mustMeet(event, person));
  }

  join(event: MockEvent, person: User): void {
    const { userId } = person;
    this.#hideDraft(event);
    event.mustAdmit(userId, () => {
      mustBeMember(person);
      this.#host.mustMeet(event, person);
    });
    const isCounted = !person.isProUser && !event.isPrivate;
    if (isCounted && !event.participants.hasJoined(userId) && this.joinedBy(userId) >= FREE_EVENTS) {
      const refusal = new Refusal(402, 'plan-limit', "You've hit the free plan limit!");
      throw Object.assign(refusal, { requiresUpgrade: true });
    }
    event.join(seat(person));
  }

  /** Nobody can take part in a draft, not even admins. */
  #hideDraft(event: MockEvent): void {
    if (event.state === 'drafted') throw notFound('Event');
  }

  start(event: MockEvent): void {
    if (event.isDeserted) {
      throw conflict('nobody-checked-in', 'Nobody has checked in. Check players in, or cancel the event.');
    }
    event.go('started');
    this.#sendState(event);
    const { eventId } = event;
    if (event.participants.has(this.#host.viewer?.userId ?? '')) {
      this.#host.send('eventReminder', { eventId, title: event.view().title, minutes: 0 });
    }
    this.#followRounds(event);
  }

  /** Moves the end of an event. */
  extend(event: MockEvent, endTime: string): void {
    const { eventState, endTime: before } = event.view();
    event.extend(endTime);
    if (before === event.view().endTime) return;
    this.#sendState(event);
    if (eventState === 'published') this.#sendNews(event, 'moved');
  }

  /** A director's act: rounds and standings follow from it. */
  direct(event: MockEvent, act: (stage: Stage) => void): void {
    act(event.directed());
    this.#sendStandings(event);
    this.#followRounds(event);
  }

  /** Somebody says that they are there, or takes that back. */
  checkIn(event: MockEvent, userId: string, isThere: boolean): Schemas['Signup'] {
    this.#hideDraft(event);
    const signup = event.checkIn(userId, isThere);
    this.#host.send('refreshLeaderboard', { eventId: event.eventId });
    return signup;
  }

  checkInPlayer(event: MockEvent, userId: string, isThere: boolean, by: string): void {
    event.checkInPlayer(userId, isThere, by);
    this.#host.send('refreshLeaderboard', { eventId: event.eventId });
    this.#followRounds(event);
  }

  /** A director stops the next round from beginning, or lets it begin. */
  pause(event: MockEvent, isPaused: boolean): void {
    this.direct(event, (stage) => {
      event.mustBeUnderWay();
      stage.pause(isPaused, Date.now() + this.#host.roundPauseMs);
    });
    this.#sendState(event);
  }

  /** A director has the round that waits begin at once. */
  startRound(event: MockEvent, round: number): void {
    this.direct(event, (stage) => {
      event.mustBeUnderWay();
      stage.startRound(round, Date.now());
    });
    this.#sendState(event);
  }

  /** Who was withdrawn, disqualified or reinstated hears why. */
  tellPlayer(event: MockEvent, userId: string, news: Schemas['EventNews']['news'], reason: string): void {
    this.#sendNews(event, news, (each) => each === userId, reason);
  }

  /** A player of a tournament that is withdrawn from it, as whoever is removed. */
  withdrawRemoved(event: MockEvent, userId: string): void {
    if (event.stage?.has(userId) === true) this.direct(event, (stage) => stage.withdraw(userId));
  }

  /** A game of a tournament that was played before the mock server began; it is played out when somebody looks at it. */
  sampleGame(gameId: string): MockGame | undefined {
    const known = this.#sampleGames.get(gameId);
    if (known !== undefined) return known;
    for (const { eventId, stage, startsAt, clock } of this.#events) {
      const found = stage?.gameOf(gameId);
      if (stage === undefined || found === undefined) continue;
      const event = { eventId, level: 1, turnMs: 0 };
      const game = new MockGame(gameId, found.seats, stage.settings.boardSize, 'X', event, { clock });
      playOut(game, (turn) => turn.userId === found.winner);
      game.backdate(startsAt);
      this.#sampleGames.set(gameId, game);
      return game;
    }
    return undefined;
  }

  /** Edits or publishes: pages hear of what everybody sees, and those who signed up that it is at another time. */
  update(event: MockEvent, changes: Partial<EventDetails>, state?: Schemas['EventState']): void {
    const before = event.view();
    event.update(changes, state);
    const after = event.view();
    const { updatedAt: _before, ...was } = before;
    const { updatedAt: _after, ...is } = after;
    if (event.state !== 'drafted' && JSON.stringify(was) !== JSON.stringify(is)) this.#sendState(event);
    const isMoved = before.startTime !== after.startTime || before.endTime !== after.endTime;
    if (before.eventState === 'published' && isMoved) this.#sendNews(event, 'moved');
  }

  /** An admin signs somebody up. */
  enrol(event: MockEvent, person: Seat): void {
    const isNew = !event.participants.has(person.userId);
    if (!isNew && event.state === 'started' && event.participants.isIn(person.userId)) {
      if (!event.isExpected(person.userId))
        this.checkInPlayer(event, person.userId, true, this.#host.viewer?.username ?? '');
      return;
    }
    event.enrol(person);
    if (isNew && event.state !== 'drafted') this.#sendNews(event, 'added', (userId) => userId === person.userId);
  }

  #sendNews(
    event: MockEvent,
    news: Schemas['EventNews']['news'],
    isReader = (userId: string) => event.participants.has(userId),
    reason?: string,
  ): void {
    const { eventId, title, startTime, endTime } = event.view();
    const times = { ...(startTime === undefined ? {} : { startTime }), ...(endTime === undefined ? {} : { endTime }) };
    const why = reason === undefined ? {} : { reason };
    this.#host.sendToPeople(isReader, 'eventNews', { eventId, title, news, ...times, ...why });
  }

  /** Stops pairing; games under way have some time left, then the winners are determined. */
  end(event: MockEvent): void {
    event.go('ended');
    this.#sendState(event);
    this.#clearQueue(event, 'This event has ended.');
    for (const wait of [0, END_GRACE_MS]) setTimeout(() => this.settle(), wait);
  }

  cancel(event: MockEvent, reason?: string): void {
    event.go('cancelled');
    if (reason !== undefined) event.noteWhyCancelled(reason);
    this.#sendState(event);
    this.#sendNews(event, 'cancelled', undefined, reason);
    this.#clearQueue(event, 'Event Cancelled');
    // A moment later, as on the server.
    queueMicrotask(() => {
      for (const game of this.#live(event)) this.#host.declareVoid(game);
    });
  }

  reopen(event: MockEvent): void {
    event.reopen();
    this.#sendState(event);
  }

  conclude(event: MockEvent): void {
    if (event.state === 'ended' && !event.isConcluded && this.#live(event).length > 0) {
      throw conflict('games-in-play', 'The last games are still being decided.');
    }
    event.conclude();
    this.#sendWinners(event);
  }

  announce(event: MockEvent, message: string): void {
    const announcement = event.announce(message);
    const { eventId } = event;
    const viewer = this.#host.viewer?.userId ?? '';
    if (event.participants.has(viewer))
      this.#host.send('eventAnnouncement', { eventId, title: event.view().title, ...announcement });
  }

  /** A player was removed: they lose the game they are in. */
  showOut(event: MockEvent, userId: string): void {
    const { eventId } = event;
    const game = this.#gameOf(event, userId);
    if (game !== undefined) this.#host.giveUp(game, userId);
    if (userId !== this.#host.viewer?.userId) return;
    this.leaveRoom(eventId);
    this.#host.send('removedFromRoom', { eventId, message: 'You have been removed from this event.' });
    this.#sendNews(event, 'removed', (reader) => reader === userId);
  }

  /** Counts a finished game. The returned function does what follows once the end has been sent. */
  record(game: MockGame): () => void {
    const event = this.#events.find(({ eventId }) => eventId === game.event?.eventId);
    const { winner } = game;
    const loser = winner && game.opponentOf(winner.userId);
    if (event === undefined || winner === undefined || loser === undefined) return () => this.settle();
    game.tournamentResult = event.participants.record(winner, loser);
    if (event.stage !== undefined) {
      event.stage.gameOver(game.gameId, winner.userId, isNoShow(game.reason));
      return () => {
        this.#sendStandings(event);
        this.settle();
      };
    }
    this.#lastOpponent.set(winner.userId, loser.userId).set(loser.userId, winner.userId);
    return () => {
      for (const person of [winner, loser]) this.#after(event, game, person);
      this.settle();
    };
  }

  #after(event: MockEvent, game: MockGame, person: Seat): void {
    const { eventId } = event;
    const question = event.ask(game, person.userId);
    if (person.userId !== this.#host.viewer?.userId) return;
    if (question !== undefined) {
      this.#host.send('stillThere', { eventId, ...question, maxStrikes: MAX_STRIKES });
      if (question.strikes < MAX_STRIKES) return;
      this.leaveRoom(eventId);
      this.#host.send('removedFromRoom', { eventId, message: AWAY_TWICE });
      return;
    }
    // A player whose opponent did not join is back in the queue at once.
    const isLeftAlone = isNoShow(game.reason) && game.winner?.userId === person.userId;
    if (isLeftAlone && this.#rooms.has(eventId) && event.state === 'started') this.#seek(event, person);
  }

  /** Joins the room over HTTP, without a websocket. */
  visitRoom(event: MockEvent, person: User): Omit<Schemas['JoinEventRoomAnswer'], 'succeeded'> {
    this.join(event, person);
    const { userId } = person;
    const { eventId } = event;
    const loss = event.participants.unconfirmed(userId);
    return {
      player: event.participants.player(userId),
      queueSize: this.queueSize(eventId),
      ...(loss === undefined ? {} : { stillThere: true, absence: { eventId, ...loss, maxStrikes: MAX_STRIKES } }),
    };
  }

  enterRoom(event: MockEvent, person: User): Omit<Schemas['JoinEventRoomAnswer'], 'succeeded'> {
    const { eventId } = event;
    const entered = this.visitRoom(event, person);
    event.participants.cameBack(person.userId);
    this.#rooms.add(eventId);
    this.#host.send('eventJoined', { eventId, ...entered });
    const game = this.#gameAnywhere(person.userId);
    if (game !== undefined) this.#redirect(game);
    else if (event.stages !== undefined) this.#openOwnMatch(event);
    else if (this.#waiting.has(eventId)) this.#host.send('matchmakingStarted', this.#queue(event));
    return entered;
  }

  /** Puts the user in the queue; an opponent is found after `afterMs`. */
  findMatch(event: MockEvent, person: User, afterMs: number): void {
    const { eventId } = event;
    this.#hideDraft(event);
    if (event.stages !== undefined) {
      throw conflict('no-queue', 'Rounds are paired for you in this event. Your game opens by itself.');
    }
    this.#searchMs = afterMs;
    if (!this.#rooms.has(eventId)) this.enterRoom(event, person);
    const game = this.#gameAnywhere(person.userId);
    if (game !== undefined) return this.#redirect(game);
    for (const other of this.#waiting.keys()) {
      const message = 'You are looking for an opponent in another event now.';
      if (other !== eventId) this.#stopWaiting(other, message);
    }
    event.mustAdmit(person.userId);
    event.participants.isHere(person.userId);
    this.#seek(event, seat(person));
    this.#host.send('matchmakingStarted', this.#queue(event));
  }

  #seek(event: MockEvent, person: Seat): void {
    const { eventId } = event;
    if (this.#waiting.has(eventId)) return;
    const since = Date.now();
    this.#waiting.set(eventId, since);
    setTimeout(() => {
      if (this.#waiting.get(eventId) === since) this.#host.send('queueUpdate', this.#queue(event));
    }, this.#searchMs / 2);
    setTimeout(() => {
      if (this.#waiting.get(eventId) === since) this.#pair(event, person, this.#searchMs);
    }, this.#searchMs);
  }

  /** Users who are not in the queue receive the same. */
  cancelMatchmaking(eventId: string): void {
    this.#waiting.set(eventId, 0);
    this.#stopWaiting(eventId, 'Matchmaking cancelled.');
  }

  leaveRoom(eventId: string): void {
    this.#rooms.delete(eventId);
    this.#waiting.delete(eventId);
  }

  /** Of the signed-in user alone is known where they are; the sample's players have no connections, and play. */
  presenceOf(
    event: MockEvent,
    userId: string,
    { isConnected, isSelf }: { isConnected: boolean; isSelf: boolean },
  ): Schemas['Presence'] {
    if (this.#gameOf(event, userId) !== undefined) return 'playing';
    if (!isConnected) return 'offline';
    if (isSelf && this.#waiting.has(event.eventId)) return 'waiting';
    return isSelf && this.#rooms.has(event.eventId) ? 'room' : 'online';
  }

  /** The last connection has closed. */
  disconnected(): void {
    this.#rooms.clear();
  }

  /** Clears what belongs to the user who signs out. */
  forget(): void {
    this.#rooms.clear();
    this.#waiting.clear();
  }

  queueSize(eventId: string): number {
    return this.#waiting.has(eventId) ? 1 : 0;
  }

  /** Starts, ends and concludes events whose time has come. */
  settle(): void {
    const now = Date.now();
    for (const event of this.#events) {
      if (event.state === 'published' && event.startsAt <= now) {
        if (event.isDeserted) this.cancel(event, 'nobody checked in.');
        else this.start(event);
      }
      if (event.state === 'started' && event.endsAt <= now) this.end(event);
      this.#followRounds(event);
      if (event.decidedAt === undefined) continue;
      if (event.decidedAt <= now) {
        for (const game of this.#live(event)) {
          if (game.status === 'waiting') this.#host.declareVoid(game);
          else this.#host.decide(game);
        }
      }
      // Deciding the last game may have concluded it already.
      if (event.decidedAt !== undefined && this.#live(event).length === 0) this.conclude(event);
    }
  }

  /** Simulates the other players: every live event gets a few games. */
  playOthers(): void {
    this.settle();
    for (const event of this.#events) {
      if (event.state !== 'started') continue;
      if (event.stages !== undefined) {
        this.#playMatches(event);
        continue;
      }
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

  /** Begins the tournament of a live event, pairs its next round, and ends it after the last. */
  #followRounds(event: MockEvent): void {
    if (event.state !== 'started' || event.stages === undefined) return;
    const { eventId, participants } = event;
    const strength = (userId: string) => this.#host.ratings.of(userId)?.value ?? 0;
    const stage = event.stage ?? event.beginRounds(strength);
    if (stage === undefined) return;
    const superseded = stage.superseded();
    for (const game of this.#live(event)) if (superseded.includes(game.gameId)) this.#void(stage, game);
    while (stage.isDecided) {
      stage.enter(participants.seats.filter(({ userId }) => event.isExpected(userId)));
      const ended = stage.number;
      const isPaired = stage.pairNext(Date.now() + this.#host.roundPauseMs);
      if (ended > 0) this.#host.send('roundEnded', { eventId, round: ended });
      if (!isPaired) return this.end(event);
      this.#host.send('roundPaired', { eventId, round: stage.number });
      this.#sendStandings(event);
      setTimeout(() => this.#openOwnMatch(event), Math.min(stage.opensAt - Date.now(), LONGEST_TIMEOUT));
    }
    this.#openOwnMatch(event);
  }

  #void(stage: Stage, game: MockGame): void {
    stage.gameOver(game.gameId, undefined);
    this.#host.declareVoid(game);
  }

  /** Opens the game of the signed-in user's match, if they are in the room. */
  #openOwnMatch(event: MockEvent): void {
    const self = this.#host.viewer?.userId;
    if (self === undefined || !this.#rooms.has(event.eventId) || event.state !== 'started') return;
    for (const { seats, open } of this.#dueGames(event)) {
      const opponent = seats.find(({ userId }) => userId !== self);
      if (opponent === undefined || seats.every(({ userId }) => userId !== self)) continue;
      this.#tellFound(event, open().gameId, opponent);
    }
  }

  /** Simulates the matches of other players, one after the other. */
  #playMatches(event: MockEvent): void {
    const self = this.#host.viewer?.userId;
    const isOthers = (seats: Seat[]) => seats.every(({ userId }) => userId !== self);
    const running = this.#live(event).filter((game) => isOthers(game.seats)).length;
    const due = this.#dueGames(event).filter(({ seats }) => isOthers(seats));
    for (const { open } of due.slice(0, Math.max(MATCHES_AT_ONCE - running, 0))) open();
  }

  /** Games of the last round that can be opened: a void one makes room for another. */
  #dueGames(event: MockEvent): { seats: Seat[]; open: () => MockGame }[] {
    const { stage, eventId } = event;
    if (stage === undefined) return [];
    for (const { status, gameId } of this.#host.gamesOf(eventId)) {
      if (status === 'cancelled') stage.gameOver(gameId, undefined);
    }
    return stage.due(Date.now()).map(({ match, seats }) => ({
      seats,
      open: () => {
        for (const each of seats) event.join(each);
        const game = this.#host.createEventGame(event, seats, 1, stage.settings.boardSize);
        match.games.push({ gameId: game.gameId, winner: undefined });
        this.#sendStandings(event);
        return game;
      },
    }));
  }

  #pair(event: MockEvent, person: Seat, againInMs: number): void {
    const { eventId } = event;
    const opponent = this.#nearest(event, person, this.#free(event));
    if (opponent === undefined) {
      this.#host.send('queueUpdate', this.#queue(event));
      const since = this.#waiting.get(eventId);
      setTimeout(() => {
        if (since !== undefined && this.#waiting.get(eventId) === since) this.#pair(event, person, againInMs);
      }, againInMs);
      return;
    }
    this.#waiting.delete(eventId);
    this.#tellFound(event, this.#play(event, [person, opponent]).gameId, opponent);
  }

  #tellFound(event: MockEvent, gameId: string, opponent: Seat): void {
    const { eventId } = event;
    this.#host.send('playerFound', {
      eventId,
      gameId,
      opponent: {
        ...opponent,
        level: event.participants.levelOf(opponent.userId),
        ...this.#host.ratings.beside(opponent.userId),
      },
      ...(this.#host.sharesAddress && !event.isRatedOnOneNetwork ? { unratedBecause: ONE_ADDRESS } : {}),
      redirectInMs: 2_000,
    });
  }

  #play(event: MockEvent, seats: [Seat, Seat]): MockGame {
    for (const each of seats) event.join(each);
    const level = Math.min(...seats.map(({ userId }) => event.participants.levelOf(userId)));
    return this.#host.createEventGame(event, seats, level, boardSize(level));
  }

  /** The opponent with the nearest level; the last opponent only if there is nobody else. */
  #nearest(event: MockEvent, person: Seat, free: Seat[]): Seat | undefined {
    const gap = ({ userId }: Seat) =>
      Math.abs(event.participants.levelOf(userId) - event.participants.levelOf(person.userId));
    const last = this.#lastOpponent.get(person.userId);
    const again = ({ userId }: Seat) => (userId === last ? 1 : 0);
    return free.filter((each) => each !== person).toSorted((a, b) => again(a) - again(b) || gap(a) - gap(b))[0];
  }

  /** Simulated players of the event who are in no game. */
  #free(event: MockEvent): Seat[] {
    return this.#host.others.filter(
      ({ userId }) =>
        event.participants.has(userId) &&
        !event.participants.isEliminated(userId) &&
        this.#gameOf(event, userId) === undefined,
    );
  }

  #live(event: MockEvent): MockGame[] {
    return this.#host.gamesOf(event.eventId).filter(({ isOver }) => !isOver);
  }

  #gameOf(event: MockEvent, userId: string): MockGame | undefined {
    return this.#live(event).find(({ seats }) => seats.some((each) => each.userId === userId));
  }

  #gameAnywhere(userId: string): MockGame | undefined {
    return this.#events.map((event) => this.#gameOf(event, userId)).find((game) => game !== undefined);
  }

  #redirect({ gameId }: MockGame): void {
    this.#host.send('redirectToGame', { gameId, redirectInMs: 1_500 });
  }

  #queue(event: MockEvent) {
    const { eventId } = event;
    const waitedMs = Date.now() - (this.#waiting.get(eventId) ?? Date.now());
    const playing = this.#live(event).length * 2;
    const reason = playing > 0 ? 'All other players are in a game.' : 'Nobody else is waiting yet.';
    return { eventId, queueSize: this.queueSize(eventId), playing, waitedMs, reason };
  }

  #clearQueue({ eventId }: MockEvent, message: string): void {
    this.#stopWaiting(eventId, message);
  }

  #stopWaiting(eventId: string, message: string): void {
    if (!this.#waiting.delete(eventId)) return;
    this.#host.send('matchmakingCancelled', { eventId, message, redirectInMs: 1_500 });
  }

  #sendWinners(event: MockEvent): void {
    this.#host.send('eventConcluded', { eventId: event.eventId, winners: event.view().winners });
  }

  #sendStandings({ eventId }: MockEvent): void {
    this.#host.send('standingsChanged', { eventId });
  }

  #sendState({ eventId, state }: MockEvent): void {
    this.#host.send('eventStateChanged', { eventId, eventState: state });
  }
}

/** Guests cannot take part in events. */
export function mustBeMember({ isTempUser }: User): void {
  if (isTempUser) throw new Refusal(403, 'guest', 'Guests cannot take part in events. Please register first.');
}

/** Levels 1 and 2 play on 3×3, 3 and 4 on 4×4, 5 and 6 on 5×5, higher ones on 6×6. */
function boardSize(level: number): BoardSize {
  return level <= 2 ? 3 : level <= 4 ? 4 : level <= 6 ? 5 : 6;
}

/** One event and its standings: docs/behaviour/events.md. */

import type { components } from '@/api/schema';
import { conflict, invalid, notFound } from './refusal';
import { type MockGame, type Seat, seat } from './mockGame';

type Schemas = components['schemas'];
type State = Schemas['EventState'];

export interface EventDetails {
  title: string;
  description?: string;
  prize?: string;
  eventType?: Schemas['EventType'];
  startTime?: string;
  endTime?: string;
  maxLosses?: number;
}

/** Who corrected what, and why. */
type CorrectionInfo = Pick<Schemas['Correction'], 'by' | 'what' | 'reason'>;

interface Participant extends Seat {
  signupId: string;
  createdAt: string;
  /** When they joined, in Unix milliseconds. */
  joinedAt: number | undefined;
  level: number;
  wins: number;
  losses: number;
  /** When they reached the current standing, in Unix milliseconds. */
  since: number;
  /** Removed by an admin. */
  isRemoved: boolean;
  /** Consecutive games lost by absence. */
  strikes: number;
  /** Must confirm that they are still there. */
  isAsked: boolean;
  /** Was removed from the room for absence, and has not returned. */
  isOut: boolean;
}

/** The question 'Still there?' to a player who lost by absence. */
export interface PresenceQuestion {
  reason: Schemas['AbsenceReason'];
  strikes: number;
}

type Counts = Schemas['Counts'];

const WINNERS = 3;
const DEFAULT_MAX_LOSSES = 3;
const TITLE_MAX = 120;
const COPY = ' (copy)';
const DESCRIPTION_MAX = 4_000;
const PRIZE_MAX = 200;
const ANNOUNCEMENT_MAX = 280;
const ANNOUNCEMENTS_KEPT = 20;
/** How long games may go on after the event has ended, in milliseconds. */
export const END_GRACE_MS = 60_000;
/** After this many consecutive losses by absence a player is removed from the room. */
export const MAX_STRIKES = 2;
export const AWAY_TWICE = 'You were away for two games in a row, so you left the event room. Come back any time.';
/** The largest value for level, wins and losses. */
const MOST = 1_000_000;

/** The allowed transitions between states, and the refusals of all others. */
const TRANSITIONS = {
  published: { from: ['drafted'], code: 'cannot-publish', text: 'Only a draft can be published.' },
  started: { from: ['published'], code: 'cannot-start', text: 'Only a published event can be started.' },
  ended: { from: ['started'], code: 'cannot-end', text: 'Only a live event can be ended.' },
  cancelled: {
    from: ['published', 'started'],
    code: 'cannot-cancel',
    text: 'Only a published or live event can be cancelled.',
  },
} satisfies Partial<Record<State, { from: State[]; code: string; text: string }>>;

export class MockEvent {
  readonly eventId: string = crypto.randomUUID();
  readonly createdAt = new Date().toISOString();
  readonly #participants = new Map<string, Participant>();
  #updatedAt = this.createdAt;
  #startedAt: string | undefined;
  #endedAt: string | undefined;
  readonly #gamesInPlay: () => number;
  #details: EventDetails;
  #winners: Schemas['Winner'][] = [];
  #isConcluded = false;
  #isReopened = false;
  readonly announcements: Schemas['Announcement'][] = [];
  readonly corrections: Schemas['Correction'][] = [];
  state: State = 'drafted';

  constructor(details: EventDetails, gamesInPlay: (eventId: string) => number) {
    this.#details = checked(details);
    this.#gamesInPlay = () => gamesInPlay(this.eventId);
  }

  get startsAt(): number {
    return Date.parse(this.#details.startTime ?? '');
  }

  get endsAt(): number {
    return Date.parse(this.#details.endTime ?? '');
  }

  get isConcluded(): boolean {
    return this.#isConcluded;
  }

  /** The sort key within its state: upcoming events by start, past events newest first. */
  get position(): number {
    if (this.state === 'drafted') return -Date.parse(this.createdAt);
    return this.state === 'ended' || this.state === 'cancelled' ? -Date.parse(this.#endedAt ?? '') : this.startsAt;
  }

  get isClosed(): boolean {
    return this.#details.eventType === 'closed';
  }

  get seats(): Seat[] {
    return [...this.#participants.values()].map(seat);
  }

  /** When the remaining games are decided; undefined for an event that was concluded or reopened. */
  get decidedAt(): number | undefined {
    const isOpen = this.state === 'ended' && !this.#isConcluded && !this.#isReopened;
    return isOpen ? Date.parse(this.#endedAt ?? '') + END_GRACE_MS : undefined;
  }

  /** Edits an event, publishes a draft, or both; other transitions have their own actions. */
  update(changes: Partial<EventDetails>, state?: State): void {
    const changed: EventDetails = { ...this.#details, ...changes };
    const isEdited = Object.entries(texts(changed)).some(([field, value]) => value !== texts(this.#details)[field]);
    if (state === undefined) return this.edit(changed);
    if (state === 'published' && this.state === 'drafted') {
      if (isEdited && changed.title.trim() === '') throw titleToPublish();
      const details = isEdited ? checked(changed) : this.#details;
      publishable(details);
      this.#details = details;
      return this.go('published');
    }
    if (state === 'published' && !isEdited) return this.go('published');
    if (state !== this.state) {
      const text = 'Only a draft can be published this way; an event is started, ended or cancelled by those actions.';
      throw conflict('unlisted-transition', text);
    }
    if (isEdited) this.edit(changed);
  }

  edit(changes: Partial<EventDetails>): void {
    const details = { ...this.#details, ...changes };
    if (this.state !== 'drafted' && this.state !== 'published') {
      throw conflict('cannot-edit', 'Only a draft or a published event can be edited.');
    }
    if (this.state === 'published') publishable(details);
    this.#details = checked(details);
    this.#touch();
  }

  /** Publishes, starts, ends or cancels. */
  go(state: keyof typeof TRANSITIONS): void {
    const { from, code, text } = TRANSITIONS[state];
    if (!(from as State[]).includes(this.state)) throw conflict(code, text);
    if (state === 'published') publishable(this.#details);
    this.state = state;
    if (state === 'started') this.#startedAt = new Date().toISOString();
    if (state === 'ended' || state === 'cancelled') this.#endedAt = new Date().toISOString();
    this.#touch();
  }

  /** Makes the winners final. */
  conclude(): void {
    if (this.state !== 'ended' || this.#isConcluded) {
      throw conflict('cannot-conclude', 'Only an ended event can be concluded, and only once.');
    }
    this.#isConcluded = true;
    this.#isReopened = false;
    this.#winners = this.leaderboard()
      .filter(({ wins, isRemoved }) => wins > 0 && isRemoved !== true)
      .slice(0, WINNERS)
      .map((player) => ({ ...seat(player), level: player.level, wins: player.wins }));
    this.#touch();
  }

  /** Opens a concluded event for corrections. */
  reopen(): void {
    if (this.state !== 'ended' || !this.#isConcluded) {
      throw conflict('cannot-reopen', 'Only an event whose winners are final can be reopened.');
    }
    this.#isConcluded = false;
    this.#isReopened = true;
    this.#winners = [];
    this.#touch();
  }

  /** The details for a copy of this event, without times in the past. */
  copy(): EventDetails {
    const { startTime, endTime, ...details } = this.#details;
    const isAhead = endTime !== undefined && Date.parse(endTime) > Date.now();
    const times = isAhead ? { endTime, ...(startTime === undefined ? {} : { startTime }) } : {};
    return { ...details, title: `${details.title.slice(0, TITLE_MAX - COPY.length).trimEnd()}${COPY}`, ...times };
  }

  announce(text: string): Schemas['Announcement'] {
    const message = text.trim();
    if (this.state === 'drafted') throw notReady();
    if (message === '') throw invalid('message', 'A message is required.', 'message-required');
    if (message.length > ANNOUNCEMENT_MAX) {
      throw invalid('message', `A message may have at most ${ANNOUNCEMENT_MAX} characters.`, 'message-too-long');
    }
    const announcement = { message, at: new Date().toISOString() };
    this.announcements.push(announcement);
    this.announcements.splice(0, this.announcements.length - ANNOUNCEMENTS_KEPT);
    this.#touch();
    return announcement;
  }

  isSignedUp(userId: string): boolean {
    return this.#participants.has(userId);
  }

  hasJoined(userId: string): boolean {
    return this.joinedAt(userId) !== undefined;
  }

  joinedAt(userId: string): number | undefined {
    return this.#participants.get(userId)?.joinedAt;
  }

  signUp(seat: Seat): Schemas['Signup'] {
    this.#mustTakeRegistrations();
    if (this.#participants.get(seat.userId)?.isRemoved === true) throw removed();
    if (!this.#participants.has(seat.userId)) this.#add(seat);
    return this.signupOf(seat.userId);
  }

  remove(userId: string): void {
    this.#mustTakeRegistrations();
    if (this.#participants.get(userId)?.isRemoved === true) throw removed();
    if (!this.#participants.delete(userId)) throw noSignup();
  }

  /** Throws unless this user may join; everybody may join an open event. */
  mustAdmit(userId: string): void {
    if (this.state === 'drafted') throw notReady();
    if (this.state === 'published') throw conflict('event-not-started', 'This event has not started yet.');
    this.#mustNotBeOver();
    if (!this.#participants.has(userId) && this.isClosed) throw conflict('tournament-closed', 'Tournament Closed');
    if (this.#participants.get(userId)?.isRemoved === true) throw removed();
    if (this.isEliminated(userId)) throw conflict('eliminated', "You've Been Eliminated");
  }

  /** Joins the live event. */
  join(seat: Seat): void {
    this.mustAdmit(seat.userId);
    if (!this.#participants.has(seat.userId)) this.#add(seat);
    this.#mustHave(seat.userId).joinedAt ??= Date.now();
  }

  /** An admin registers somebody for an event of any type, until it ends. */
  enrol(seat: Seat): void {
    if (this.state === 'ended' || this.state === 'cancelled') throw conflict('event-over', 'This event is over.');
    if (!this.#participants.has(seat.userId)) this.#add(seat);
  }

  /** Whether the player must confirm first that they are still there. */
  isAsked(userId: string): boolean {
    return this.#participants.get(userId)?.isAsked ?? false;
  }

  /** Why they were removed from the room, until they return. */
  takenOut(userId: string): string | undefined {
    return this.#participants.get(userId)?.isOut === true ? AWAY_TWICE : undefined;
  }

  /** The player has returned to the room. */
  cameBack(userId: string): void {
    this.#mustHave(userId).isOut = false;
  }

  /** The player looks for an opponent, so they are there. */
  isHere(userId: string): void {
    this.#mustHave(userId).isAsked = false;
  }

  /** The question to a player after this game, if they lost it by absence and can go on playing. */
  ask(game: MockGame, userId: string): PresenceQuestion | undefined {
    const participant = this.#mustHave(userId);
    const { winner, reason } = game;
    const isLost = winner !== undefined && winner.userId !== userId;
    if (isLost && (reason === 'noShow' || reason === 'timeout')) {
      const strikes = participant.strikes + 1;
      participant.strikes = strikes % MAX_STRIKES;
      participant.isAsked = true;
      participant.isOut = strikes >= MAX_STRIKES;
      return this.state === 'started' && !this.isEliminated(userId) ? { reason, strikes } : undefined;
    }
    if (game.hasMoved(userId)) participant.strikes = 0;
    return undefined;
  }

  isEliminated(userId: string): boolean {
    const { maxLosses = DEFAULT_MAX_LOSSES } = this.#details;
    const { losses = 0, isRemoved = false } = this.#participants.get(userId) ?? {};
    return isRemoved || (maxLosses > 0 && losses >= maxLosses);
  }

  levelOf(userId: string): number {
    return this.#mustHave(userId).level;
  }

  /** Applies a result: a win raises the level, a loss is counted. */
  record(winner: Seat, loser: Seat): Schemas['TournamentResult'] {
    const [up, down] = [this.#mustHave(winner.userId), this.#mustHave(loser.userId)];
    up.level += 1;
    up.wins += 1;
    down.losses += 1;
    up.since = down.since = Date.now();
    return {
      winner: { userId: winner.userId },
      loser: { userId: loser.userId, isEliminated: this.isEliminated(loser.userId) },
    };
  }

  mustBeCorrectable(): void {
    if (this.state === 'ended' && this.#isConcluded) {
      throw conflict('event-over', 'The winners of this event are final. Reopen it to correct them.');
    }
  }

  /** The number of losses that makes a player eliminated, or not: elimination follows from losses. */
  lossesFor(userId: string, losses: number | undefined, isEliminated: boolean | undefined): number | undefined {
    if (isEliminated === undefined) return losses;
    this.mustBeCorrectable();
    const { maxLosses = DEFAULT_MAX_LOSSES } = this.#details;
    if (maxLosses === 0) throw conflict('no-elimination', 'Nobody is eliminated in this event.');
    const given = losses ?? this.player(userId).losses;
    return isEliminated ? Math.max(given, maxLosses) : Math.min(given, maxLosses - 1);
  }

  /** An admin sets somebody's standing, or removes them from the event, with a reason. */
  correct(userId: string, change: Partial<Counts> & { isRemoved?: true }, info: CorrectionInfo): void {
    this.mustBeCorrectable();
    const participant = this.#participants.get(userId);
    if (participant === undefined) throw notFound('Player');
    if (change.isRemoved === true && participant.isRemoved) return;
    const counts = (): Counts => ({ level: participant.level, wins: participant.wins, losses: participant.losses });
    const before = counts();
    Object.assign(participant, change, { since: Date.now() });
    this.corrections.push({
      at: new Date().toISOString(),
      ...seat(participant),
      before,
      after: counts(),
      ...info,
    });
  }

  /** By level, wins, fewer losses, and who was first; players without a game come last. */
  leaderboard(): Schemas['Player'][] {
    const hasPlayed = ({ wins, losses }: Participant) => (wins + losses > 0 ? 0 : 1);
    const isOut = ({ isRemoved }: Participant) => (isRemoved ? 1 : 0);
    return [...this.#participants.values()]
      .sort(
        (a, b) =>
          isOut(a) - isOut(b) ||
          hasPlayed(a) - hasPlayed(b) ||
          b.level - a.level ||
          b.wins - a.wins ||
          a.losses - b.losses ||
          a.since - b.since,
      )
      .map((participant, at) => ({
        ...seat(participant),
        eventId: this.eventId,
        level: participant.level,
        wins: participant.wins,
        losses: participant.losses,
        isEliminated: this.isEliminated(participant.userId),
        ...(participant.isRemoved ? { isRemoved: true } : {}),
        rank: at + 1,
      }));
  }

  player(userId: string): Schemas['Player'] {
    const player = this.leaderboard().find((each) => each.userId === userId);
    if (player === undefined) throw notFound('Player');
    return player;
  }

  signups(): Schemas['Signup'][] {
    return [...this.#participants.keys()].map((userId) => this.signupOf(userId));
  }

  signupOf(user: string): Schemas['Signup'] {
    const participant = this.#mustHave(user);
    const { signupId, userId, createdAt, joinedAt, isRemoved, level, wins, losses } = participant;
    const playing = joinedAt === undefined ? 'registered' : 'active';
    return {
      ...seat(participant),
      _id: signupId,
      signupId,
      eventId: this.eventId,
      createdAt,
      status: isRemoved ? 'removed' : this.isEliminated(userId) ? 'eliminated' : playing,
      level,
      wins,
      losses,
    };
  }

  view(): Schemas['Event'] {
    const { title, description = '', eventType = 'open', maxLosses = DEFAULT_MAX_LOSSES } = this.#details;
    const { prize, startTime, endTime } = this.#details;
    return {
      _id: this.eventId,
      eventId: this.eventId,
      title,
      description,
      ...(prize ? { prize } : {}),
      eventType,
      eventState: this.state,
      ...(startTime === undefined ? {} : { startTime: wireTime(startTime) }),
      ...(endTime === undefined ? {} : { endTime: wireTime(endTime) }),
      maxLosses,
      createdAt: this.createdAt,
      updatedAt: this.#updatedAt,
      winners: this.#winners,
      signupCount: [...this.#participants.values()].filter(({ isRemoved }) => !isRemoved).length,
      participantCount: [...this.#participants.values()].filter(({ joinedAt }) => joinedAt !== undefined).length,
      concluded: this.#isConcluded || this.state === 'cancelled',
      announcements: [...this.announcements],
      gamesInPlay: this.#gamesInPlay(),
      ...(this.#startedAt === undefined ? {} : { startedAt: this.#startedAt }),
      ...(this.#endedAt === undefined ? {} : { endedAt: this.#endedAt }),
      ...(this.decidedAt === undefined ? {} : { decidedBy: new Date(this.decidedAt).toISOString() }),
    };
  }

  #add(person: Seat): void {
    const now = Date.now();
    this.#participants.set(person.userId, {
      ...seat(person),
      signupId: crypto.randomUUID(),
      createdAt: new Date(now).toISOString(),
      joinedAt: undefined,
      strikes: 0,
      isAsked: false,
      isOut: false,
      level: 1,
      wins: 0,
      losses: 0,
      since: now,
      isRemoved: false,
    });
  }

  #mustHave(userId: string): Participant {
    const participant = this.#participants.get(userId);
    if (participant === undefined) throw noSignup();
    return participant;
  }

  #mustTakeRegistrations(): void {
    if (this.state === 'drafted') throw notReady();
    this.#mustNotBeOver();
    if (this.state === 'started') {
      throw conflict('registration-closed', 'Registration closed when the event started.');
    }
  }

  #mustNotBeOver(): void {
    if (this.state === 'ended') throw conflict('event-ended', 'This event has ended.');
    if (this.state === 'cancelled') throw conflict('event-cancelled', 'Event Cancelled');
  }

  #touch(): void {
    this.#updatedAt = new Date().toISOString();
  }
}

/** A time as the server formats it: without milliseconds if they are zero. */
export function wireTime(time: string): string {
  return time.replace('.000Z', 'Z');
}

const removed = () => conflict('removed', 'You have been removed from this event.');
const noSignup = () => notFound('Sign-up');
const notReady = () => conflict('event-not-ready', 'This event is not ready yet.');
const titleToPublish = () => invalid('title', 'Event title is required to publish.', 'publish-title-required');

/** Refuses values outside the range. */
export function checkCount(field: string, value: number | undefined, least: number): void {
  if (value === undefined || (value >= least && value <= MOST)) return;
  throw invalid(`updates.${field}`, `Between ${least} and ${MOST}.`);
}

/** The details as texts, for comparison. */
function texts({
  title,
  description,
  prize,
  eventType,
  startTime,
  endTime,
  maxLosses,
}: EventDetails): Record<string, string> {
  const time = (text: string | undefined) => String(text === undefined ? '' : Date.parse(text));
  return {
    title,
    description: description ?? '',
    prize: prize ?? '',
    eventType: eventType ?? 'open',
    startTime: time(startTime),
    endTime: time(endTime),
    maxLosses: String(maxLosses ?? DEFAULT_MAX_LOSSES),
  };
}

function checked(details: EventDetails): EventDetails {
  const trimmed = (text: string | undefined) => text?.trim() ?? '';
  const [title, description, prize] = [details.title, details.description, details.prize].map(trimmed) as [
    string,
    string,
    string,
  ];
  const limits = [
    ['title', 'Event title', title, TITLE_MAX],
    ['description', 'Description', description, DESCRIPTION_MAX],
    ['prize', 'Prize', prize, PRIZE_MAX],
  ] as const;
  if (title === '') throw invalid('title', 'Event title is required.', 'title-required');
  for (const [field, name, text, most] of limits) {
    if (text.length > most) throw invalid(field, `${name} may have at most ${most} characters.`, `${field}-too-long`);
  }
  return { ...details, title, description, prize };
}

/** What a published event must have: docs/behaviour/events.md#fields. */
function publishable({ title, startTime, endTime }: EventDetails): void {
  if (title.trim() === '') throw titleToPublish();
  if (startTime === undefined) {
    throw invalid('startTime', 'Start time is required to publish.', 'publish-start-required');
  }
  if (endTime === undefined) throw invalid('endTime', 'End time is required to publish.', 'publish-end-required');
  if (Date.parse(endTime) <= Date.parse(startTime)) {
    throw invalid('endTime', 'End time must be after start time.', 'end-not-after-start');
  }
  if (Date.parse(endTime) <= Date.now()) {
    throw invalid('endTime', 'End time must be in the future.', 'end-in-the-past');
  }
}

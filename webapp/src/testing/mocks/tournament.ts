/** One event and its standings (events and gameplay, sections 3 to 5; decisions: play). */

import type { components } from '@/api/schema';
import { conflict, invalid, Refusal } from './refusal';
import { type Seat, seat } from './game';

type Schemas = components['schemas'];
type State = Schemas['EventState'];

export interface Plan {
  title: string;
  description?: string;
  prize?: string;
  eventType?: Schemas['EventType'];
  startTime?: string;
  endTime?: string;
  maxLosses?: number;
}

/** Who corrected what, and why. */
type Receipt = Pick<Schemas['Correction'], 'by' | 'what' | 'reason'>;

interface Entry extends Seat {
  signupId: string;
  createdAt: string;
  /** Came once the event was live. */
  hasJoined: boolean;
  level: number;
  wins: number;
  losses: number;
  /** When the present standing was reached, in Unix milliseconds. */
  since: number;
  /** Taken out by an admin. */
  isRemoved: boolean;
}

type Counts = Schemas['Counts'];

const WINNERS = 3;
const DEFAULT_MAX_LOSSES = 3;
const TITLE_MAX = 120;
const COPY = ' (copy)';
const ANNOUNCEMENTS_KEPT = 20;

/** Which states an event may leave for the one it is sent to, and what it says elsewhere. */
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

export class Tournament {
  readonly eventId: string = crypto.randomUUID();
  readonly createdAt = new Date().toISOString();
  readonly #entries = new Map<string, Entry>();
  #updatedAt = this.createdAt;
  #startedAt: string | undefined;
  #endedAt: string | undefined;
  readonly #gamesInPlay: () => number;
  #plan: Plan;
  #winners: Schemas['Winner'][] = [];
  #isConcluded = false;
  readonly announcements: Schemas['Announcement'][] = [];
  readonly corrections: Schemas['Correction'][] = [];
  state: State = 'drafted';

  constructor(plan: Plan, gamesInPlay: (eventId: string) => number) {
    this.#plan = checked(plan);
    this.#gamesInPlay = () => gamesInPlay(this.eventId);
  }

  get startsAt(): number {
    return Date.parse(this.#plan.startTime ?? '');
  }

  get endsAt(): number {
    return Date.parse(this.#plan.endTime ?? '');
  }

  get isClosed(): boolean {
    return this.#plan.eventType === 'closed';
  }

  get seats(): Seat[] {
    return [...this.#entries.values()].map(seat);
  }

  edit(changes: Partial<Plan>): void {
    if (this.state !== 'drafted' && this.state !== 'published') {
      throw conflict('cannot-edit', 'Only a draft or a published event can be edited.');
    }
    const plan = checked({ ...this.#plan, ...changes });
    if (this.state === 'published') publishable(plan);
    this.#plan = plan;
    this.#touch();
  }

  /** Publishes, starts, ends or cancels. */
  go(state: keyof typeof TRANSITIONS): void {
    const { from, code, text } = TRANSITIONS[state];
    if (!(from as State[]).includes(this.state)) throw conflict(code, text);
    if (state === 'published') publishable(this.#plan);
    this.state = state;
    if (state === 'started') this.#startedAt = new Date().toISOString();
    if (state === 'ended' || state === 'cancelled') this.#endedAt = new Date().toISOString();
    if (state === 'ended') this.conclude();
    this.#touch();
  }

  /** Makes the winners final. */
  conclude(): void {
    if (this.state !== 'ended' || this.#isConcluded) {
      throw conflict('cannot-conclude', 'Only an ended event can be concluded, and only once.');
    }
    this.#isConcluded = true;
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
    this.#winners = [];
    this.#touch();
  }

  /** What this event was made from, for a draft that is called a copy; without times that have passed. */
  copy(): Plan {
    const { startTime, endTime, ...plan } = this.#plan;
    const isAhead = endTime !== undefined && Date.parse(endTime) > Date.now();
    const times = isAhead ? { endTime, ...(startTime === undefined ? {} : { startTime }) } : {};
    return { ...plan, title: `${plan.title.slice(0, TITLE_MAX - COPY.length).trimEnd()}${COPY}`, ...times };
  }

  announce(text: string): Schemas['Announcement'] {
    const message = text.trim();
    if (this.state === 'drafted') throw conflict('event-not-ready', 'This event is not ready yet.');
    if (message === '') throw invalid('message', 'A message is required.');
    if (message.length > 280) throw invalid('message', 'A message may have at most 280 characters.');
    const told = { message, at: new Date().toISOString() };
    this.announcements.push(told);
    this.announcements.splice(0, this.announcements.length - ANNOUNCEMENTS_KEPT);
    this.#touch();
    return told;
  }

  isSignedUp(userId: string): boolean {
    return this.#entries.has(userId);
  }

  hasJoined(userId: string): boolean {
    return this.#entries.get(userId)?.hasJoined ?? false;
  }

  signUp(seat: Seat): Schemas['Signup'] {
    this.#mustTakeRegistrations();
    if (this.#entries.get(seat.userId)?.isRemoved === true) throw removed();
    if (!this.#entries.has(seat.userId)) this.#add(seat);
    return this.signupOf(seat.userId);
  }

  remove(userId: string): void {
    this.#mustTakeRegistrations();
    if (this.#mustHave(userId).isRemoved) throw removed();
    this.#entries.delete(userId);
  }

  /** Enters the live event; an open one takes whoever comes. */
  join(seat: Seat): void {
    if (this.state === 'drafted' || this.state === 'published') {
      throw conflict('event-not-started', 'This event has not started yet.');
    }
    this.#mustNotBeOver();
    if (!this.#entries.has(seat.userId)) {
      if (this.isClosed) throw new Refusal(403, 'tournament-closed', 'Tournament Closed');
      this.#add(seat);
    }
    const entry = this.#mustHave(seat.userId);
    if (entry.isRemoved) throw removed();
    if (this.isEliminated(seat.userId)) throw conflict('eliminated', "You've Been Eliminated");
    entry.hasJoined = true;
  }

  isEliminated(userId: string): boolean {
    const { maxLosses = DEFAULT_MAX_LOSSES } = this.#plan;
    const { losses = 0, isRemoved = false } = this.#entries.get(userId) ?? {};
    return isRemoved || (maxLosses > 0 && losses >= maxLosses);
  }

  levelOf(userId: string): number {
    return this.#mustHave(userId).level;
  }

  /** A win is a level more and a loss is counted; tells what became of both. */
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

  /** An admin sets somebody's standing, or takes them out: a receipt says so. */
  correct(userId: string, change: Partial<Counts> & { isRemoved?: true }, receipt: Receipt): void {
    if (this.state === 'ended' && this.#isConcluded) {
      throw conflict('event-over', 'The winners of this event are final. Reopen it to correct them.');
    }
    const entry = this.#mustHave(userId);
    const counts = (): Counts => ({ level: entry.level, wins: entry.wins, losses: entry.losses });
    const before = counts();
    Object.assign(entry, change, { since: Date.now() });
    this.corrections.push({
      at: new Date().toISOString(),
      userId,
      username: entry.username,
      before,
      after: counts(),
      ...receipt,
    });
  }

  /** Level, then wins, then fewer losses, then whoever was there first; who has not played comes last. */
  leaderboard(): Schemas['Player'][] {
    const hasPlayed = ({ wins, losses }: Entry) => (wins + losses > 0 ? 0 : 1);
    const isOut = ({ isRemoved }: Entry) => (isRemoved ? 1 : 0);
    return [...this.#entries.values()]
      .sort(
        (a, b) =>
          isOut(a) - isOut(b) ||
          hasPlayed(a) - hasPlayed(b) ||
          b.level - a.level ||
          b.wins - a.wins ||
          a.losses - b.losses ||
          a.since - b.since,
      )
      .map((entry, at) => ({
        ...seat(entry),
        eventId: this.eventId,
        level: entry.level,
        wins: entry.wins,
        losses: entry.losses,
        isEliminated: this.isEliminated(entry.userId),
        ...(entry.isRemoved ? { isRemoved: true } : {}),
        rank: at + 1,
      }));
  }

  player(userId: string): Schemas['Player'] {
    this.#mustHave(userId);
    const player = this.leaderboard().find((each) => each.userId === userId);
    if (player === undefined) throw noSignup();
    return player;
  }

  signups(): Schemas['Signup'][] {
    return [...this.#entries.keys()].map((userId) => this.signupOf(userId));
  }

  signupOf(user: string): Schemas['Signup'] {
    const entry = this.#mustHave(user);
    const { signupId, userId, createdAt, hasJoined, isRemoved, level, wins, losses } = entry;
    const playing = hasJoined ? 'active' : 'registered';
    return {
      ...seat(entry),
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
    const { title, description = '', eventType = 'open', maxLosses = DEFAULT_MAX_LOSSES } = this.#plan;
    const { prize, startTime, endTime } = this.#plan;
    return {
      _id: this.eventId,
      eventId: this.eventId,
      title,
      description,
      ...(prize ? { prize } : {}),
      eventType,
      eventState: this.state,
      ...(startTime === undefined ? {} : { startTime }),
      ...(endTime === undefined ? {} : { endTime }),
      maxLosses,
      createdAt: this.createdAt,
      updatedAt: this.#updatedAt,
      winners: this.#winners,
      signupCount: [...this.#entries.values()].filter(({ isRemoved }) => !isRemoved).length,
      participantCount: [...this.#entries.values()].filter(({ hasJoined }) => hasJoined).length,
      concluded: this.#isConcluded || this.state === 'cancelled',
      announcements: [...this.announcements],
      gamesInPlay: this.#gamesInPlay(),
      ...(this.#startedAt === undefined ? {} : { startedAt: this.#startedAt }),
      ...(this.#endedAt === undefined ? {} : { endedAt: this.#endedAt }),
    };
  }

  #add(person: Seat): void {
    const now = Date.now();
    this.#entries.set(person.userId, {
      ...seat(person),
      signupId: crypto.randomUUID(),
      createdAt: new Date(now).toISOString(),
      hasJoined: false,
      level: 1,
      wins: 0,
      losses: 0,
      since: now,
      isRemoved: false,
    });
  }

  #mustHave(userId: string): Entry {
    const entry = this.#entries.get(userId);
    if (entry === undefined) throw noSignup();
    return entry;
  }

  #mustTakeRegistrations(): void {
    if (this.state === 'drafted') throw conflict('event-not-ready', 'This event is not ready yet.');
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

const removed = () => conflict('removed', 'You have been removed from this event.');
const noSignup = () => new Refusal(404, 'not-found', 'Sign-up not found.');

function checked(plan: Plan): Plan {
  const title = plan.title.trim();
  if (title === '') throw invalid('title', 'Event title is required.');
  if (title.length > 120) throw invalid('title', 'Event title may have at most 120 characters.');
  const trimmed = (text: string | undefined) => text?.trim() ?? '';
  return { ...plan, title, description: trimmed(plan.description), prize: trimmed(plan.prize) };
}

/** Events and gameplay, section 5. */
function publishable({ startTime, endTime }: Plan): void {
  if (startTime === undefined) throw invalid('startTime', 'Start time is required to publish.');
  if (endTime === undefined) throw invalid('endTime', 'End time is required to publish.');
  if (Date.parse(endTime) <= Date.parse(startTime)) throw invalid('endTime', 'End time must be after start time.');
}

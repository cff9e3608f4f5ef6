/** One event and its standings: docs/behaviour/events.md. */

import type { components } from '@/api/schema';
import { typedCode } from '@/shared/events/joinCode';
import { composed, visibleError } from '@/shared/visible';
import {
  checked,
  clockOf,
  conditionsOf,
  copied,
  DEFAULT_MAX_LOSSES,
  type EventDetails,
  publishable,
  stagesOf,
  texts,
  titleToPublish,
  wireTime,
} from './eventDetails';
import type { User } from './mockAccounts';
import { type MockGame, type Seat, seat } from './mockGame';
import type { MockInvitation } from './invitations';
import { Participants, type PresenceQuestion } from './participants';
import { conflict, invalid, notFound } from './refusal';
import { MAX_ROUND_ROBIN, Stage, type StageSettings } from './stages';

type Schemas = components['schemas'];
type State = Schemas['EventState'];

/** Who corrected what, and why. */
type CorrectionInfo = Pick<Schemas['Correction'], 'by' | 'what' | 'reason'>;

const WINNERS = 3;
const ANNOUNCEMENT_MAX = 280;
const ANNOUNCEMENTS_KEPT = 20;
/** How long games may go on after the event has ended, in milliseconds. */
export const END_GRACE_MS = 60_000;

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
  readonly participants = new Participants(this.eventId, () => this.#maxLosses);
  #updatedAt = this.createdAt;
  #startedAt: string | undefined;
  #endedAt: string | undefined;
  readonly #gamesInPlay: () => number;
  #details: EventDetails;
  #winners: Schemas['Winner'][] = [];
  #isConcluded = false;
  #isReopened = false;
  /** By user. */
  readonly invitations = new Map<string, MockInvitation>();
  readonly announcements: Schemas['Announcement'][] = [];
  readonly corrections: Schemas['Correction'][] = [];
  /** Who said that players on one network are different people. */
  vouch: Schemas['Vouch'] | undefined;
  /** The tournament of an event that is no arena, once it has begun. */
  stage: Stage | undefined;
  state: State = 'drafted';
  /** Whose private event it is. */
  readonly host: Seat | undefined;
  #joinCode = newCode();
  #calendarToken = newToken();
  /** Of which series it is. */
  seriesId: string | undefined;

  constructor(details: EventDetails, gamesInPlay: (eventId: string) => number, host?: Seat) {
    this.#details = checked(details);
    this.host = host;
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

  get isPrivate(): boolean {
    return this.host !== undefined;
  }

  get joinCode(): string | undefined {
    return this.isPrivate ? this.#joinCode : undefined;
  }

  /** With which the calendar file of a private event is fetched without a sign-in. */
  get calendarToken(): string | undefined {
    return this.isPrivate ? this.#calendarToken : undefined;
  }

  renewJoinCode(code = newCode()): void {
    this.#joinCode = code;
    this.#calendarToken = newToken();
    this.#touch();
  }

  /** A private event is for its host, for who has signed up and for admins; a draft for whoever runs it. */
  isSeenBy(user: User | undefined): boolean {
    if (user?.isAdmin === true || (user !== undefined && user.userId === this.host?.userId)) return true;
    if (this.state === 'drafted') return false;
    return !this.isPrivate || this.participants.has(user?.userId ?? '');
  }

  get isClosed(): boolean {
    return this.#details.eventType === 'closed';
  }

  get isRatedOnOneNetwork(): boolean {
    return this.#details.ratedOnOneNetwork ?? false;
  }

  /** Undefined for an arena. */
  get stages(): StageSettings | undefined {
    return stagesOf(this.#details);
  }

  get clock(): Schemas['QuickMatchClock'] {
    return clockOf(this.#details);
  }

  get #maxLosses(): number {
    return this.#details.maxLosses ?? DEFAULT_MAX_LOSSES;
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
    const opened = this.#checkInOpens;
    if (this.state !== 'drafted' && this.state !== 'published') throw cannotEdit();
    if (this.state === 'published') publishable(details);
    this.#details = checked(details);
    if (opened !== this.#checkInOpens && !this.isCheckInOpen) this.participants.clearCheckIns();
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
    this.stage?.decideAll();
    this.#winners = this.#ranked().map((player) => ({ ...seat(player), level: player.level, wins: player.wins }));
    this.#touch();
  }

  /** Who is among the winners as it stands. */
  #ranked(): Schemas['Player'][] {
    const isIn = ({ isRemoved }: Schemas['Player']) => isRemoved !== true;
    if (this.stage === undefined) {
      const players = this.participants.leaderboard().filter(isIn);
      return players.filter(({ wins }) => wins > 0).slice(0, WINNERS);
    }
    const first = this.stage
      .standings()
      .filter(({ rank, points, disqualified }) => rank <= WINNERS && points > 0 && !disqualified);
    return first.map(({ userId }) => this.participants.player(userId)).filter(isIn);
  }

  /** Moves the end of an event that is published or live. */
  extend(endTime: string): void {
    if (this.state !== 'published' && this.state !== 'started') throw cannotEdit();
    const details = { ...this.#details, endTime };
    publishable(details);
    const last = details.roundTimes?.at(-1);
    if (last !== undefined && Date.parse(last) >= Date.parse(endTime)) {
      throw invalid('endTime', 'The event must end after its last round begins.', 'end-before-rounds');
    }
    this.#details = checked(details);
    this.#touch();
  }

  /** When players can begin to check in; undefined where nobody asks them. */
  get #checkInOpens(): number | undefined {
    const { startTime, checkInMinutes = 0 } = this.#details;
    return startTime === undefined || checkInMinutes === 0
      ? undefined
      : Date.parse(startTime) - checkInMinutes * 60_000;
  }

  get isCheckInOpen(): boolean {
    const opens = this.#checkInOpens;
    return this.state === 'published' && opens !== undefined && opens <= Date.now();
  }

  /** Whether only those play from the start who checked in. */
  get #hasAskedToCheckIn(): boolean {
    const [opens, started] = [this.#checkInOpens, this.#startedAt];
    return opens !== undefined && started !== undefined && Date.parse(started) >= opens;
  }

  /** Whether the event is not to start since all could check in, and nobody has. */
  get isDeserted(): boolean {
    return this.isCheckInOpen && this.participants.countOfCheckedIn === 0;
  }

  /** Registered, and there if players were asked to check in. */
  isExpected(userId: string): boolean {
    return this.participants.isIn(userId) && (!this.#hasAskedToCheckIn || this.participants.hasCheckedIn(userId));
  }

  /** Somebody says that they are there, or takes that back. */
  checkIn(userId: string, isThere: boolean): Schemas['Signup'] {
    this.#mustCheckIn();
    this.participants.mustNotBeRemoved(userId);
    this.participants.checkIn(userId, isThere);
    return this.signupOf(userId);
  }

  /** A director does so for a player; after the start it lets in who did not check in. */
  checkInPlayer(userId: string, isThere: boolean, by: string): void {
    if (!this.participants.has(userId)) throw notFound('Player');
    this.participants.mustNotBeRemoved(userId);
    if (this.state === 'started' && this.#checkInOpens !== undefined && isThere) {
      if (this.isExpected(userId)) return;
      if (this.stage?.takesNewcomers === false) throw conflict('tournament-closed', 'Tournament Closed');
    } else {
      this.#mustCheckIn();
    }
    if (!this.participants.checkIn(userId, isThere)) return;
    const counts = this.participants.countsOf(userId);
    const person = this.participants.seats.find((each) => each.userId === userId);
    if (person === undefined) return;
    const what = isThere ? 'checkIn' : 'checkInUndone';
    this.corrections.push({ at: new Date().toISOString(), ...person, before: counts, after: counts, by, what });
  }

  #mustCheckIn(): void {
    if (this.state === 'drafted') throw notReady();
    this.#mustNotBeOver();
    if (this.#checkInOpens === undefined) throw conflict('no-check-in', 'This event has no check-in.');
    if (this.state === 'started') throw conflict('check-in-closed', 'Check-in closed when the event started.');
    if (!this.isCheckInOpen) throw conflict('check-in-not-open', 'Check-in is not open yet.');
  }

  /** A sign-up, with what is known of its check-in. */
  signupOf(userId: string): Schemas['Signup'] {
    const asks = (this.#details.checkInMinutes ?? 0) > 0;
    const checkedIn = asks ? { checkedIn: this.participants.hasCheckedIn(userId) } : {};
    return { ...this.participants.signupOf(userId), ...checkedIn };
  }

  /** Begins the tournament with those who are in; `strength` orders the seeds. */
  beginRounds(strength: (userId: string) => number): Stage | undefined {
    const seats = this.participants.seats.filter(({ userId }) => this.isExpected(userId));
    if (this.stages === undefined || seats.length < 2) return undefined;
    const entrants = seats.toSorted((a, b) => strength(b.userId) - strength(a.userId));
    const roundTimes = (this.#details.roundTimes ?? []).map((time) => Date.parse(time));
    this.stage = new Stage(this.stages, entrants, roundTimes);
    return this.stage;
  }

  /** The tournament, for a director's act. */
  directed(): Stage {
    if (this.stages === undefined) throw conflict('no-rounds', 'This event has no stage rounds.');
    this.mustBeCorrectable();
    if (this.stage === undefined) throw conflict('no-round-yet', 'No round of this event is paired yet.');
    return this.stage;
  }

  mustBeUnderWay(): void {
    if (this.state === 'drafted') throw notReady();
    if (this.state === 'published') throw notStarted();
    this.#mustNotBeOver();
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

  /** The details for a copy of this event. */
  copy(): EventDetails {
    return copied(this.#details);
  }

  /** Says why the event does not take place. */
  noteWhyCancelled(reason: string): void {
    this.announcements.push({ message: `This event was cancelled: ${reason}`, at: new Date().toISOString() });
    this.announcements.splice(0, this.announcements.length - ANNOUNCEMENTS_KEPT);
  }

  announce(text: string): Schemas['Announcement'] {
    const message = composed(text);
    if (this.state === 'drafted') throw notReady();
    if (message === '') throw invalid('message', 'A message is required.', 'message-required');
    if (message.length > ANNOUNCEMENT_MAX) {
      throw invalid('message', `A message may have at most ${ANNOUNCEMENT_MAX} characters.`, 'message-too-long');
    }
    const unseen = message.split('\n').map((line) => visibleError(line, 'The message'));
    const [error] = unseen.filter((each) => each !== null);
    if (error !== undefined) throw invalid('message', error, 'message-invisible');
    const announcement = { message, at: new Date().toISOString() };
    this.announcements.push(announcement);
    this.announcements.splice(0, this.announcements.length - ANNOUNCEMENTS_KEPT);
    this.#touch();
    return announcement;
  }

  /** `mayEnter` refuses whoever misses a condition of entry. */
  signUp(seat: Seat, mayEnter = () => {}): Schemas['Signup'] {
    this.#mustTakeRegistrations();
    this.participants.mustNotBeRemoved(seat.userId);
    mayEnter();
    this.#mustHaveRoom(seat.userId);
    this.participants.add(seat, this.isCheckInOpen);
    return this.signupOf(seat.userId);
  }

  remove(userId: string): void {
    this.#mustTakeRegistrations();
    this.participants.mustNotBeRemoved(userId);
    this.participants.delete(userId);
  }

  /** Throws unless this user may join; everybody may join an open event. */
  mustAdmit(userId: string, mayEnter = () => {}): void {
    this.mustBeUnderWay();
    if (!this.participants.has(userId) && this.isClosed) throw conflict('tournament-closed', 'Tournament Closed');
    this.participants.mustNotBeRemoved(userId);
    const isLate = this.participants.has(userId) && !this.isExpected(userId);
    if (isLate && this.isClosed) {
      throw conflict('not-checked-in', 'You did not check in, and this event takes no late entries.');
    }
    if (isLate && this.stage?.takesNewcomers === false) throw conflict('tournament-closed', 'Tournament Closed');
    if (this.participants.isEliminated(userId)) throw conflict('eliminated', "You've Been Eliminated");
    mayEnter();
    this.#mustHaveRoom(userId);
  }

  /** Joins the live event. */
  join(seat: Seat): void {
    this.mustAdmit(seat.userId);
    this.participants.add(seat);
    this.participants.join(seat.userId);
  }

  /** An admin registers somebody for an event of any type, until it ends. */
  enrol(seat: Seat): void {
    if (this.state === 'ended' || this.state === 'cancelled') throw conflict('event-over', 'This event is over.');
    if (this.participants.has(seat.userId)) return;
    this.participants.add(seat, this.isCheckInOpen || this.#hasAskedToCheckIn);
  }

  /** The question to a player after this game, if they lost it by absence and can go on playing. */
  ask(game: MockGame, userId: string): PresenceQuestion | undefined {
    const question = this.participants.noteAbsence(game, userId);
    return this.state === 'started' ? question : undefined;
  }

  /** An admin sets somebody's standing, or removes them from the event, with a reason. */
  correct(userId: string, change: Parameters<Participants['correct']>[1], info: CorrectionInfo): void {
    this.mustBeCorrectable();
    const corrected = this.participants.correct(userId, change);
    if (corrected !== undefined) this.corrections.push({ at: new Date().toISOString(), ...corrected, ...info });
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
    const maxLosses = this.#maxLosses;
    if (maxLosses === 0) throw conflict('no-elimination', 'Nobody is eliminated in this event.');
    const given = losses ?? this.participants.player(userId).losses;
    return isEliminated ? Math.max(given, maxLosses) : Math.min(given, maxLosses - 1);
  }

  #format() {
    const { stages } = this;
    if (stages === undefined) return { format: 'arena' as const, boardSize: 'byLevel' as const };
    const { format, rounds, boardSize, matchGames, thirdPlace, doubleRounds } = stages;
    return {
      format,
      ...(rounds > 0 ? { rounds } : {}),
      boardSize,
      matchGames,
      ...(format === 'knockout' ? { thirdPlace } : {}),
      ...(format === 'roundRobin' ? { doubleRounds } : {}),
      ...(this.stage?.isPaused === true ? { paused: true } : {}),
    };
  }

  /** With the join code for its host and admins. */
  viewFor(user: User | undefined): Schemas['Event'] {
    const { joinCode, host } = this;
    const isTold = user?.isAdmin === true || (host !== undefined && host.userId === user?.userId);
    return { ...this.view(), ...(isTold && joinCode !== undefined ? { joinCode } : {}) };
  }

  /** What is fixed by those who may change it. */
  get details(): EventDetails {
    return this.#details;
  }

  view(): Schemas['Event'] {
    const { title, description = '', eventType = 'open', maxPlayers = 0 } = this.#details;
    const { prize, startTime, endTime, roundTimes = [] } = this.#details;
    const { allowList, ...conditions } = conditionsOf(this.#details);
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
      maxLosses: this.#maxLosses,
      ratedOnOneNetwork: this.isRatedOnOneNetwork,
      clock: this.clock,
      ...this.#format(),
      ...(maxPlayers > 0 ? { maxPlayers } : {}),
      ...this.#checkInView(),
      ...(roundTimes.length > 0 ? { roundTimes: roundTimes.map(wireTime) } : {}),
      ...conditions,
      ...(allowList === undefined ? {} : { isListedOnly: true }),
      isPrivate: this.isPrivate,
      ...(this.host === undefined ? {} : { host: this.host }),
      ...(this.seriesId === undefined ? {} : { seriesId: this.seriesId }),
      createdAt: this.createdAt,
      updatedAt: this.#updatedAt,
      winners: this.#winners,
      signupCount: this.participants.count,
      participantCount: this.participants.countOfJoined,
      concluded: this.#isConcluded || this.state === 'cancelled',
      announcements: [...this.announcements],
      gamesInPlay: this.#gamesInPlay(),
      ...(this.#startedAt === undefined ? {} : { startedAt: this.#startedAt }),
      ...(this.#endedAt === undefined ? {} : { endedAt: this.#endedAt }),
      ...(this.decidedAt === undefined ? {} : { decidedBy: new Date(this.decidedAt).toISOString() }),
    };
  }

  #checkInView() {
    const { checkInMinutes = 0 } = this.#details;
    if (checkInMinutes === 0) return {};
    const isAhead = this.state === 'published' || this.state === 'started';
    return { checkInMinutes, ...(isAhead ? { checkedInCount: this.participants.countOfCheckedIn } : {}) };
  }

  /** An event takes as many as were planned, a round robin few, and a tournament that has begun only a Swiss's newcomers. */
  #mustHaveRoom(userId: string): void {
    if (this.participants.has(userId)) return;
    const most = Math.min(
      this.#details.maxPlayers || Infinity,
      this.stages?.format === 'roundRobin' ? MAX_ROUND_ROBIN : Infinity,
    );
    if (this.participants.count >= most) throw conflict('event-full', 'This event is full.');
    if (this.stage?.takesNewcomers === false) throw conflict('tournament-closed', 'Tournament Closed');
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

/** Without letters that look alike. */
const LETTERS = 'ABCDEFGHIJKMNPQRSTUVWXYZ23456789';

function newCode(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  return typedCode(bytes.map((byte) => LETTERS.charAt(byte % LETTERS.length)).join(''));
}

const cannotEdit = () => conflict('cannot-edit', 'Only a draft or a published event can be edited.');
const notStarted = () => conflict('event-not-started', 'This event has not started yet.');
const notReady = () => conflict('event-not-ready', 'This event is not ready yet.');

const newToken = () => crypto.randomUUID().replaceAll('-', '');

/** The users registered for an event, and their standings: docs/behaviour/events.md. */

import type { components } from '@/api/schema';
import { isNoShow, type MockGame, type Seat, seat } from './mockGame';
import { conflict, notFound } from './refusal';

type Schemas = components['schemas'];
type Counts = Schemas['Counts'];
type CorrectedCounts = Omit<Schemas['Correction'], 'at' | 'by' | 'what' | 'reason'>;

interface Participant extends Seat {
  signupId: string;
  createdAt: string;
  /** When they joined, in Unix milliseconds. */
  joinedAt: number | undefined;
  hasCheckedIn: boolean;
  level: number;
  wins: number;
  losses: number;
  /** When they reached the current standing, in Unix milliseconds. */
  since: number;
  /** Removed by an admin. */
  isRemoved: boolean;
  /** Consecutive games lost by absence. */
  strikes: number;
  /** The loss after which they must confirm that they are still there. */
  unconfirmed: PresenceQuestion | undefined;
  /** Was removed from the room for absence, and has not returned. */
  isOut: boolean;
}

/** The question 'Still there?' to a player who lost by absence. */
export interface PresenceQuestion {
  reason: Schemas['AbsenceReason'];
  strikes: number;
}

/** After this many consecutive losses by absence a player is removed from the room. */
export const MAX_STRIKES = 2;
export const AWAY_TWICE = 'You were away for two games in a row, so you left the event room. Come back any time.';
export class Participants {
  readonly #participants = new Map<string, Participant>();
  readonly #eventId: string;
  readonly #maxLosses: () => number;

  constructor(eventId: string, maxLosses: () => number) {
    this.#eventId = eventId;
    this.#maxLosses = maxLosses;
  }

  get seats(): Seat[] {
    return [...this.#participants.values()].map(seat);
  }

  /** Without those who were removed. */
  get count(): number {
    return [...this.#participants.values()].filter(({ isRemoved }) => !isRemoved).length;
  }

  get countOfJoined(): number {
    return [...this.#participants.values()].filter(({ joinedAt }) => joinedAt !== undefined).length;
  }

  /** Registers somebody; nothing changes for those who are registered already. */
  add(person: Seat, hasCheckedIn = false): void {
    if (this.has(person.userId)) return;
    const now = Date.now();
    this.#participants.set(person.userId, {
      ...seat(person),
      signupId: crypto.randomUUID(),
      createdAt: new Date(now).toISOString(),
      joinedAt: undefined,
      hasCheckedIn,
      strikes: 0,
      unconfirmed: undefined,
      isOut: false,
      level: 1,
      wins: 0,
      losses: 0,
      since: now,
      isRemoved: false,
    });
  }

  join(userId: string): void {
    this.#mustHave(userId).joinedAt ??= Date.now();
  }

  /** Notes that somebody is there, or is not; whether that is new. */
  checkIn(userId: string, isThere: boolean): boolean {
    const participant = this.#mustHave(userId);
    const isNew = this.hasCheckedIn(userId) !== isThere;
    participant.hasCheckedIn = isThere;
    return isNew;
  }

  /** The event was moved: everybody checks in again. */
  clearCheckIns(): void {
    for (const participant of this.#participants.values()) participant.hasCheckedIn = false;
  }

  /** Checked in, or has come since. */
  hasCheckedIn(userId: string): boolean {
    const { hasCheckedIn = false, joinedAt } = this.#participants.get(userId) ?? {};
    return hasCheckedIn || joinedAt !== undefined;
  }

  get countOfCheckedIn(): number {
    const isIn = ({ userId, isRemoved }: Participant) => !isRemoved && this.hasCheckedIn(userId);
    return [...this.#participants.values()].filter(isIn).length;
  }

  countsOf(userId: string): Counts {
    const { level, wins, losses } = this.#mustHave(userId);
    return { level, wins, losses };
  }

  delete(userId: string): void {
    if (!this.#participants.delete(userId)) throw noSignup();
  }

  /** Refuses somebody whom an admin has removed. */
  mustNotBeRemoved(userId: string): void {
    if (this.#participants.get(userId)?.isRemoved !== true) return;
    throw conflict('removed', 'You have been removed from this event.');
  }

  /** Registered, and not removed. */
  isIn(userId: string | undefined): boolean {
    return userId !== undefined && this.#participants.get(userId)?.isRemoved === false;
  }

  has(userId: string): boolean {
    return this.#participants.has(userId);
  }

  hasJoined(userId: string): boolean {
    return this.joinedAt(userId) !== undefined;
  }

  joinedAt(userId: string): number | undefined {
    return this.#participants.get(userId)?.joinedAt;
  }

  /** The loss after which the player must confirm that they are still there. */
  unconfirmed(userId: string): PresenceQuestion | undefined {
    return this.#participants.get(userId)?.unconfirmed;
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
    this.#mustHave(userId).unconfirmed = undefined;
  }

  /** Counts a game lost by absence; returns the question to a player who lost so and can go on playing. */
  noteAbsence(game: MockGame, userId: string): PresenceQuestion | undefined {
    const participant = this.#mustHave(userId);
    const { winner, reason } = game;
    const isLost = winner !== undefined && winner.userId !== userId;
    if (isLost && (isNoShow(reason) || reason === 'timeout')) {
      const strikes = participant.strikes + 1;
      participant.strikes = strikes % MAX_STRIKES;
      participant.unconfirmed = { reason: reason === 'timeout' ? 'timeout' : 'noShow', strikes };
      participant.isOut = strikes >= MAX_STRIKES;
      return this.isEliminated(userId) ? undefined : participant.unconfirmed;
    }
    if (game.hasMoved(userId)) participant.strikes = 0;
    return undefined;
  }

  isEliminated(userId: string): boolean {
    const maxLosses = this.#maxLosses();
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

  /** Sets somebody's standing, or removes them; undefined if they were removed already. */
  correct(userId: string, change: Partial<Counts> & { isRemoved?: true }): CorrectedCounts | undefined {
    const participant = this.#participants.get(userId);
    if (participant === undefined) throw notFound('Player');
    if (change.isRemoved === true && participant.isRemoved) return undefined;
    const counts = (): Counts => ({ level: participant.level, wins: participant.wins, losses: participant.losses });
    const before = counts();
    Object.assign(participant, change, { since: Date.now() });
    return { ...seat(participant), before, after: counts() };
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
        eventId: this.#eventId,
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
      eventId: this.#eventId,
      createdAt,
      status: isRemoved ? 'removed' : this.isEliminated(userId) ? 'eliminated' : playing,
      level,
      wins,
      losses,
    };
  }

  #mustHave(userId: string): Participant {
    const participant = this.#participants.get(userId);
    if (participant === undefined) throw noSignup();
    return participant;
  }
}

const noSignup = () => notFound('Sign-up');

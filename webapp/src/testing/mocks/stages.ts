/** A tournament in stage rounds: docs/behaviour/formats.md. Its Swiss pairs by points alone. */

import type { components } from '@/api/schema';
import type { BoardSize } from '@/shared/rules';
import type { Seat } from './mockGame';
import { conflict, invalid, notFound } from './refusal';
import { inOrder, type Way, withTieBreaks } from './stageTable';

type Schemas = components['schemas'];

export interface StageSettings {
  format: Exclude<Schemas['EventFormat'], 'arena'>;
  /** Of a Swiss; 0: by the number of players. */
  rounds: number;
  boardSize: BoardSize;
  matchGames: number;
  thirdPlace: boolean;
  doubleRounds: boolean;
}

interface Outcome {
  /** Undefined where both lost. */
  winner: string | undefined;
  reason: Schemas['MatchReason'];
}

type Side = Seat | undefined;

interface Match {
  board: number;
  players: readonly [Side, Side];
  /** Those that were opened, in order; `winner` is undefined while one is played. */
  games: { gameId: string; winner: string | undefined }[];
  outcome: Outcome | undefined;
}

interface Round {
  /** Unix milliseconds; undefined for a planned one. */
  startsAt: number | undefined;
  /** The fixed time that a round which is paired waits for, or that of a planned one. */
  notBefore?: number | undefined;
  matches: Match[];
}

/** A moment as the server formats it. */
const momentOf = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z');

/** The most players that a round robin takes. */
export const MAX_ROUND_ROBIN = 16;

/** What a director did about a match or a player, with its receipt. */
type Act = Omit<Schemas['DirectorAct'], 'at'>;

/** Who does it, and why. */
export type ActReceipt = Pick<Act, 'by' | 'reason'>;

export class Stage {
  readonly settings: StageSettings;
  /** In the order of their seeds. */
  readonly #entrants: Seat[];
  readonly #withdrawn = new Set<string>();
  /** What directors did, the first first. */
  readonly acts: Schemas['DirectorAct'][] = [];
  readonly #rounds: Round[] = [];
  /** Ids of games that were played when their match was begun anew. */
  readonly #replaced: string[] = [];
  readonly #swissRounds: number;
  /** Fixed times of the rounds after the first, in Unix milliseconds. */
  readonly #roundTimes: readonly number[];
  /** No further round begins. */
  isPaused = false;

  constructor(settings: StageSettings, entrants: Seat[], roundTimes: readonly number[] = []) {
    this.settings = settings;
    this.#roundTimes = roundTimes;
    this.#entrants = entrants;
    this.#swissRounds = settings.rounds || Math.ceil(Math.log2(Math.max(entrants.length, 1))) + 1;
  }

  /** How many rounds were paired. */
  get number(): number {
    return this.#rounds.length;
  }

  get isDecided(): boolean {
    return this.#last.every(({ outcome }) => outcome !== undefined);
  }

  get expectedRounds(): number {
    const { format, doubleRounds } = this.settings;
    if (format === 'swiss') return this.#swissRounds;
    if (format === 'knockout') return Math.ceil(Math.log2((this.#rounds[0]?.matches.length ?? 1) * 2));
    return (tableSize(this.#field.length) - 1) * (doubleRounds ? 2 : 1);
  }

  has(userId: string): boolean {
    return this.#entrants.some((each) => each.userId === userId);
  }

  /** A Swiss takes them until its last round is paired. */
  get takesNewcomers(): boolean {
    return this.settings.format === 'swiss' && this.number < this.#swissRounds;
  }

  /** Enters those who came late. */
  enter(people: Seat[]): void {
    if (!this.takesNewcomers) return;
    this.#entrants.push(...people.filter(({ userId }) => !this.has(userId)));
  }

  /** Pairs the next round; false at the end. */
  pairNext(startsAt: number): boolean {
    const pairs = this.#nextPairs();
    if (pairs.length === 0) return false;
    const notBefore = this.#roundTimes[this.number - 1];
    this.#rounds.push({ startsAt, notBefore, matches: pairs.map((players, at) => this.#match(at + 1, players)) });
    return true;
  }

  /** When the games of the last round open, in Unix milliseconds. */
  get opensAt(): number {
    const { startsAt = 0, notBefore = 0 } = this.#rounds.at(-1) ?? {};
    return Math.max(startsAt, notBefore);
  }

  /** Begins the last round if the fixed time that it waits for has come. */
  #begin(now: number): void {
    const round = this.#rounds.at(-1);
    if (round?.notBefore === undefined || this.isPaused || now < this.opensAt) return;
    round.startsAt = now;
    round.notBefore = undefined;
  }

  /** The players of the games that are due, X first. */
  due(now: number): { match: Match; seats: [Seat, Seat] }[] {
    this.#begin(now);
    const round = this.#rounds.at(-1);
    if (round?.notBefore !== undefined) return [];
    const isUnderWay = round?.matches.some(hasBegun) === true;
    if (round?.startsAt === undefined || now < round.startsAt || (this.isPaused && !isUnderWay)) return [];
    return round.matches.flatMap((match) => {
      const [first, second] = match.players;
      const isOpen = match.games.some(({ winner }) => winner === undefined);
      if (match.outcome !== undefined || isOpen || first === undefined || second === undefined) return [];
      return [{ match, seats: match.games.length % 2 === 0 ? [first, second] : [second, first] }];
    });
  }

  /** No further round begins, or the next one does at this time at the earliest. */
  pause(isPaused: boolean, notBefore: number): void {
    const round = this.#rounds.at(-1);
    if (this.isPaused && !isPaused && round?.startsAt !== undefined && !round.matches.some(hasBegun)) {
      round.startsAt = Math.max(round.startsAt, notBefore);
    }
    this.isPaused = isPaused;
  }

  /** A game of the last round is over; without a winner it is void, and another one takes its place. */
  gameOver(gameId: string, winner: string | undefined, isNoShow = false): void {
    const match = this.#last.find(({ games }) => games.some((game) => game.gameId === gameId));
    const game = match?.games.find((each) => each.gameId === gameId);
    if (match === undefined || game === undefined || game.winner !== undefined) return;
    if (winner === undefined) {
      match.games.splice(match.games.indexOf(game), 1);
      return;
    }
    game.winner = winner;
    const isLostByAbsence = isNoShow && match.games.length === 1;
    match.outcome ??= isLostByAbsence ? { winner, reason: 'absent' } : this.#outcomeOf(match);
  }

  /** A director decides a match. */
  rule(round: number, board: number, winner: string | undefined, receipt: ActReceipt): void {
    const match = this.#matchAt(round, board);
    if (winner !== undefined && !isIn(match, winner)) {
      throw invalid('winnerUserId', 'That player is not in this match.');
    }
    this.#noteMatch('setResult', round, match, receipt);
    match.outcome = { winner, reason: 'ruling' };
    this.#reseat();
  }

  /** A match of the last round is played again; `gameId` is one that the director saw. */
  replay(round: number, board: number, gameId: string | undefined, receipt: ActReceipt): void {
    const match = this.#matchAt(round, board);
    if (round !== this.number) {
      throw conflict('later-round-paired', 'A later round is paired. Correct the result of this match instead.');
    }
    if (gameId !== undefined && match.games.every((game) => game.gameId !== gameId)) {
      throw conflict('replayed-already', 'This match is being played again already.');
    }
    if ((!hasBegun(match) && match.outcome?.reason !== 'ruling') || match.players.includes(undefined)) {
      throw conflict('nothing-to-replay', 'No game of this match has begun, so there is nothing to play again.');
    }
    if (match.players.some((side) => side !== undefined && this.#withdrawn.has(side.userId))) {
      throw conflict('player-out', 'A player of this match is out. Reinstate them first.');
    }
    this.#noteMatch('replayMatch', round, match, receipt);
    this.#replaced.push(...match.games.filter(({ winner }) => winner === undefined).map((game) => game.gameId));
    match.games = [];
    match.outcome = undefined;
  }

  /** The games of a round that waits open now. */
  startRound(round: number, now: number): void {
    const last = this.#rounds.at(-1);
    if (round > this.number) {
      throw conflict('round-not-paired', 'This round is not paired yet: the one before it is being played.');
    }
    this.#begin(now);
    const waits = last?.startsAt !== undefined && (now < this.opensAt || this.isPaused) && !last.matches.some(hasBegun);
    if (round < this.number || last === undefined || !waits) {
      throw conflict('round-begun', 'This round has begun already.');
    }
    if (this.isPaused) throw conflict('rounds-paused', 'Rounds are paused. Resume them first.');
    last.startsAt = now;
    last.notBefore = undefined;
  }

  /** A match of theirs that is not decided is the opponent's. */
  withdraw(userId: string, receipt?: ActReceipt): void {
    this.#mustHave(userId);
    if (receipt !== undefined) {
      this.#mustNotBeDisqualified(userId);
      this.#notePlayer('withdrawPlayer', userId, receipt);
    }
    this.#leave(userId);
  }

  /** As a withdrawal, and no place of theirs is a winner's. */
  disqualify(userId: string, receipt: ActReceipt): void {
    this.#mustHave(userId);
    this.#mustNotBeDisqualified(userId);
    this.#notePlayer('disqualifyPlayer', userId, receipt);
    this.#leave(userId);
  }

  /** Why somebody is disqualified; undefined for who is not. */
  disqualification(userId: string): string | undefined {
    const last = this.acts.findLast(({ board, players }) => board === undefined && players[0]?.userId === userId);
    return last?.what === 'disqualifyPlayer' ? last.reason : undefined;
  }

  #mustNotBeDisqualified(userId: string): void {
    if (this.disqualification(userId) === undefined) return;
    throw conflict('disqualified-already', 'This player is disqualified already.');
  }

  #leave(userId: string): void {
    this.#withdrawn.add(userId);
    const match = this.#last.find((each) => each.outcome === undefined && isIn(each, userId));
    if (match !== undefined) match.outcome = this.#absence(match.players, 'withdrawn');
  }

  reinstate(userId: string, receipt: ActReceipt): void {
    this.#mustHave(userId);
    this.#notePlayer('reinstatePlayer', userId, receipt);
    this.#withdrawn.delete(userId);
  }

  #note(act: Act): void {
    this.acts.push({ at: new Date().toISOString(), ...act });
  }

  #notePlayer(what: Act['what'], userId: string, receipt: ActReceipt): void {
    const players = this.#entrants.filter((each) => each.userId === userId).map((each) => this.#player(each));
    this.#note({ what, players, ...receipt });
  }

  #noteMatch(what: Act['what'], round: number, match: Match, receipt: ActReceipt): void {
    const { board, players, winnerUserId, reason } = this.#pairing(match);
    const winner = winnerUserId === undefined ? {} : { winnerUserId };
    const before = reason === undefined ? {} : { before: { reason, ...winner } };
    this.#note({ what, round, board, players, ...before, ...receipt });
  }

  #matchAt(round: number, board: number): Match {
    const match = this.#rounds[round - 1]?.matches.find((each) => each.board === board);
    if (match === undefined) throw notFound('Match');
    return match;
  }

  /** Decides what is left of the last round as it stands. */
  decideAll(): void {
    for (const match of this.#last) {
      if (match.outcome !== undefined) continue;
      const [first, second] = match.players.map((side) => winsOf(match, side));
      const leader = match.players[(second ?? 0) > (first ?? 0) ? 1 : 0]?.userId;
      const isPlayed = match.games.some(({ winner }) => winner !== undefined);
      match.outcome = isPlayed ? { winner: leader, reason: 'played' } : { winner: undefined, reason: 'absent' };
    }
  }

  /** Ids of games that are open although their match is decided, or played again. */
  superseded(): string[] {
    const decided = this.#rounds.flatMap(({ matches }) =>
      matches
        .filter(({ outcome }) => outcome !== undefined)
        .flatMap(({ games }) => games.filter(({ winner }) => winner === undefined).map(({ gameId }) => gameId)),
    );
    return [...this.#replaced, ...decided];
  }

  /** A game with its players, X first, and its winner. */
  gameOf(gameId: string): { seats: Seat[]; winner: string | undefined } | undefined {
    for (const { players, games } of this.#rounds.flatMap(({ matches }) => matches)) {
      const at = games.findIndex((game) => game.gameId === gameId);
      const seats = players.filter((side) => side !== undefined);
      if (at >= 0) return { seats: at % 2 === 0 ? seats : seats.toReversed(), winner: games[at]?.winner };
    }
    return undefined;
  }

  /** Everything, or what somebody plays in. */
  rounds(userId?: string): Schemas['StageRound'][] {
    const now = Date.now();
    this.#begin(now);
    return this.#plan().map(({ startsAt, notBefore, matches }, at) => {
      const isOver = startsAt !== undefined && matches.every(({ outcome }) => outcome !== undefined);
      return {
        round: at + 1,
        state: isOver ? 'ended' : notBefore === undefined && (startsAt ?? Infinity) <= now ? 'playing' : 'planned',
        ...(startsAt === undefined ? {} : { startsAt: momentOf(Math.max(startsAt, notBefore ?? 0)) }),
        ...(notBefore === undefined ? {} : { notBefore: momentOf(notBefore) }),
        pairings: matches
          .filter((match) => userId === undefined || isIn(match, userId))
          .map((match) => this.#pairing(match)),
      };
    });
  }

  /** The whole table, or the row of one user; `mayKnow` says of whom the reader may know why they are disqualified. */
  standings(userId?: string, mayKnow: (userId: string) => boolean = () => false): Schemas['StageStanding'][] {
    const people = this.#entrants.map((each) => this.#player(each));
    const rows =
      this.settings.format === 'knockout'
        ? inOrder(people.map((player) => ({ player, key: [this.#reached(player.userId)] }))).map(
            ({ player, rank }) => ({
              ...player,
              rank,
              points: this.#matchesOf(player.userId).filter(isWonBy(player.userId)).length,
            }),
          )
        : withTieBreaks(
            people,
            (id) => this.#ways(id),
            (id) => this.#points(id),
          );
    return rows
      .filter((row) => userId === undefined || row.userId === userId)
      .map(({ terms, ...row }: Omit<Schemas['StageStanding'], 'withdrawn' | 'disqualified'>) => ({
        ...row,
        withdrawn: this.#withdrawn.has(row.userId),
        ...disqualified(this.disqualification(row.userId), mayKnow(row.userId)),
        ...(userId === undefined || terms === undefined ? {} : { terms }),
      }));
  }

  get #last(): Match[] {
    return this.#rounds.at(-1)?.matches ?? [];
  }

  get #active(): Seat[] {
    return this.#entrants.filter(({ userId }) => !this.#withdrawn.has(userId));
  }

  /** Those of the first round of a round robin: who withdraws later stays in the tables. */
  get #field(): Seat[] {
    const [first] = this.#rounds;
    return first === undefined
      ? this.#active
      : this.#entrants.filter(({ userId }) => first.matches.some((it) => isIn(it, userId)));
  }

  #mustHave(userId: string): void {
    if (!this.has(userId)) throw notFound('Player');
  }

  #nextPairs(): (readonly [Side, Side])[] {
    const isLast = this.number > 0 && this.number >= this.expectedRounds;
    if (isLast || this.#active.length === 0 || this.#entrants.length < 2) return [];
    const { format } = this.settings;
    if (format === 'swiss') return this.#swissPairs();
    if (format === 'roundRobin') return this.#tablePairs(this.number + 1);
    return this.number === 0 ? bracketPairs(this.#active) : this.#pairsAfter(this.#last);
  }

  /** Winners of neighbouring matches meet. */
  #pairsAfter(last: Match[]): (readonly [Side, Side])[] {
    const winner = ({ players, outcome }: Match) => players.find((side) => side && side.userId === outcome?.winner);
    const loser = (match: Match) => match.players.find((side) => winner(match) && side !== winner(match));
    const pairs = last.flatMap((match, at): (readonly [Side, Side])[] => {
      const next = last[at + 1];
      return at % 2 === 0 && next !== undefined ? [[winner(match), winner(next)]] : [];
    });
    const [first, second] = last;
    const mayLose = (match: Match) => match.outcome === undefined || loser(match) !== undefined;
    const isSemiFinal = last.length === 2 && first !== undefined && second !== undefined;
    if (this.settings.thirdPlace && isSemiFinal && mayLose(first) && mayLose(second)) {
      pairs.push([loser(first), loser(second)]);
    }
    return pairs;
  }

  /** The Berger table, from round 1; in its second turn the seats are swapped. */
  #tablePairs(number: number): (readonly [Side, Side])[] {
    const field = this.#field;
    const others = tableSize(field.length) - 1;
    const row = (number - 1) % others;
    const isSwapped = Math.floor((number - 1) / others) % 2 === 1;
    const middle = (row * Math.ceil(others / 2)) % others;
    const places: [number, number][] = [row % 2 === 0 ? [middle, others] : [others, middle]];
    for (let step = 1; step <= (others - 1) / 2; step += 1) {
      places.push([(middle + step) % others, (middle + others - step) % others]);
    }
    const pairs = places.map(([a, b]): [Side, Side] => (isSwapped ? [field[b], field[a]] : [field[a], field[b]]));
    // A bye comes last and is the first side's.
    const isBye = ([a, b]: [Side, Side]) => Number(a === undefined || b === undefined);
    return pairs
      .toSorted((one, other) => isBye(one) - isBye(other))
      .map(([a, b]) => (a === undefined ? [b, a] : [a, b]));
  }

  /** Everybody meets somebody new with about as many points. */
  #swissPairs(): (readonly [Side, Side])[] {
    const field = this.#active.toSorted((a, b) => this.#points(b.userId) - this.#points(a.userId));
    const hadBye = (userId: string) => this.#matchesOf(userId).some(({ outcome }) => outcome?.reason === 'bye');
    const bye = field.length % 2 === 0 ? undefined : field.findLast(({ userId }) => !hadBye(userId));
    const pairs = this.#newPairs(field.filter((each) => each !== bye)) ?? [];
    return bye === undefined || pairs.length === 0 ? pairs : [...pairs, [bye, undefined]];
  }

  /** Undefined where somebody has met all others. */
  #newPairs([first, ...others]: Seat[]): (readonly [Seat, Seat])[] | undefined {
    if (first === undefined) return [];
    const met = this.#matchesOf(first.userId);
    for (const other of others.filter(({ userId }) => !met.some((match) => isIn(match, userId)))) {
      const rest = this.#newPairs(others.filter((each) => each !== other));
      if (rest !== undefined) return [[first, other], ...rest];
    }
    return undefined;
  }

  /** Decided at once if somebody is missing or has withdrawn. */
  #match(board: number, players: readonly [Side, Side]): Match {
    const isBye = players.includes(undefined);
    const outcome = this.#absence(players, isBye ? 'bye' : 'withdrawn');
    // Everybody has as many byes in a round robin: they give no points.
    const isPointless = isBye && this.settings.format === 'roundRobin' && outcome !== undefined;
    return { board, players, games: [], outcome: isPointless ? { ...outcome, winner: undefined } : outcome };
  }

  #absence(players: readonly [Side, Side], reason: Outcome['reason']): Outcome | undefined {
    const present = players.filter((side) => side !== undefined && !this.#withdrawn.has(side.userId));
    return present.length === 2 ? undefined : { winner: present[0]?.userId, reason };
  }

  /** What the games so far say; a third decides at one all. */
  #outcomeOf(match: Match): Outcome | undefined {
    const { matchGames } = this.settings;
    const left = Math.max(matchGames - match.games.length, 0);
    const [first = 0, second = 0] = match.players.map((side) => winsOf(match, side));
    if (Math.abs(first - second) <= left) return undefined;
    return { winner: match.players[first > second ? 0 : 1]?.userId, reason: 'played' };
  }

  /** Gives the last round of a knockout its right players after a correction, where they have not begun. */
  #reseat(): void {
    const [before, last] = [this.#rounds.at(-2), this.#rounds.at(-1)];
    if (this.settings.format !== 'knockout' || before === undefined || last === undefined) return;
    for (const [at, players] of this.#pairsAfter(before.matches).entries()) {
      const match = last.matches[at];
      const isSame = match?.players.every((side, index) => side === players[index]) === true;
      if (match !== undefined && !isSame && !hasBegun(match)) last.matches[at] = this.#match(at + 1, players);
    }
  }

  /** The rounds so far, then the planned ones, where they are known. */
  #plan(): Round[] {
    const { format } = this.settings;
    const rounds = [...this.#rounds];
    while (format !== 'swiss' && rounds.length < this.expectedRounds) {
      const last = rounds.at(-1)?.matches ?? [];
      const pairs = format === 'roundRobin' ? this.#tablePairs(rounds.length + 1) : this.#pairsAfter(last);
      const matches = pairs.map((players, at): Match => ({ board: at + 1, players, games: [], outcome: undefined }));
      rounds.push({ startsAt: undefined, notBefore: this.#roundTimes[rounds.length - 1], matches });
    }
    return rounds;
  }

  #player(person: Seat): Schemas['StagePlayer'] {
    return { ...person, seed: this.#entrants.findIndex(({ userId }) => userId === person.userId) + 1 };
  }

  #pairing({ board, players, games, outcome }: Match): Schemas['StagePairing'] {
    return {
      board,
      players: players.flatMap((side) => (side === undefined ? [] : [this.#player(side)])),
      bye: outcome?.reason === 'bye',
      games: games.map(({ gameId, winner }) => ({ gameId, ...(winner === undefined ? {} : { winnerUserId: winner }) })),
      ...(outcome?.winner === undefined ? {} : { winnerUserId: outcome.winner }),
      ...(outcome === undefined ? {} : { reason: outcome.reason }),
    };
  }

  #matchesOf(userId: string): Match[] {
    return this.#rounds.flatMap(({ matches }) => matches.filter((match) => isIn(match, userId)));
  }

  #points(userId: string): number {
    return this.#matchesOf(userId).filter(({ outcome }) => outcome?.winner === userId).length;
  }

  /** How far somebody came in a knockout. */
  #reached(userId: string): number {
    let reached = 0;
    for (const [at, { matches }] of this.#rounds.entries()) {
      const match = matches.find((each) => isIn(each, userId));
      if (match === undefined) continue;
      const won = match.outcome?.winner === userId;
      const isForThird = at + 1 === this.expectedRounds && match.board === 2;
      if (isForThird) reached += won ? 0.25 : 0;
      else reached = at + 1 + (match.outcome === undefined ? 0.5 : Number(won));
    }
    return reached;
  }

  /** What somebody did in each round that is over for them. */
  #ways(userId: string): Way[] {
    return this.#rounds.flatMap(({ matches }, at): Way[] => {
      const match = matches.find((each) => isIn(each, userId));
      const round = at + 1;
      if (match === undefined) return [{ round, opponent: undefined, won: false, isOwnChoice: true }];
      const { outcome, players } = match;
      if (outcome === undefined) return [];
      const opponent = players.find((side) => side !== undefined && side.userId !== userId);
      const isPlayed = outcome.reason === 'played' || outcome.reason === 'ruling';
      const won = outcome.winner === userId;
      const isOwnChoice = !won && (outcome.reason === 'absent' || outcome.reason === 'withdrawn');
      return [{ round, opponent: isPlayed && opponent ? this.#player(opponent) : undefined, won, isOwnChoice }];
    });
  }
}

const disqualified = (reason: string | undefined, mayKnow: boolean) => ({
  disqualified: reason !== undefined,
  ...(reason !== undefined && mayKnow ? { disqualification: reason } : {}),
});
const isIn = ({ players }: Match, userId: string) => players.some((side) => side?.userId === userId);
const hasBegun = ({ games }: Match) => games.length > 0;
const isWonBy = (userId: string) => (match: Match) =>
  match.outcome?.winner === userId && match.outcome.reason !== 'bye';
const winsOf = ({ games }: Match, side: Side) => games.filter(({ winner }) => winner === side?.userId).length;

/** With an odd number, who meets the last place of the table has a bye. */
const tableSize = (players: number) => players + (players % 2);

/** Seeds meet as late as they can, and the best get the byes. */
function bracketPairs(field: Seat[]): (readonly [Side, Side])[] {
  if (field.length < 2) return [];
  let places = [0];
  while (places.length < field.length) places = places.flatMap((seed) => [seed, places.length * 2 - 1 - seed]);
  return places.flatMap((place, at): [Side, Side][] => {
    const next = places[at + 1];
    return at % 2 === 0 && next !== undefined ? [[field[place], field[next]]] : [];
  });
}

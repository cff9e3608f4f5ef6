import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { components } from '@/api/schema';
import { misfit } from './fit';
import { mockHandlers } from './handlers';
import type { Seat } from './mockGame';
import { DEMO, DEMO_ADMIN, MockServer } from './mockServer';
import { openMockSocket } from './realtime';
import { Stage, type StageSettings } from './stages';

type Schemas = components['schemas'];
type Answer = Partial<Schemas['RoundsAnswer'] & Schemas['StandingsAnswer'] & Schemas['EventAnswer']> & {
  errorCode?: string;
};

const ORIGIN = 'http://localhost:3000';
const server = setupServer();
let mock: MockServer;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  server.resetHandlers();
  vi.useRealTimers();
});
afterAll(() => server.close());

beforeEach(() => {
  mock = new MockServer({ pace: { join: 1, move: 1, invite: 1e6, others: 1e6, turn: 1e6, roundPause: 1 } });
  server.use(...mockHandlers(mock));
});

const seats = (count: number): Seat[] =>
  Array.from({ length: count }, (_, at) => {
    const username = `p${at + 1}`;
    return { userId: username, username, displayName: username };
  });

function stageOf(count: number, settings: Partial<StageSettings>): Stage {
  const defaults = { rounds: 0, boardSize: 3, matchGames: 2, thirdPlace: false, doubleRounds: false } as const;
  const stage = new Stage({ format: 'knockout', ...defaults, ...settings }, seats(count));
  stage.pairNext(0);
  return stage;
}

/** Who meets whom in a round, by board. */
const pairsOf = (stage: Stage, round: number) =>
  stage.rounds()[round - 1]?.pairings.map(({ players }) => players.map(({ seed }) => seed));

/** Plays the last round: the better seed wins, but on the boards that are named. */
function playRound(stage: Stage, upsets: number[] = []): void {
  for (let due = stage.due(1); due.length > 0; due = stage.due(1)) {
    for (const { match } of due) {
      const winner = match.players[upsets.includes(match.board) ? 1 : 0]?.userId;
      match.games.push({ gameId: `${stage.number}-${match.board}-${match.games.length}`, winner: undefined });
      stage.gameOver(match.games.at(-1)?.gameId ?? '', winner);
    }
  }
}

/** Who directs, and why. */
const by = { by: 'admin', reason: 'It was seen.' };

const table = (stage: Stage) => stage.standings().map(({ rank, seed, points }) => [rank, seed, points]);

describe('a knockout', () => {
  it('gives the best byes and has seeds meet late', () => {
    const stage = stageOf(6, {});
    expect(pairsOf(stage, 1)).toEqual([[1], [4, 5], [2], [3, 6]]);
    expect(stage.rounds()[0]?.pairings[0]).toMatchObject({ bye: true, reason: 'bye', winnerUserId: 'p1' });
    // The final is planned, without its players.
    expect(stage.rounds().map(({ state, pairings }) => [state, pairings.length])).toEqual([
      ['playing', 4],
      ['planned', 2],
      ['planned', 1],
    ]);
    playRound(stage);
    stage.pairNext(0);
    expect(pairsOf(stage, 2)).toEqual([
      [1, 4],
      [2, 3],
    ]);
  });

  it('plays for the third place, and ranks by how far somebody came', () => {
    const stage = stageOf(4, { thirdPlace: true });
    playRound(stage);
    stage.pairNext(0);
    expect(pairsOf(stage, 2)).toEqual([
      [1, 2],
      [4, 3],
    ]);
    playRound(stage, [2]);
    expect(stage.pairNext(0)).toBe(false);
    expect(table(stage)).toEqual([
      [1, 1, 2],
      [2, 2, 1],
      [3, 3, 1],
      [4, 4, 0],
    ]);
  });

  it('seats the right player after a correction, unless the match has begun', () => {
    const stage = stageOf(4, {});
    playRound(stage);
    stage.pairNext(0);
    stage.rule(1, 1, 'p4', by);
    expect(pairsOf(stage, 2)).toEqual([[4, 2]]);
    stage.due(1)[0]?.match.games.push({ gameId: 'g', winner: undefined });
    stage.rule(1, 1, 'p1', by);
    expect(pairsOf(stage, 2)).toEqual([[4, 2]]);
  });
});

describe('a match', () => {
  it('of two games goes to a third at one all', () => {
    const stage = stageOf(2, {});
    const outcome = () => stage.rounds()[0]?.pairings[0];
    for (const [game, winner] of ['p1', 'p2', 'p2'].entries()) {
      const [due] = stage.due(1);
      expect(due?.seats.map(({ userId }) => userId)).toEqual(game % 2 === 0 ? ['p1', 'p2'] : ['p2', 'p1']);
      due?.match.games.push({ gameId: `g${game}`, winner: undefined });
      expect(stage.due(1)).toEqual([]);
      expect(outcome()?.reason).toBeUndefined();
      stage.gameOver(`g${game}`, winner);
    }
    expect(outcome()).toMatchObject({ winnerUserId: 'p2', reason: 'played' });
  });

  it('is played again after a void game, and lost by who does not come to the first', () => {
    const stage = stageOf(2, {});
    const open = (gameId: string) => stage.due(1)[0]?.match.games.push({ gameId, winner: undefined });
    open('void');
    stage.gameOver('void', undefined);
    open('g');
    stage.gameOver('g', 'p2', true);
    expect(stage.rounds()[0]?.pairings[0]).toMatchObject({
      games: [{ gameId: 'g', winnerUserId: 'p2' }],
      winnerUserId: 'p2',
      reason: 'absent',
    });
  });

  it('of an event that ends is decided as it stands', () => {
    const stage = stageOf(4, {});
    stage.due(1)[0]?.match.games.push({ gameId: 'g', winner: undefined });
    stage.gameOver('g', 'p4');
    stage.decideAll();
    expect(stage.rounds()[0]?.pairings.map(({ winnerUserId, reason }) => [winnerUserId, reason])).toEqual([
      ['p4', 'played'],
      [undefined, 'absent'],
    ]);
  });
});

describe('a round robin', () => {
  it.each([
    [5, false, 5],
    [6, false, 5],
    [6, true, 10],
  ])('of %i players, twice: %s, has everybody meet', (count, doubleRounds, rounds) => {
    const stage = stageOf(count, { format: 'roundRobin', doubleRounds });
    const met = stage.rounds().flatMap((_, at) => pairsOf(stage, at + 1) ?? []);
    expect(stage.rounds()).toHaveLength(rounds);
    const games = met.filter((pair) => pair.length === 2).map((pair) => pair.toSorted((a, b) => a - b).join('-'));
    const all = (count * (count - 1)) / 2;
    expect(new Set(games).size).toBe(all);
    expect(games).toHaveLength(all * (doubleRounds ? 2 : 1));
  });

  it('follows the tables of Berger, and its byes give no points', () => {
    const stage = stageOf(4, { format: 'roundRobin' });
    expect([1, 2, 3].map((round) => pairsOf(stage, round))).toEqual([
      [
        [1, 4],
        [2, 3],
      ],
      [
        [4, 3],
        [1, 2],
      ],
      [
        [2, 4],
        [3, 1],
      ],
    ]);
    const odd = stageOf(3, { format: 'roundRobin' });
    while (!odd.isDecided || odd.pairNext(0)) playRound(odd);
    expect(odd.standings().reduce((sum, { points }) => sum + points, 0)).toBe(3);
  });
});

describe('a Swiss', () => {
  it('has nobody meet twice or get two byes, and has its number of rounds', () => {
    const stage = stageOf(7, { format: 'swiss' });
    expect(stage.expectedRounds).toBe(4);
    for (let more = true; more; more = stage.pairNext(0)) playRound(stage, [2]);
    const pairs = [1, 2, 3, 4].flatMap((round) => pairsOf(stage, round) ?? []);
    const names = pairs.map((pair) => pair.toSorted((a, b) => a - b).join('-'));
    expect(new Set(names).size).toBe(names.length);
    expect(stage.rounds()).toHaveLength(4);
  });

  it('takes newcomers until its last round is paired', () => {
    const stage = stageOf(2, { format: 'swiss', rounds: 2 });
    playRound(stage);
    stage.enter(seats(4));
    stage.pairNext(0);
    expect(pairsOf(stage, 2)?.flat().toSorted()).toEqual([1, 2, 3, 4]);
    stage.enter([{ userId: 'late', username: 'late', displayName: 'late' }]);
    expect(stage.has('late')).toBe(false);
  });

  it('explains the tie-breaks of who is asked for', () => {
    const stage = stageOf(4, { format: 'swiss', rounds: 2 });
    playRound(stage);
    stage.pairNext(0);
    playRound(stage);
    const [first] = stage.standings('p1');
    expect(first).toMatchObject({
      rank: 1,
      points: 2,
      tieBreaks: { buchholzCut1: 1, buchholz: 2, sonnebornBerger: 2, wins: 2, headToHead: 0 },
    });
    expect(first?.terms?.filter(({ tieBreak }) => tieBreak === 'buchholz')).toMatchObject([
      { round: 1, opponent: { userId: 'p2' }, value: 1 },
      { round: 2, opponent: { userId: 'p3' }, value: 1 },
    ]);
    expect(stage.standings()[0]?.terms).toBeUndefined();
  });

  it('counts a withdrawn player’s match for the opponent', () => {
    const stage = stageOf(4, { format: 'swiss' });
    stage.withdraw('p1');
    expect(stage.rounds()[0]?.pairings[0]).toMatchObject({ winnerUserId: 'p2', reason: 'withdrawn' });
    stage.reinstate('p1', by);
    expect(stage.standings().some(({ withdrawn }) => withdrawn)).toBe(false);
  });
});

describe('a match that is played again', () => {
  it('has neither its result nor its games, and only while no later round is paired', () => {
    const stage = stageOf(4, { matchGames: 1 });
    expect(() => stage.replay(1, 1, undefined, by)).toThrow('nothing to play again');
    playRound(stage);
    stage.replay(1, 1, '1-1-0', by);
    expect(stage.isDecided).toBe(false);
    expect(stage.rounds()[0]?.pairings[0]).toMatchObject({ games: [] });
    expect(() => stage.replay(1, 1, '1-1-0', by)).toThrow('being played again already');
    const [due] = stage.due(1);
    due?.match.games.push({ gameId: 'again', winner: undefined });
    stage.replay(1, 1, 'again', by);
    expect(stage.superseded()).toContain('again');
    stage.gameOver('again', 'p4');
    expect(stage.isDecided).toBe(false);
    stage.disqualify('p1', by);
    expect(stage.isDecided).toBe(true);
    expect(() => stage.replay(1, 2, undefined, by)).not.toThrow();
    playRound(stage);
    stage.pairNext(0);
    expect(() => stage.replay(1, 2, undefined, by)).toThrow('A later round is paired');
    expect(stage.acts.map(({ what, before }) => [what, before?.winnerUserId])).toEqual([
      ['replayMatch', 'p1'],
      ['replayMatch', undefined],
      ['disqualifyPlayer', undefined],
      ['replayMatch', 'p2'],
    ]);
  });
});

async function act(action: string, payload: object): Promise<Answer & { status: number }> {
  const isRead = action.startsWith('get_');
  const query = isRead ? `?${new URLSearchParams({ action, payload: JSON.stringify(payload) }).toString()}` : '';
  const response = await fetch(`${ORIGIN}/api/backend/event${query}`, {
    method: isRead ? 'GET' : 'POST',
    ...(isRead ? {} : { body: JSON.stringify({ action, payload }), headers: { 'Content-Type': 'application/json' } }),
  });
  return { ...((await response.json()) as Answer), status: response.status };
}

const sample = (title: string) => {
  const event = mock.events.all().find((each) => each.view().title === title);
  if (event === undefined) throw new Error(`no ${title}`);
  return event;
};

describe('the samples', () => {
  it.each([
    ['knockout', ['Chalkboard Knockout', 'Town Hall Knockout', 'Harvest Knockout']],
    ['swiss', ['Sunday Swiss', 'Paper Swiss', 'Lamplight Swiss']],
    ['roundRobin', ['Round Table', 'Club Championship', 'Kitchen Table League']],
  ] as const)('of a %s are to come, in the second round, and over', async (format, [coming, live, over]) => {
    const read = async (title: string) => {
      const { eventId } = sample(title);
      const rounds = await act('get_rounds', { eventId });
      const table = await act('get_standings', { eventId });
      for (const [schema, { status: _status, ...answer }] of [
        ['RoundsAnswer', rounds],
        ['StandingsAnswer', table],
      ] as const) {
        expect(misfit(schema, answer)).toBeNull();
      }
      expect(sample(title).view().format).toBe(format);
      return { rounds: rounds.rounds ?? [], standings: table.standings ?? [], event: sample(title).view() };
    };
    expect(await read(coming)).toMatchObject({ rounds: [], standings: [], event: { eventState: 'published' } });

    const { rounds, event } = await read(live);
    expect(event.eventState).toBe('started');
    expect(rounds.slice(0, 2).map(({ state }) => state)).toEqual(['ended', 'playing']);
    const second = rounds[1]?.pairings ?? [];
    expect(second.some(({ bye, reason }) => !bye && reason === 'played')).toBe(true);
    expect(second.some(({ reason }) => reason === undefined)).toBe(true);

    const ended = await read(over);
    expect(ended.rounds.every(({ state }) => state === 'ended')).toBe(true);
    expect(ended.event).toMatchObject({ eventState: 'ended', concluded: true });
    expect(ended.event.winners[0]?.userId).toBe(ended.standings[0]?.userId);
  });

  it('have games that can be looked at', () => {
    const [game] = sample('Harvest Knockout').stage?.rounds()[0]?.pairings[0]?.games ?? [];
    const played = mock.game(game?.gameId ?? '');
    expect(played.isOver).toBe(true);
    expect(played.winner?.userId).toBe(game?.winnerUserId);
  });
});

describe('a director', () => {
  const direct = async (action: string, payload: object) => {
    mock.signIn(DEMO_ADMIN.email, DEMO_ADMIN.password);
    const answer = await act(action, payload);
    return { ...answer, refusal: answer.errorCode ?? 'none' };
  };
  const reason = 'It was seen.';
  const someone = () => mock.find(({ username }) => username === 'bob').userId;

  it('decides matches until the next round is paired and the last one ends the event', async () => {
    const { eventId } = sample('Town Hall Knockout');
    const heard: string[] = [];
    mock.signIn(DEMO_ADMIN.email, DEMO_ADMIN.password);
    openMockSocket(mock, (text) => {
      const frame = JSON.parse(text) as { event: string; data: { eventId?: string } };
      expect(misfit('ServerFrame', frame)).toBeNull();
      if (frame.data.eventId === eventId) heard.push(frame.event);
    });
    const decide = async () => {
      const rounds = sample('Town Hall Knockout').stage?.rounds() ?? [];
      const round = rounds.find(({ pairings }) => pairings.some((each) => each.reason === undefined));
      for (const { board, players } of round?.pairings.filter((each) => each.reason === undefined) ?? []) {
        const winnerUserId = players[0]?.userId;
        expect((await direct('set_result', { eventId, round: round?.round, board, winnerUserId, reason })).status).toBe(
          200,
        );
      }
    };
    await decide();
    expect(heard).toEqual(['standingsChanged', 'roundEnded', 'roundPaired', 'standingsChanged']);
    expect(sample('Town Hall Knockout').stage?.number).toBe(3);
    await decide();
    expect(heard.filter((name) => name === 'roundEnded')).toHaveLength(2);
    expect(sample('Town Hall Knockout').view()).toMatchObject({ eventState: 'ended', concluded: true });
    expect((await direct('set_result', { eventId, round: 1, board: 1, reason })).refusal).toBe('event-over');
  });

  it('withdraws and reinstates a player', async () => {
    const { eventId } = sample('Paper Swiss');
    const userId = someone();
    await direct('withdraw_player', { eventId, userId, reason });
    const of = async () => (await act('get_standings', { eventId, userId })).standings?.[0]?.withdrawn;
    expect(await of()).toBe(true);
    await direct('reinstate_player', { eventId, userId, reason });
    expect(await of()).toBe(false);
  });

  it('disqualifies a player, who reads why, and lifts it', async () => {
    const { eventId } = sample('Paper Swiss');
    const userId = someone();
    const row = async () => (await act('get_standings', { eventId, userId })).standings?.[0];
    expect((await direct('disqualify_player', { eventId, userId, reason })).refusal).toBe('none');
    expect(await row()).toMatchObject({ withdrawn: true, disqualified: true, disqualification: reason });
    for (const action of ['disqualify_player', 'withdraw_player']) {
      expect((await direct(action, { eventId, userId, reason })).refusal).toBe('disqualified-already');
    }
    mock.signIn(DEMO.email, DEMO.password);
    expect(await row()).not.toHaveProperty('disqualification');
    await direct('reinstate_player', { eventId, userId, reason });
    expect(await row()).toMatchObject({ withdrawn: false, disqualified: false });
    const verified = mock.events.all().find((each) => each.eventId === eventId)?.stage?.acts ?? [];
    expect(verified.map(({ what }) => what)).toEqual(['disqualifyPlayer', 'reinstatePlayer']);
  });

  it('starts a round that waits, once', async () => {
    mock = new MockServer({ pace: { join: 1, move: 1, invite: 1e6, others: 1e6, turn: 1e6, roundPause: 1e6 } });
    server.use(...mockHandlers(mock));
    const { eventId, stage } = sample('Paper Swiss');
    expect((await direct('start_round', { eventId, round: 2 })).refusal).toBe('round-begun');
    expect((await direct('start_round', { eventId, round: 3 })).refusal).toBe('round-not-paired');
    stage?.decideAll();
    mock.events.settle();
    expect(stage?.due(Date.now())).toEqual([]);
    await direct('pause_event', { eventId });
    expect((await direct('start_round', { eventId, round: 3 })).refusal).toBe('rounds-paused');
    await direct('resume_event', { eventId });
    expect((await direct('start_round', { eventId, round: 3 })).status).toBe(200);
    expect(stage?.due(Date.now()).length).toBeGreaterThan(0);
    expect((await direct('start_round', { eventId, round: 3 })).refusal).toBe('round-begun');
  });

  it('pauses rounds, which go on at once when they are resumed', async () => {
    const event = sample('Paper Swiss');
    const { eventId, stage } = event;
    const isPaused = async (action: string) => (await direct(action, { eventId })).event?.paused;
    expect(await isPaused('pause_event')).toBe(true);
    expect(await isPaused('pause_event')).toBe(true);
    stage?.decideAll();
    mock.events.settle();
    expect(stage?.number).toBe(3);
    expect(stage?.due(Date.now() + 1e6)).toEqual([]);
    expect(await isPaused('resume_event')).toBeUndefined();
    expect(stage?.due(Date.now() + 1e6).length).toBeGreaterThan(0);
  });

  it('moves the end of an event that is open', async () => {
    const endTime = '2099-01-01T10:00:00Z';
    for (const title of ['Paper Swiss', 'Lunch Break Blitz', 'New Year Ladder']) {
      const { eventId } = sample(title);
      expect((await direct('extend_event', { eventId, endTime })).event?.endTime).toBe(endTime);
      expect((await direct('extend_event', { eventId, endTime: '2020-01-01T10:00:00Z' })).refusal).toMatch(
        /^end-(not-after-start|in-the-past)$/,
      );
    }
    const { eventId } = sample('Harvest Knockout');
    expect((await direct('extend_event', { eventId, endTime })).refusal).toBe('cannot-edit');
  });

  it.each([
    ['set_result', 'Lunch Break Blitz', { round: 1, board: 1, reason }, 'no-rounds'],
    ['pause_event', 'Lunch Break Blitz', {}, 'no-rounds'],
    ['start_round', 'Sunday Swiss', { round: 1 }, 'no-round-yet'],
    ['replay_match', 'Paper Swiss', { round: 1, board: 1, reason }, 'later-round-paired'],
    ['replay_match', 'Paper Swiss', { round: 2, board: 9, reason }, 'not-found'],
    ['disqualify_player', 'Paper Swiss', { reason: ' ' }, 'invalid'],
    ['start_round', 'Lamplight Swiss', { round: 1 }, 'event-over'],
    ['set_result', 'Paper Swiss', { round: 1, board: 1, reason: ' ' }, 'invalid'],
    ['set_result', 'Paper Swiss', { round: 9, board: 1, reason }, 'not-found'],
    ['set_result', 'Paper Swiss', { round: 1, board: 9, reason }, 'not-found'],
    ['withdraw_player', 'Lamplight Swiss', { reason }, 'event-over'],
    ['pause_event', 'Lamplight Swiss', {}, 'event-over'],
  ])('is refused %s in %s with %j: %s', async (action, title, payload, refusal) => {
    const { eventId } = sample(title);
    expect((await direct(action, { eventId, userId: someone(), ...payload })).refusal).toBe(refusal);
  });

  it('does not make somebody win who is not in the match', async () => {
    const { eventId } = sample('Paper Swiss');
    const winnerUserId = mock.find(({ username }) => username === 'mallory').userId;
    const { status, refusal } = await direct('set_result', { eventId, round: 1, board: 1, winnerUserId, reason });
    expect([status, refusal]).toEqual([422, 'invalid']);
  });
});

describe('a plan', () => {
  it.each([
    [{ format: 'knockout', boardSize: 7 }, 'board-size', 'boardSize'],
    [{ format: 'swiss', boardSize: 'byLevel' }, 'board-by-level', 'boardSize'],
    [{ format: 'roundRobin', matchGames: 3 }, 'match-games', 'matchGames'],
    [{ format: 'swiss', rounds: 33 }, 'rounds', 'rounds'],
  ])('%j is refused: %s', async (plan, code, field) => {
    mock.signIn(DEMO_ADMIN.email, DEMO_ADMIN.password);
    const answer = (await act('create_event', { title: 'Cup', ...plan })) as Answer & { fieldErrors?: object };
    expect(answer).toMatchObject({ status: 422, errorCode: code });
    expect(Object.keys(answer.fieldErrors ?? {})).toEqual([field]);
  });

  it.each([
    [{ rounds: 5 }, { format: 'arena', boardSize: 'byLevel', clock: 'turn15', maxLosses: 3 }],
    [
      { boardSize: 'byLevel', clock: '1+2' },
      { format: 'arena', boardSize: 'byLevel', clock: '1+2' },
    ],
    [
      { format: 'swiss', thirdPlace: true },
      { format: 'swiss', boardSize: 3, matchGames: 2, maxLosses: 0 },
    ],
    [
      { format: 'knockout', rounds: 5, boardSize: 6 },
      { format: 'knockout', boardSize: 6, matchGames: 2, thirdPlace: false },
    ],
  ])('%j is stored as %j', async (plan, expected) => {
    mock.signIn(DEMO_ADMIN.email, DEMO_ADMIN.password);
    const { event } = await act('create_event', { title: 'Cup', ...plan });
    expect(event).toMatchObject(expected);
    const fields = ['rounds', 'boardSize', 'matchGames', 'thirdPlace', 'doubleRounds'];
    const shown = Object.keys(event ?? {}).filter((name) => fields.includes(name));
    expect(shown).toEqual(fields.filter((name) => name in expected));
  });
});

describe('a player', () => {
  it('is given the game of the match in the room, and has no queue', async () => {
    mock.signIn(DEMO.email, DEMO.password);
    const { userId } = mock.user;
    const event = sample('Town Hall Knockout');
    const { eventId } = event;
    const frames: { event: string; data: Record<string, unknown> }[] = [];
    const socket = openMockSocket(mock, (text) => frames.push(JSON.parse(text) as (typeof frames)[number]));
    const heard = (name: string) => frames.find((frame) => frame.event === name)?.data;
    socket.receive(JSON.stringify({ event: 'findMatch', data: { eventId } }));
    expect(heard('error')).toMatchObject({ errorCode: 'no-queue', event: 'findMatch' });
    socket.receive(JSON.stringify({ event: 'joinEventRoom', data: { eventId } }));
    const { gameId } = heard('playerFound') as { gameId: string };
    const own = () => event.stage?.rounds(userId)[1]?.pairings[0];
    expect(own()?.games).toEqual([{ gameId }]);

    const game = mock.game(gameId);
    await vi.waitFor(() => expect(game.isHere(game.opponentOf(userId)?.userId ?? '')).toBe(true));
    mock.enter(game, userId);
    mock.forfeit(game, userId);
    expect(own()?.games[0]?.winnerUserId).toBe(game.winner?.userId);
    // The second game of the match opens at once.
    await vi.waitFor(() => expect(own()?.games).toHaveLength(2));
    socket.close();
  });

  it('is too late for a bracket that is fixed', async () => {
    mock.signIn(DEMO.email, DEMO.password);
    const { eventId } = sample('Club Championship');
    expect(await act('join_event', { eventId })).toMatchObject({ status: 409, errorCode: 'tournament-closed' });
  });
});

describe('fixed times of rounds', () => {
  const settings = { format: 'knockout', rounds: 0, boardSize: 3, matchGames: 1, thirdPlace: false } as const;

  it('hold a round back until a director begins it, or its time has come', () => {
    const fixed = Date.now() + 60_000;
    const second = () => {
      const stage = new Stage({ ...settings, doubleRounds: false }, seats(4), [fixed]);
      stage.pairNext(0);
      expect(stage.rounds()[1]).toMatchObject({ state: 'planned', notBefore: expect.any(String) as string });
      expect(stage.rounds()[1]).not.toHaveProperty('startsAt');
      playRound(stage);
      stage.pairNext(1);
      return stage;
    };
    const stage = second();
    expect(stage.due(fixed - 1)).toEqual([]);
    const [, shown] = stage.rounds();
    expect(shown?.startsAt).toBe(shown?.notBefore);
    stage.pause(true, 0);
    expect(stage.due(fixed)).toEqual([]);
    stage.pause(false, 0);
    expect(stage.due(fixed)).toHaveLength(1);
    const directed = second();
    directed.startRound(2, 5);
    expect(directed.due(5)).toHaveLength(1);
  });
});

describe('a check-in', () => {
  const MINUTE = 60_000;
  const post = async (resource: string, action: string, payload: object) => {
    const response = await fetch(`${ORIGIN}/api/backend/${resource}`, {
      method: 'POST',
      body: JSON.stringify({ action, payload }),
    });
    return (await response.json()) as Answer;
  };
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();

  it('is asked for in the minutes before the start, and cancels an event to which nobody comes', async () => {
    mock.signIn(DEMO_ADMIN.email, DEMO_ADMIN.password);
    const plan = { title: 'Punctual', format: 'swiss', checkInMinutes: 30 };
    const made = await post('event', 'create_event', { ...plan, startTime: inMinutes(60), endTime: inMinutes(120) });
    const eventId = made.event?.eventId ?? '';
    const change = (fields: object) => post('event', 'update_event', { eventId, ...fields });
    await change({ eventState: 'published' });
    const self = await post('eventSignUp', 'sign_up', { eventId });
    expect(self).toMatchObject({ signup: { checkedIn: false } });
    expect(await post('eventSignUp', 'check_in', { eventId })).toMatchObject({ errorCode: 'check-in-not-open' });
    await change({ startTime: inMinutes(20) });
    expect(await post('eventSignUp', 'check_in', { eventId })).toMatchObject({ signup: { checkedIn: true } });
    expect(await change({ startTime: inMinutes(25) })).toMatchObject({ event: { checkedInCount: 1 } });
    expect(await change({ startTime: inMinutes(45) })).toMatchObject({ event: { checkedInCount: 0 } });
    await change({ startTime: inMinutes(10) });
    expect(await post('event', 'start_event', { eventId })).toMatchObject({ errorCode: 'nobody-checked-in' });
    mock.events.settle();
    vi.useFakeTimers({ now: Date.now() + 11 * MINUTE, toFake: ['Date'] });
    mock.events.settle();
    const announcements = [{ message: 'This event was cancelled: nobody checked in.' }];
    expect(mock.events.event(eventId).view()).toMatchObject({ eventState: 'cancelled', announcements });
  });
});

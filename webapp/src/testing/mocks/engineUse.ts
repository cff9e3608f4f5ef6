/** Moves of rated games compared with the solver: docs/behaviour/engine-use.md. The mock compares nothing itself. */

import type { components } from '@/api/schema';
import type { ActionRoutes } from './http';
import type { MockServer } from './mockServer';
import { seen } from './moderation';
import { paged } from './paging';
import { adminsOnly, notFound } from './refusal';

type Schemas = components['schemas'];

/** What is kept of an account. */
export type KeptEvidence = Omit<Schemas['EngineEvidence'], 'score'> & {
  score: Omit<Schemas['EngineScore'], 'user'>;
};

export const engineUse: Pick<ActionRoutes<'admin'>, 'list_engine_scores' | 'get_engine_evidence'> = {
  list_engine_scores: (mock, page) => {
    const kept = [...admin(mock).engineEvidence].flatMap(([userId, { score }]) => {
      const user = profile(mock, userId);
      return user === undefined ? [] : [{ user, ...score }];
    });
    const { items, pagination } = paged(
      kept.toSorted((a, b) => rank(b) - rank(a)),
      page,
    );
    mock.auditRead('read_engine_scores', 'users', { page: pagination.currentPage });
    return { scores: items, pagination };
  },
  get_engine_evidence: (mock, { userId }) => {
    admin(mock).auditRead('read_engine_evidence', userId, null);
    const user = profile(mock, userId);
    if (user === undefined) throw notFound('User');
    const kept = mock.engineEvidence.get(userId);
    return kept === undefined ? {} : { evidence: { ...kept, score: { user, ...kept.score } } };
  },
};

/** Rows from the top: X, O and dots. */
const rows = (...texts: string[]) => texts.map((text) => [...text].map((each) => each.replace('.', '')));

/** Somebody with an unusual score, and somebody with a usual one, for mock mode. */
export function seedEngineUse(mock: MockServer): void {
  const idOf = (name: string) => mock.find(({ username }) => username === name).userId;
  mock.engineEvidence.set(idOf('bob'), UNUSUAL);
  mock.engineEvidence.set(idOf('linus'), {
    ...UNUSUAL,
    positions: [],
    score: { ...UNUSUAL.score, level: 'usual', score: 0.4, chance: 0.34, critical: { seen: 61, found: 45 } },
  });
  mock.engineEvidence.set(idOf('hedy'), {
    ...UNUSUAL,
    positions: [],
    times: { fast: 0 },
    score: {
      ...UNUSUAL.score,
      level: 'too-few',
      score: 0.9,
      chance: 0.2,
      games: 3,
      critical: { seen: 7, found: 6 },
      expected: 4.8,
    },
  });
}

const AT = '2026-11-20T18:00:00Z';

const UNUSUAL: KeptEvidence = {
  score: {
    level: 'unusual',
    score: 3.8,
    chance: 0.000_07,
    games: 41,
    critical: { seen: 63, found: 61 },
    expected: 41.3,
    updatedAt: AT,
  },
  bits: 182.4,
  immediate: { seen: 74, found: 74 },
  smallBoard: { seen: 12, found: 12 },
  open: 310,
  unknown: 1,
  times: { fast: 3, typicalMs: 2_020, spread: 0.04, slowdown: 1 },
  positions: [
    {
      gameId: '00000000-0000-4000-8000-0000000000e1',
      round: 1,
      ply: 6,
      board: rows('......', '.X....', '..XO..', '...X..', '......', '....O.'),
      symbol: 'O',
      played: [4, 4],
      keeping: [
        [0, 0],
        [4, 4],
      ],
      expected: 0.62,
      tookMs: 2_010,
      at: AT,
    },
    {
      gameId: '00000000-0000-4000-8000-0000000000e2',
      round: 1,
      ply: 5,
      board: rows('.....', '..X..', '.OX..', '..O..', '.....'),
      symbol: 'X',
      played: [1, 3],
      keeping: [[1, 3]],
      expected: 0.44,
      tookMs: 1_990,
      at: AT,
    },
  ],
};

function rank({ level, score, critical }: KeptEvidence['score']): number {
  return level === 'too-few' ? critical.seen - 1_000 : score;
}

function admin(mock: MockServer): MockServer {
  if (!mock.user.isAdmin) throw adminsOnly();
  return mock;
}

function profile(mock: MockServer, wanted: string): Schemas['UserProfile'] | undefined {
  return mock
    .everybody('')
    .filter(({ userId }) => userId === wanted)
    .map(seen)[0];
}

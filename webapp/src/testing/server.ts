import { http, HttpResponse, type JsonBodyType } from 'msw';
import { setupServer } from 'msw/node';
import type { User } from '@/api/account';
import type { Event } from '@/api/events';
import type { Game } from '@/realtime/protocol';

/** The MSW server of a test file, with the handlers that every page needs. */
export const server = setupServer(
  http.get('*/api/backend/site', () => answer({})),
  http.get('*/api/backend/event', () => answer({ events: [] })),
  // The list of events asks who invites one.
  http.get('*/api/backend/eventSignUp', ({ request }) =>
    new URL(request.url).searchParams.get('action') === 'list_own_invitations'
      ? answer({ invitations: [] })
      : undefined,
  ),
  // Home's card of opponents.
  http.get('*/api/backend/player', ({ request }) =>
    new URL(request.url).searchParams.get('action') === 'list_opponents' ? answer({ opponents: [] }) : undefined,
  ),
  // The badge of reports, on the pages of admins.
  http.get('*/api/backend/admin', ({ request }) =>
    new URL(request.url).searchParams.get('action') === 'overview' ? answer({ openReports: 0 }) : undefined,
  ),
);

export const ada: User = {
  userId: '00000000-0000-4000-8000-00000000000a',
  username: 'ada',
  firstName: 'Ada',
  lastName: 'Lovelace',
  displayName: 'Ada',
  email: 'ada@example.org',
  emailVerified: false,
  profile: '',
  isProUser: false,
  isTempUser: false,
  isAdmin: false,
  hasPassword: true,
  secondFactor: false,
  profileVisibility: 'members',
  createdAt: '2026-01-01T00:00:00Z',
};

export const bob = { userId: '00000000-0000-4000-8000-00000000000b', username: 'bob', displayName: 'bob' };

/** A game of Ada against Bob, as lists contain it. */
export function gameWithBob(over: Partial<Game> = {}): Game {
  return {
    gameId: 'g1',
    players: [{ userId: ada.userId, username: 'ada', displayName: 'ada' }, bob],
    eventId: 'remote-g1',
    level: 1,
    initiatorUserId: ada.userId,
    gameType: 'invite',
    clock: 'none',
    status: 'active',
    notify: true,
    boardSize: 3,
    drawCount: 0,
    isDraw: false,
    yourTurn: true,
    createdAt: '2026-01-01T00:00:00Z',
    ...over,
  };
}

/** A live open event. */
export function someEvent(over: Partial<Event> = {}): Event {
  return {
    _id: 'e1',
    eventId: 'e1',
    title: 'Chalk Cup',
    description: 'Bring your own chalk.',
    prize: 'A box of chalk',
    eventType: 'open',
    eventState: 'started',
    startTime: '2026-01-01T10:00:00Z',
    endTime: '2026-01-01T12:00:00Z',
    maxLosses: 3,
    ratedOnOneNetwork: false,
    isPrivate: false,
    format: 'arena',
    boardSize: 'byLevel',
    clock: 'turn15',
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    winners: [],
    signupCount: 2,
    participantCount: 2,
    concluded: over.eventState === 'ended' || over.eventState === 'cancelled',
    gamesInPlay: 0,
    announcements: [],
    ...over,
  };
}

/** The only page of a list. */
export const wholePage = { currentPage: 1, limit: 50, totalCount: 1, hasPrevPage: false, hasNextPage: false };

export function answer(body: Record<string, JsonBodyType>) {
  return HttpResponse.json({ succeeded: true, ...body });
}

export function failure(status: number, body: Record<string, JsonBodyType> = {}) {
  return HttpResponse.json({ succeeded: false, ...body }, { status });
}

const auth = (path: string) => `*/api/auth/${path}`;

export const visitor = [
  http.get(auth('check-login'), () => answer({ isLogIn: false })),
  http.get(auth('providers'), () => answer({ local: true, registration: true, guests: false, mail: false })),
];

export const signedInAsAda = [
  http.get(auth('check-login'), () => answer({ isLogIn: true, user: { ...ada } })),
  http.post(auth('secure/token/refresh'), () => answer({})),
];

interface Call {
  action: string;
  payload: Record<string, unknown>;
}

/** Handlers of an action resource, and the calls that they have received. */
export function actions(resource: string, answers: Record<string, (payload: Call['payload']) => Response>) {
  const calls: Call[] = [];
  const respond = (call: Call) => {
    calls.push(call);
    return answers[call.action]?.(call.payload) ?? failure(400, { errorMessage: `no ${call.action}` });
  };
  const handlers = [
    http.get(`*/api/backend/${resource}`, ({ request }) => {
      const { searchParams } = new URL(request.url);
      return respond({
        action: searchParams.get('action') ?? '',
        payload: JSON.parse(searchParams.get('payload') ?? '{}') as Call['payload'],
      });
    }),
    http.post(`*/api/backend/${resource}`, async ({ request }) => respond((await request.json()) as Call)),
  ];
  return { calls, handlers };
}

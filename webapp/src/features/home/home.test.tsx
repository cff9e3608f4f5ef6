import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Game } from '@/realtime/protocol';
import { log } from '@/shared/log';
import { RECENT_PEOPLE_KEY } from '@/shared/recentPeople';
import { STORAGE_KEYS } from '@/shared/storage';
import { passTime, useFakeTimers } from '@/testing/fakeTimers';
import { FakeSocket } from '@/testing/FakeSocket';
import { liveGame, liveNow } from '@/testing/liveGames';
import { renderApp } from '@/testing/renderApp';
import {
  actions,
  ada,
  answer,
  bob,
  failure,
  gameWithBob as game,
  server,
  signedInAsAda,
  someEvent,
} from '@/testing/server';
import { LOOK_EVERY_MS } from './ActiveGames';

let games: Game[];
let play: ReturnType<typeof actions>;

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  games = [];
  play = actions('game', {
    get_games_by_user: ({ limit }) =>
      answer({ games: games as never, pagination: { hasNextPage: games.length > Number(limit ?? 50) } }),
    cancel_game: () => answer({}),
    end_game: () => answer({}),
    create_game: ({ gameId }) => answer({ game: { gameId: gameId as string } }),
  });
  server.use(...signedInAsAda, ...play.handlers);
});

async function openHome() {
  const app = renderApp('/app/home');
  await screen.findByRole('heading', { name: 'Welcome, Ada!' });
  await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
  FakeSocket.last.open();
  return app;
}

describe('Tournaments & Events', () => {
  it('has first what one is signed up for', async () => {
    const soon = (eventId: string, title: string, minutes: number) =>
      someEvent({
        eventId,
        title,
        eventState: 'published',
        startTime: new Date(Date.now() + minutes * 60_000).toISOString(),
      });
    const own = soon('own', 'Own Cup', 600);
    const events = [soon('a', 'First Cup', 10), soon('b', 'Second Cup', 20), soon('c', 'Third Cup', 30), own];
    const lists = actions('event', {
      list_events: ({ filter }) =>
        answer({ events: ((filter as { signedUp?: boolean }).signedUp === true ? [own] : events) as never }),
    });
    server.use(...lists.handlers);
    await openHome();
    const card = within(await screen.findByRole('region', { name: 'Tournaments & Events' }));
    await card.findByRole('link', { name: 'Own Cup' });
    const titles = card.getAllByRole('listitem').map((item) => item.textContent);
    expect(titles).toEqual([
      expect.stringMatching(/^Own Cup.*· signed up$/),
      expect.stringContaining('First Cup'),
      expect.stringContaining('Second Cup'),
    ]);
  });
});

describe('Active Games', () => {
  it('lists only waiting and active games', async () => {
    games = [
      game(),
      game({ gameId: 'g2', status: 'completed', players: [{ userId: 'c', username: 'carl', displayName: 'carl' }] }),
    ];
    await openHome();
    const list = within(screen.getByRole('region', { name: 'Active Games' }));
    expect(await list.findByText('bob')).toBeInTheDocument();
    expect(list.queryByText('carl')).not.toBeInTheDocument();
    expect(play.calls[0]?.payload).toEqual({ userId: ada.userId, status: ['active', 'waiting'] });
  });

  it('offers the possible actions for each', async () => {
    const event = { gameType: 'event', eventId: 'e' } as const;
    games = [
      game({ gameId: 'own', status: 'waiting' }),
      game({ gameId: 'asked', status: 'waiting', initiatorUserId: bob.userId }),
      game({ gameId: 'played' }),
      game({ ...event, gameId: 'paired', status: 'waiting' }),
      game({ ...event, gameId: 'contest', status: 'active' }),
    ];
    await openHome();
    const list = within(screen.getByRole('region', { name: 'Active Games' }));
    const rows = await list.findAllByRole('listitem');
    const offers = rows.map((row) =>
      [...within(row).getAllByRole('link'), ...within(row).getAllByRole('button')].map(
        ({ textContent }) => textContent,
      ),
    );
    expect(offers).toEqual([
      ['Accept', 'Decline'],
      ['Open', 'Forfeit'],
      ['Return to your game', 'Cancel'],
      ['Return to your game', 'Forfeit'],
      ['Open', 'Cancel Invitation'],
    ]);
    expect(list.getByRole('link', { name: 'Accept the invitation of bob' })).toHaveAttribute('href', '/app/game/asked');
  });

  it.each([
    ['cancelled', ada.userId, 'Cancel Invitation'],
    ['declined', bob.userId, 'Decline'],
  ])('an invitation is %s with one press', async (_done, initiatorUserId, name) => {
    games = [game({ status: 'waiting', initiatorUserId })];
    const { user } = await openHome();
    const button = await screen.findByRole('button', { name });
    games = [];
    await user.click(button);
    expect(await screen.findByText('No game under way.')).toBeInTheDocument();
    expect(play.calls).toContainEqual({ action: 'cancel_game', payload: { gameId: 'g1', userId: ada.userId } });
  });

  it('asks before a forfeit', async () => {
    games = [game()];
    const { user } = await openHome();
    await user.click(await screen.findByRole('button', { name: 'Forfeit the game with bob' }));
    const dialog = await screen.findByRole('dialog', { name: 'Confirm Forfeit' });
    expect(dialog).toHaveTextContent('Are you sure you want to forfeit this game? This action cannot be undone.');
    games = [];
    await user.click(within(dialog).getByRole('button', { name: 'Forfeit' }));
    expect(await screen.findByText('No game under way.')).toBeInTheDocument();
    expect(play.calls).toContainEqual({ action: 'end_game', payload: { gameId: 'g1', userId: ada.userId } });
  });

  it('warns that cancelling a match counts as a loss', async () => {
    games = [game({ gameType: 'event', eventId: 'e', status: 'waiting' })];
    const { user } = await openHome();
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cancel this match?' });
    expect(dialog).toHaveTextContent('counts as a loss');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel the match' }));
    await waitFor(() => expect(play.calls.map(({ action }) => action)).toContain('cancel_game'));
  });

  it.each(['gameInvitation', 'gameEnd', 'gameCancelled', 'gameDraw'])('is refreshed by %s', async (event) => {
    await openHome();
    await screen.findByText('No game under way.');
    games = [game()];
    const about = { gameId: 'g0', message: 'It is over', version: 9 };
    const data = {
      gameInvitation: { game: game(), from: bob },
      gameEnd: { ...about, eventId: 'e', forfeit: false, gameType: 'invite', isDraw: true, reason: 'draw' },
      gameCancelled: { ...about, reason: 'cancelled', success: true },
      gameDraw: about,
    }[event];
    FakeSocket.last.receive(event, data);
    expect(await screen.findByRole('link', { name: 'Open the game with bob' })).toBeInTheDocument();
  });
});

describe('what waits', () => {
  it('comes first in the list, and is counted in the heading', async () => {
    const they = { initiatorUserId: bob.userId } as const;
    games = [
      game({ gameId: 'asked', status: 'waiting', yourTurn: false }),
      game({ gameId: 'theirs', yourTurn: false }),
      game({ gameId: 'invited', status: 'waiting', yourTurn: false, ...they }),
      game({ gameId: 'mine' }),
    ];
    await openHome();
    const list = within(screen.getByRole('region', { name: 'Active Games' }));
    const [first, ...others] = await list.findAllByRole('link');
    expect([first, ...others].map((link) => link?.getAttribute('href'))).toEqual(
      ['invited', 'mine', 'theirs', 'asked'].map((gameId) => `/app/game/${gameId}`),
    );
    expect(screen.getByText('2 games wait for you.')).toBeVisible();
  });

  it('is looked for while an opponent thinks, whose moves do not come to this page', async () => {
    useFakeTimers();
    games = [game({ yourTurn: false })];
    await openHome();
    expect(await screen.findByText('3×3 · their turn')).toBeVisible();
    games = [game()];
    await passTime(LOOK_EVERY_MS + 1_000);
    expect(screen.getByText('3×3 · your turn')).toBeVisible();
    // Now it is the user who makes others wait.
    const asked = play.calls.length;
    await passTime(2 * LOOK_EVERY_MS);
    expect(play.calls).toHaveLength(asked);
  });
});

describe('Play now', () => {
  it('leads to each way of playing', async () => {
    await openHome();
    const ways = within(screen.getByRole('region', { name: 'Play now' })).getAllByRole('link');
    expect(ways.map((way) => way.getAttribute('href'))).toEqual([
      '/app/play',
      '/app/practice/ai',
      '/app/practice/remote',
      '/app/practice/local',
    ]);
  });
});

describe('Live now', () => {
  const card = () => within(screen.getByRole('region', { name: 'Live now' }));

  it('has the two best games, with boards that move', async () => {
    await openHome();
    await waitFor(() =>
      expect(FakeSocket.last.sent).toContainEqual(expect.objectContaining({ event: 'watchLive', data: { limit: 2 } })),
    );
    FakeSocket.last.receive('liveNow', liveNow([liveGame('a'), liveGame('b', { watchers: 2 })], 5));
    expect(await card().findAllByRole('link', { name: 'Watch bob – Carl' })).toHaveLength(2);
    expect(card().getByText('2 watching')).toBeVisible();
    expect(card().getByRole('link', { name: 'See all 5 games' })).toHaveAttribute('href', '/app/watch');
  });

  it('invites to play where there is none', async () => {
    await openHome();
    FakeSocket.last.receive('liveNow', liveNow([]));
    expect(await card().findByText('Nobody is playing a rated game right now.')).toBeVisible();
    expect(card().getByRole('link', { name: 'Be the first: quick match' })).toHaveAttribute('href', '/app/play');
  });
});

describe('Puzzle of the day', () => {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const solve = (...days: string[]) =>
    localStorage.setItem(
      STORAGE_KEYS.puzzles,
      JSON.stringify(Object.fromEntries(days.map((each) => [each, { misses: 0, hints: 0, solvedOn: each }]))),
    );
  const card = () => within(screen.getByRole('region', { name: 'Puzzle of the day' }));

  it.each([
    [[], 'Solve it today and a streak begins.', 'Solve it'],
    [[2, 1], '2 days so far: keep it up', 'Solve it'],
    [[1, 0], '2 days in a row', 'Past puzzles'],
  ])('solved %j days ago says so', async (daysAgo, text, link) => {
    solve(...daysAgo.map(day));
    await openHome();
    expect(card().getByText(text)).toBeVisible();
    expect(card().getByRole('link', { name: link })).toHaveAttribute('href', '/app/puzzle');
    expect(card().queryByText('Solved for today') !== null).toBe(link === 'Past puzzles');
  });

  it('is not disturbed by what the storage holds, nor by a browser without workers', async () => {
    localStorage.setItem(STORAGE_KEYS.puzzles, '{"2026-11-23":[]}');
    await openHome();
    await waitFor(() =>
      expect(console.warn).toHaveBeenCalledWith(expect.stringContaining('could not be made'), expect.anything()),
    );
    expect(card().getByRole('link', { name: 'Solve it' })).toBeVisible();
  });
});

describe('Recent Games', () => {
  it('shows nothing before the first game is over', async () => {
    games = [game()];
    await openHome();
    await screen.findByText('bob');
    expect(screen.queryByRole('region', { name: 'Recent Games' })).not.toBeInTheDocument();
  });

  it('shows how each ended, with a link to its replay; more are loaded on request', async () => {
    const ends = [
      { winnerUserId: ada.userId, reason: 'line' as const },
      { winnerUserId: bob.userId, reason: 'timeout' as const },
      { isDraw: true },
      {},
      {},
      {},
    ];
    games = ends.map((end, at) => game({ gameId: `g${at}`, status: 'completed', yourTurn: false, ...end }));
    const { user } = await openHome();
    const list = within(await screen.findByRole('region', { name: 'Recent Games' }));
    for (const text of ['3×3 · you won', '3×3 · they won on time', '3×3 · a draw'])
      expect(list.getByText(text)).toBeVisible();
    const [first] = list.getAllByRole('link', { name: 'Replay the game with bob' });
    expect(first).toHaveAttribute('href', '/app/game/g0/replay');
    await user.click(list.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(list.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument());
    expect(play.calls.at(-1)?.payload).toEqual({ userId: ada.userId, status: ['completed'], limit: 10 });
  });
});

describe('Quick Play with Recent Friends', () => {
  beforeEach(() => {
    const recent = { ...bob, lastPlayed: '2026-01-01T00:00:00Z', playCount: 2 };
    localStorage.setItem(RECENT_PEOPLE_KEY, JSON.stringify([recent]));
  });

  it('invites somebody again with one tap, and stores that', async () => {
    const { user, at } = await openHome();
    await user.click(screen.getByRole('button', { name: 'Play again with bob' }));
    await waitFor(() => expect(at()).toMatch(/^\/app\/game\//));
    const { payload } = play.calls.find(({ action }) => action === 'create_game')!;
    expect(payload).toMatchObject({
      players: [
        { userId: ada.userId, username: 'ada' },
        { userId: bob.userId, username: 'bob' },
      ],
      level: 1,
      gameType: 'invite',
      initiatorUserId: ada.userId,
      eventId: `remote-${payload.gameId as string}`,
      boardSize: 3,
    });
    expect(JSON.parse(localStorage.getItem(RECENT_PEOPLE_KEY)!)).toMatchObject([{ userId: bob.userId, playCount: 3 }]);
  });

  it('says that it failed', async () => {
    server.use(...actions('game', { create_game: () => failure(500) }).handlers);
    const { user, at } = await openHome();
    await user.click(screen.getByRole('button', { name: 'Play again with bob' }));
    expect(await screen.findByText('Failed to create game')).toBeInTheDocument();
    expect(at()).toBe('/app/home');
  });

  it('does not log an invitation that the rules refuse', async () => {
    const told = vi.fn();
    onTestFinished(log.listen(told));
    server.use(...actions('game', { create_game: () => failure(429, { errorMessage: 'Too many.' }) }).handlers);
    const { user } = await openHome();
    await user.click(screen.getByRole('button', { name: 'Play again with bob' }));
    expect(await screen.findByText('Too many.')).toBeInTheDocument();
    expect(told).not.toHaveBeenCalled();
  });

  /** What the server says of the games with bob. */
  const serveOpponents = (results: { wins: number; losses: number; draws: number }) =>
    server.use(
      ...actions('player', {
        list_opponents: () =>
          answer({
            opponents: [
              {
                ...bob,
                isTempUser: false,
                rating: { value: 1_512, provisional: true },
                results,
                lastPlayedAt: '2026-01-01T00:00:00Z',
              },
            ],
          }),
      }).handlers,
    );

  it.each([
    [{ wins: 3, losses: 1, draws: 2 }, '3 : 1, 2 drawn · you lead'],
    [{ wins: 0, losses: 1, draws: 0 }, '0 : 1 · they lead'],
    [{ wins: 0, losses: 0, draws: 1 }, '0 : 0, 1 drawn · level after 1 game'],
  ])('shows the results between the two: %o', async (results, text) => {
    serveOpponents(results);
    await openHome();
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getAllByRole('button', { name: 'Play again with bob' })).toHaveLength(1);
    expect(screen.queryByText(/^Played 2 times/)).not.toBeInTheDocument();
  });

  it('removes people, whom the server does not bring back', async () => {
    serveOpponents({ wins: 1, losses: 0, draws: 0 });
    const { user } = await openHome();
    await screen.findByText('1 : 0 · you lead');
    await user.click(screen.getByRole('button', { name: 'Remove bob' }));
    expect(await screen.findByText(/Nobody here yet/)).toBeInTheDocument();
  });

  it('has the people of the server in a new browser', async () => {
    localStorage.removeItem(RECENT_PEOPLE_KEY);
    serveOpponents({ wins: 1, losses: 0, draws: 0 });
    const { user, at } = await openHome();
    expect(await screen.findByText('1 : 0 · you lead')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Remove bob' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Play again with bob' }));
    await waitFor(() => expect(at()).toMatch(/^\/app\/game\//));
  });
});

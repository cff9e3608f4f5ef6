import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PlayedGame, PlayerProfile } from '@/api/players';
import { selectReporting } from '@/shared/people/reportSlice';
import { expectAccessible } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, bob, failure, server, signedInAsAda, visitor, wholePage } from '@/testing/server';

const played = (over: Partial<PlayedGame> = {}): PlayedGame => ({
  gameId: 'g1',
  opponent: { userId: 'c', username: 'carl', displayName: 'Carl' },
  result: 'won',
  gameType: 'quick',
  rated: true,
  boardSize: 4,
  clock: '1+2',
  reason: 'timeout',
  moveCount: 7,
  endedAt: '2026-11-20T10:00:00Z',
  ...over,
});

let page: PlayerProfile;
let games: PlayedGame[];
let answered: () => Response;
let players: ReturnType<typeof actions>;

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  page = {
    ...bob,
    displayName: 'Bob the Builder',
    blockedByMe: false,
    memberSince: '2026-02-03T10:00:00Z',
    rating: { value: 1_612, deviation: 61, provisional: false, games: 41 },
    ratingCurve: [
      { at: '2026-11-01T10:00:00Z', value: 1_580 },
      { at: '2026-11-20T10:00:00Z', value: 1_612 },
    ],
    results: [
      { boardSize: 3, wins: 6, losses: 2, draws: 1 },
      { boardSize: 5, wins: 0, losses: 1, draws: 0 },
    ],
    events: [
      { eventId: 'e1', title: 'Chalk Cup', eventState: 'ended', place: 2, players: 9, level: 4, wins: 5, losses: 2 },
      { eventId: 'e2', title: 'Late Cup', eventState: 'started', players: 3, level: 1, wins: 0, losses: 0 },
    ],
  };
  games = [played()];
  answered = () => answer({ profile: page as never });
  players = actions('player', {
    get_profile: () => answered(),
    get_history: ({ page: at = 1, limit }) =>
      answer({
        games: games as never,
        pagination: {
          ...wholePage,
          currentPage: at,
          limit,
          totalCount: games.length,
          hasNextPage: games.length > 1,
        } as never,
      }),
    get_head_to_head: () =>
      answer({ results: { wins: 2, losses: 1, draws: 1 }, games: [played({ opponent: bob })] as never }),
    list_opponents: () => answer({ opponents: [] }),
  });
  server.use(...signedInAsAda, ...players.handlers);
});

const region = (name: string) => within(screen.getByRole('region', { name }));
const callsOf = (action: string) =>
  players.calls.filter((each) => each.action === action).map(({ payload }) => payload);

async function openPage(username = 'bob') {
  const app = renderApp(`/app/players/${username}`);
  await screen.findByRole('heading', { level: 1 });
  return app;
}

describe('a player’s page', () => {
  it('shows who it is, results, events, games and what was between the two', async () => {
    await openPage();
    expect(await screen.findByRole('heading', { name: 'Bob the Builder' })).toBeVisible();
    expect(screen.getByText('Member since February 2026')).toBeVisible();
    expect(
      screen.getByRole('img', {
        name: 'Rating over the last 2 rated games: from 1580 to 1612, between 1580 and 1612.',
      }),
    ).toBeVisible();
    expect(region('Rating').getByText('after 41 rated games')).toBeVisible();
    expect(region('Results').getByText('60%')).toBeVisible();
    const rows = region('Results').getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual(['BoardSharesWonDrawnLost', '3×3612', '5×5001']);
    expect(region('Events').getByRole('link', { name: 'Chalk Cup' })).toHaveAttribute('href', '/app/events/view/e1');
    expect(region('Events').getByText(/of 9 · level 4 · 5 wins, 2 losses/)).toBeVisible();
    const last = await region('Last games').findByRole('listitem');
    expect(last).toHaveTextContent('Won against Carl on time4×4 · rated · 1 min + 2 s · Nov 20, 2026');
    expect(within(last).getByRole('link', { name: 'Carl' })).toHaveAttribute('href', '/app/players/carl');
    expect(within(last).getByRole('link', { name: /^Replay/ })).toHaveAttribute('href', '/app/game/g1/replay');
    expect(await region('You and them').findByText('2 : 1')).toBeVisible();
    expect(region('You and them').getByText('2 won · 1 lost · 1 drawn')).toBeVisible();
    expect(region('You and them').getByRole('link', { name: 'All games between you' })).toHaveAttribute(
      'href',
      '/app/players/ada/games?opponent=bob',
    );
    await expectAccessible(document.body);
  });

  it('challenges with a board and a clock, and goes to the game', async () => {
    const play = actions('game', { create_game: ({ gameId }) => answer({ game: { gameId: gameId as string } }) });
    server.use(...play.handlers);
    const { user, at } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Challenge' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Challenge Bob the Builder' }));
    await user.click(dialog.getByRole('radio', { name: '5×5' }));
    await user.click(dialog.getByRole('radio', { name: '15 s a turn' }));
    await user.click(dialog.getByRole('button', { name: 'Send the challenge' }));
    await waitFor(() => expect(at()).toMatch(/^\/app\/game\//));
    expect(play.calls[0]?.payload).toMatchObject({
      players: [{ userId: ada.userId }, { userId: bob.userId }],
      boardSize: 5,
      clock: 'turn15',
    });
  });

  it('says in the dialog why a challenge is refused', async () => {
    const refused = { create_game: () => failure(429, { errorMessage: 'Too many requests.' }) };
    server.use(...actions('game', refused).handlers);
    const { user, at } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Challenge' }));
    await user.click(await screen.findByRole('button', { name: 'Send the challenge' }));
    expect(await screen.findByText('Too many requests.')).toBeVisible();
    expect(at()).toBe('/app/players/bob');
  });

  it('blocks and reports; whom one blocks is not challenged', async () => {
    const people = actions('userprofile', {
      block_user: () => {
        page.blockedByMe = true;
        return answer({});
      },
    });
    server.use(...people.handlers);
    const { user, store } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Report' }));
    expect(selectReporting(store.getState())?.person.userId).toBe(bob.userId);
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Block' }));
    expect(await screen.findByRole('button', { name: 'Unblock' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Challenge' })).not.toBeInTheDocument();
  });

  it('leads from a former name to the present one', async () => {
    page.username = 'robert';
    const { at } = await openPage('bob');
    await waitFor(() => expect(at()).toBe('/app/players/robert'));
  });

  it('is one’s own: no challenge, who sees it, and where to change it', async () => {
    page = {
      ...page,
      userId: ada.userId,
      username: 'ada',
      displayName: 'Ada',
      visibility: 'members',
      results: [],
      events: [],
    };
    games = [];
    await openPage('ada');
    expect(await screen.findByText(/^Members see this page/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Edit your profile' })).toHaveAttribute('href', '/app/setting/edit');
    expect(screen.queryByRole('button', { name: 'Challenge' })).not.toBeInTheDocument();
    expect(region('Results').getByRole('link', { name: 'Play your first one' })).toHaveAttribute('href', '/app/play');
    expect(region('Events').getByRole('link', { name: 'See the events' })).toBeVisible();
    expect(callsOf('get_head_to_head')).toEqual([]);
  });

  it('that is hidden keeps the name, the challenge and what was between the two', async () => {
    page = { ...page, hidden: true, visibility: 'nobody', results: [], events: [], ratingCurve: [] };
    await openPage();
    expect(await screen.findByText('Bob the Builder keeps their results and games private.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Challenge' })).toBeVisible();
    expect(await region('You and them').findByText('2 : 1')).toBeVisible();
    expect(callsOf('get_history')).toEqual([]);
  });

  it('for members sends a visitor to the sign-in and back', async () => {
    answered = () => failure(403, { errorCode: 'members-only', errorMessage: 'Sign in.' });
    server.use(...visitor);
    const { user, at } = await openPage();
    expect(await screen.findByText('@bob shows this to members only.')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Sign in' }));
    await waitFor(() => expect(at()).toBe('/login'));
  });

  it('says that nobody has it', async () => {
    answered = () => failure(404, { errorMessage: 'Player not found.' });
    await openPage('nobody');
    expect(await screen.findByRole('heading', { name: 'No such player' })).toBeVisible();
  });

  it('that could not be loaded is loaded again', async () => {
    answered = () => failure(503, { errorMessage: 'Not now.' });
    const { user } = await openPage();
    expect(await screen.findByText('Not now.')).toBeVisible();
    answered = () => answer({ profile: page as never });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Bob the Builder' })).toBeVisible();
  });
});

describe('the games of a player', () => {
  it('are filtered by the address and by the fields', async () => {
    const { user } = renderApp('/app/players/bob/games?type=event&result=lost&board=5&rated=yes&page=2&sort=x');
    await screen.findByRole('list', { name: 'Games' });
    expect(callsOf('get_history').at(-1)).toEqual({
      userId: bob.userId,
      page: 2,
      limit: 20,
      filter: { gameType: 'event', result: 'lost', boardSize: 5, rated: true },
    });
    await user.selectOptions(screen.getByLabelText('Kind of game'), 'With a friend');
    await waitFor(() =>
      expect(callsOf('get_history').at(-1)).toMatchObject({ page: 1, filter: { gameType: 'invite', result: 'lost' } }),
    );
    await user.click(screen.getByRole('button', { name: 'All games' }));
    await waitFor(() => expect(callsOf('get_history').at(-1)).toMatchObject({ page: 1, filter: {} }));
    await expectAccessible(document.body);
  });

  it('are filtered by two changes that come before a page shows the first', async () => {
    renderApp('/app/players/bob/games');
    await screen.findByRole('list', { name: 'Games' });
    act(() => {
      fireEvent.change(screen.getByLabelText('Result'), { target: { value: 'won' } });
      fireEvent.change(screen.getByLabelText('Board'), { target: { value: '5' } });
    });
    await waitFor(() =>
      expect(callsOf('get_history').at(-1)).toMatchObject({ filter: { result: 'won', boardSize: 5 } }),
    );
  });

  it('are those against an opponent by username', async () => {
    const { user } = renderApp('/app/players/bob/games');
    await screen.findByRole('list', { name: 'Games' });
    await user.type(screen.getByLabelText('Opponent’s username'), '@carl{Enter}');
    await waitFor(() => expect(callsOf('get_profile')).toContainEqual({ username: 'carl' }));
    await waitFor(() => expect(callsOf('get_history').at(-1)).toMatchObject({ filter: { opponentId: bob.userId } }));
    answered = () => failure(404);
    await user.clear(screen.getByLabelText('Opponent’s username'));
    await user.type(screen.getByLabelText('Opponent’s username'), 'nobody{Enter}');
    expect(await screen.findByText('@nobody has no page.')).toBeVisible();
  });

  it('that are none say so', async () => {
    games = [];
    renderApp('/app/players/bob/games?result=drawn');
    expect(await screen.findByText('No games match these filters.')).toBeVisible();
  });
});

describe('the rating list', () => {
  const ranked = (rank: number, userId: string, username: string) => ({
    rank,
    userId,
    username,
    displayName: username,
    rating: { value: 1_700 - rank, deviation: 60, provisional: false, games: 30 },
  });
  const list = (over: object) => () =>
    answer({
      players: [ranked(1, bob.userId, 'bob'), ranked(2, ada.userId, 'ada')],
      own: { rank: 2, rating: { value: 1_698, deviation: 60, provisional: false, games: 30 } },
      pagination: { ...wholePage, totalCount: 2 },
      ...over,
    });
  const open = async (answers: () => Response, path = '/app/ratings') => {
    const asked = actions('player', { get_rating_list: answers });
    server.use(...asked.handlers);
    const app = renderApp(path);
    await screen.findByRole('heading', { name: 'Rating list' });
    return { ...app, calls: asked.calls };
  };

  it('has rank, player, rating and games, and says who is ranked', async () => {
    await open(list({}));
    const rows = await screen.findAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual([
      '#PlayerRatingGames',
      '1bobRating 169930',
      '2adaYouRating 169830',
    ]);
    expect(screen.getByRole('link', { name: 'bob' })).toHaveAttribute('href', '/app/players/bob');
    expect(screen.getByText(/^Your place:/)).toHaveTextContent('Your place: 2 of 2, with Rating 1698');
    await expectAccessible(document.body);
  });

  it('shows the own place from another page, and goes there', async () => {
    const own = { rank: 73, rating: { value: 1_400, deviation: 60, provisional: false, games: 30 } };
    const pagination = { ...wholePage, currentPage: 1, limit: 50, totalCount: 80, hasNextPage: true };
    const { user, calls } = await open(list({ own, pagination }));
    await user.click(await screen.findByRole('button', { name: 'Go to your place' }));
    await waitFor(() => expect(calls.at(-1)?.payload).toEqual({ page: 2, limit: 50 }));
  });

  it('that is empty leads on, and tells a newcomer what is missing', async () => {
    const own = { rating: { value: 1_500, deviation: 350, provisional: true, games: 0 } };
    await open(list({ players: [], own, pagination: { ...wholePage, totalCount: 0 } }));
    expect(await screen.findByText(/Nobody is ranked yet/)).toBeVisible();
    expect(screen.getByText(/You have not played a rated game yet/)).toBeVisible();
  });

  it('has a list of bots beside it, each of which can be challenged', async () => {
    const { user } = await open(list({}));
    const bot = {
      userId: 'm',
      username: 'minimax',
      displayName: 'Minimax',
      isBot: true,
      botSince: '2026-01-01T00:00:00Z',
    };
    const rating = { value: 1_874, deviation: 60, provisional: false, games: 40 };
    const newcomer = { value: 1_500, deviation: 350, provisional: true, games: 0 };
    const bots = [
      { ...bot, rank: 1, rating, online: true },
      { ...bot, userId: 'd', username: 'dice', displayName: 'Dice', rating: newcomer, online: false },
    ];
    let answers = () => failure(503, { errorMessage: 'Not now.' });
    const asked = actions('player', { list_bots: () => answers() });
    server.use(...asked.handlers);
    await user.click(screen.getByRole('tab', { name: 'Bots' }));
    expect(await screen.findByText('Not now.')).toBeVisible();
    answers = () => answer({ bots, pagination: { ...wholePage, totalCount: 2 } });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    const [, first, second] = await screen.findAllByRole('row');
    expect(first).toHaveTextContent('1MinimaxbotReady to playRating 187440Challenge');
    expect(second).toHaveTextContent(/^–DicebotAway/);
    expect(asked.calls.at(-1)?.payload).toEqual({ page: 1, limit: 50 });
    await expectAccessible(document.body);
    await user.click(screen.getByRole('button', { name: 'Challenge Minimax' }));
    expect(await screen.findByRole('dialog', { name: 'Challenge Minimax' })).toBeVisible();
  });

  it('says where there is no bot how to make one', async () => {
    const { user } = await open(list({}));
    const none = { bots: [], pagination: { ...wholePage, totalCount: 0 } };
    server.use(...actions('player', { list_bots: () => answer(none) }).handlers);
    await user.click(screen.getByRole('tab', { name: 'Bots' }));
    expect(await screen.findByText(/No bot plays here yet/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Make a bot' })).toHaveAttribute('href', '/app/setting/security');
  });

  it('that could not be loaded is loaded again', async () => {
    let answers = () => failure(503, { errorMessage: 'Not now.' });
    const { user } = await open(() => answers());
    expect(await screen.findByText('Not now.')).toBeVisible();
    answers = list({});
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'bob' })).toBeVisible();
  });
});

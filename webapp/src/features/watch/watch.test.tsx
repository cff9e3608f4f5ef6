import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { FakeSocket } from '@/testing/FakeSocket';
import { liveGame, liveNow } from '@/testing/liveGames';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, server, signedInAsAda, visitor } from '@/testing/server';

const page = { currentPage: 2, limit: 12, totalCount: 13, hasPrevPage: true, hasNextPage: false };

let play: ReturnType<typeof actions>;

beforeEach(() => {
  play = actions('game', {
    get_games_by_user: () => answer({ games: [] }),
    live_games: () => answer({ games: [liveGame('last')] as never, total: 13, pagination: page }),
  });
  server.use(...signedInAsAda, ...play.handlers);
});

const sent = () =>
  FakeSocket.last.sent.filter(({ event }) => event.endsWith('Live')).map(({ event, data }) => [event, data]);

async function openPage(path = '/app/watch') {
  const app = renderApp(path);
  await screen.findByRole('heading', { name: 'Live now' });
  await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
  act(() => FakeSocket.last.open());
  return app;
}

const tell = (data: unknown) => act(() => FakeSocket.last.receive('liveNow', data));

describe('Live now', () => {
  it('follows the games while it is open and visible', async () => {
    const { router } = await openPage();
    expect(screen.getByText('Looking for games…')).toBeVisible();
    await waitFor(() => expect(sent()).toEqual([['watchLive', { limit: 12 }]]));
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(sent().at(-1)).toEqual(['unwatchLive', {}]);
    hidden.mockRestore();
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(sent().at(-1)).toEqual(['watchLive', { limit: 12 }]);
    await act(() => router.navigate('/app/practice'));
    await waitFor(() => expect(sent().at(-1)).toEqual(['unwatchLive', {}]));
  });

  it('shows the players, the board as it moves, who watches, and how it ended', async () => {
    await openPage();
    tell(liveNow([liveGame('a', { watchers: 3 })]));
    const [card] = within(screen.getByRole('list', { name: 'Games' })).getAllByRole('article');
    if (card === undefined) throw new Error('no game');
    const game = within(card);
    expect(game.getByText('bob')).toBeVisible();
    expect(game.getByText('Carl')).toBeVisible();
    expect(game.getByText('3×3 · 15 s a turn')).toBeVisible();
    expect(game.getByText('3 watching')).toBeVisible();
    expect(game.getByRole('link', { name: 'Watch bob – Carl' })).toHaveAttribute('href', '/app/game/a?watch=true');
    const marks = () => card.querySelectorAll('[class*="board"] g[transform]').length;
    expect(marks()).toBe(0);
    const { board } = liveGame('a', { version: 4, cells: '....X....', lastMove: [1, 1] });
    tell({ total: 1, order: ['a'], games: [], boards: [board] });
    expect(marks()).toBe(1);
    const { currentTurn, ...ended } = { ...board, version: 9, status: 'completed' as const };
    tell({ total: 0, order: ['a'], games: [], boards: [{ ...ended, winnerUserId: currentTurn }] });
    expect(game.getByText('3×3 · bob won')).toBeVisible();
    await expectAccessible();
  });

  it('leads a player to their own game as a player', async () => {
    await openPage();
    const live = liveGame('mine');
    live.game.players = [{ userId: ada.userId, username: 'ada', displayName: 'Ada' }, ...live.game.players.slice(1)];
    tell(liveNow([live]));
    expect(screen.getByRole('link', { name: /^Return to your game/ })).toHaveAttribute('href', '/app/game/mine');
  });

  it('invites to play where there is nothing to watch', async () => {
    await openPage();
    tell(liveNow([]));
    expect(screen.getByRole('link', { name: 'Find an opponent' })).toHaveAttribute('href', '/app/play');
  });

  it('pages through the games that are not followed', async () => {
    const { user } = await openPage();
    tell(liveNow([liveGame('a')], 13));
    expect(screen.getByText('13 games to watch, the best rated first.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByRole('link', { name: 'Watch bob – Carl' })).toHaveAttribute(
      'href',
      '/app/game/last?watch=true',
    );
    expect(play.calls).toContainEqual({ action: 'live_games', payload: { page: 2, limit: 12 } });
    expect(sent().at(-1)).toEqual(['unwatchLive', {}]);
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    expect(sent().at(-1)).toEqual(['watchLive', { limit: 12 }]);
  });

  it('says so when a page cannot be loaded', async () => {
    server.use(http.get('*/api/backend/game', () => new Response(null, { status: 500 })));
    await openPage('/app/watch?page=2');
    expect(await screen.findByText('The games could not be loaded.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled();
  });

  it('asks visitors in', async () => {
    server.use(...visitor);
    renderApp('/app/watch');
    expect(await screen.findByRole('heading', { name: 'Sign in to watch' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
  });
});

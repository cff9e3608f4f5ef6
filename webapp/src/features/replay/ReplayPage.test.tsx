import { MantineProvider } from '@mantine/core';
import { configureStore } from '@reduxjs/toolkit';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '@/api/base';
import type { components } from '@/api/schema';
import { EngineClient } from '@/engine';
import { sessionSlice, signedIn } from '@/shared/session/sessionSlice';
import { themeSlice } from '@/shared/theme/themeSlice';
import { passTime, useFakeTimers } from '@/testing/fakeTimers';
import { inlineWorker } from '@/testing/inlineWorker';
import { actions, ada, answer, bob, failure, server } from '@/testing/server';
import ReplayPage from './ReplayPage';

type Replay = components['schemas']['Replay'];

// X in the corner, O errs on the edge, X misses the win; a draw.
const CELLS = [0, 1, 8, 4, 7, 6, 2, 5, 3];

function replayOf(cells = CELLS, over: Partial<Replay> = {}): Replay {
  return {
    gameId: '00000000-0000-4000-8000-000000000001',
    players: [
      { userId: ada.userId, username: 'ada', displayName: 'ada', symbol: 'X' },
      { ...bob, symbol: 'O' },
    ],
    rounds: [
      {
        boardSize: 3,
        starter: 'X',
        moves: cells.map((cell, at) => ({
          row: Math.floor(cell / 3),
          col: cell % 3,
          symbol: at % 2 === 0 ? 'X' : 'O',
          at: 1_700_000_000_000 + at,
        })),
      },
    ],
    isDraw: true,
    gameType: 'invite',
    clock: 'none',
    eventId: 'remote-1',
    createdAt: '2026-01-01T00:00:00Z',
    ...over,
  };
}

interface Options {
  isVisitor?: boolean;
  engine?: () => EngineClient;
}

function open(path: string, { isVisitor = false, engine = () => new EngineClient(inlineWorker) }: Options = {}) {
  const store = configureStore({
    reducer: {
      [api.reducerPath]: api.reducer,
      [sessionSlice.reducerPath]: sessionSlice.reducer,
      [themeSlice.reducerPath]: themeSlice.reducer,
    },
    middleware: (defaults) => defaults().concat(api.middleware),
  });
  if (!isVisitor) store.dispatch(signedIn(ada));
  const page = <ReplayPage createEngine={engine} />;
  const router = createMemoryRouter(
    ['/app/game/:gameId/replay', '/replay/:shareToken', '/replay/moves/:code'].map((each) => ({
      path: each,
      element: page,
    })),
    { initialEntries: [path] },
  );
  render(
    <Provider store={store}>
      <MantineProvider env="test">
        <RouterProvider router={router} />
      </MantineProvider>
    </Provider>,
  );
  return Object.assign(userEvent.setup(), { search: () => router.state.location.search });
}

const contents = () =>
  screen
    .getAllByRole('gridcell')
    .map((cell) => cell.dataset.content || '.')
    .join('');
const verdict = () => within(screen.getByRole('region', { name: 'Verdict' }));
const reviewed = () => screen.findByText('Mistakes: ada once, bob once.');

function serve(answers: Parameters<typeof actions>[1]) {
  const play = actions('game', answers);
  server.use(...play.handlers);
  return play;
}

beforeEach(() => vi.restoreAllMocks());

describe('a game of the server', () => {
  it('shows the pictures of its players, and initials where there is none', async () => {
    const picture = '/api/backend/profile/image/a/64?v=1';
    const players: Replay['players'] = [
      { userId: ada.userId, username: 'ada', displayName: 'Ada Lovelace', profileUrl: picture, symbol: 'X' },
      { ...bob, symbol: 'O' },
    ];
    serve({ get_replay: () => answer({ replay: replayOf(CELLS, { players }) as never }) });
    open('/app/game/g1/replay');
    const [x, o] = within(await screen.findByRole('list', { name: 'Players' })).getAllByRole('listitem');
    expect(x).toHaveTextContent('Ada Lovelace');
    expect(x!.querySelector('img')).toHaveAttribute('src', picture);
    expect(o!.querySelector('[data-initial]')).toHaveAttribute('data-initial', 'B');
  });

  it('is loaded by its id, shown at its end, and each move is labelled', async () => {
    const play = serve({ get_replay: () => answer({ replay: replayOf() as never }) });
    open('/app/game/g1/replay');
    expect(await screen.findByRole('heading', { name: "It's a Draw!" })).toBeVisible();
    expect(play.calls).toEqual([{ action: 'get_replay', payload: { gameId: 'g1' } }]);
    expect(contents()).toBe('XOXXOOOXX');
    await reviewed();
    const labels = within(screen.getByRole('list', { name: 'Moves' }))
      .getAllByRole('button')
      .map((button) => button.dataset.label);
    expect(labels.slice(0, 4)).toEqual(['kept-draw', 'threw-draw', 'threw-win', 'only-move']);
    expect(labels).toHaveLength(9);
    expect(screen.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/app/home');
  });

  it('plays the line that proves a throw, and the better line', async () => {
    serve({ get_replay: () => answer({ replay: replayOf() as never }) });
    const user = open('/app/game/g1/replay');
    await reviewed();
    await user.click(screen.getByRole('button', { name: 'Move 3: Threw the win' }));
    expect(verdict().getByRole('heading')).toHaveTextContent('Threw the win');
    expect(verdict().getByText(/ada could have forced a win. Now it is a draw./)).toBeVisible();
    expect(contents()).toBe('XO......X');

    await user.click(screen.getByRole('button', { name: 'What was better' }));
    expect(verdict().getByRole('heading')).toHaveTextContent('What was better after move 2');
    expect(contents()).toBe('XO.......');
    await user.click(screen.getByRole('button', { name: 'Last move' }));
    expect(verdict().getByText(/^ada wins on move/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Back to the game' }));
    expect(contents()).toBe('XO......X');
  });

  it('replies to a tried move with best play', async () => {
    serve({ get_replay: () => answer({ replay: replayOf() as never }) });
    const user = open('/app/game/g1/replay');
    await reviewed();
    await user.click(screen.getByRole('button', { name: 'Move 2: Threw the draw' }));
    // X takes a corner next to the first; O has to block, and loses anyway.
    await user.click(screen.getByRole('gridcell', { name: 'Row 3, column 1, empty' }));
    expect(verdict().getByRole('heading')).toHaveTextContent('Your own try after move 2');
    expect(await verdict().findByText('ada wins with best play. Try to escape on the board.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Last move' }));
    expect(verdict().getByText(/^ada wins on move/)).toBeVisible();
    await user.keyboard('{Escape}');
    expect(verdict().getByRole('heading')).toHaveTextContent('Threw the draw');
  });

  it('is controlled by keyboard', async () => {
    serve({ get_replay: () => answer({ replay: replayOf() as never }) });
    open('/app/game/g1/replay');
    await screen.findByRole('grid');
    const press = (key: string) => fireEvent.keyDown(document.body, { key });
    press('Home');
    expect(contents()).toBe('.........');
    expect(await screen.findByText('With best play 3×3 is a draw.')).toBeVisible();
    press('ArrowRight');
    press('ArrowRight');
    expect(contents()).toBe('XO.......');
    press('ArrowLeft');
    expect(contents()).toBe('X........');
    press('End');
    expect(contents()).toBe('XOXXOOOXX');
    press(' ');
    expect(screen.getByRole('button', { name: 'Pause' })).toBeVisible();
    await waitFor(() => expect(contents()).toBe('X........'), { timeout: 3_000 });
    press(' ');
    expect(screen.getByRole('button', { name: 'Play' })).toBeVisible();
  });

  it.each([
    ['2', 'XO.......', '?move=2'],
    ['0', '.........', '?move=0'],
    ['-4', '.........', '?move=0'],
    ['99', 'XOXXOOOXX', ''],
    ['here', 'XOXXOOOXX', ''],
  ])('opens at the move that the address names: %s', async (move, board, search) => {
    serve({ get_replay: () => answer({ replay: replayOf() as never }) });
    const user = open(`/app/game/g1/replay?move=${move}`);
    await screen.findByRole('grid');
    expect(contents()).toBe(board);
    await waitFor(() => expect(user.search()).toBe(search));
  });

  it('names the move in the address, and not while it plays', async () => {
    serve({ get_replay: () => answer({ replay: replayOf() as never }) });
    const user = open('/app/game/g1/replay');
    await user.click(await screen.findByRole('button', { name: 'Previous move' }));
    await waitFor(() => expect(user.search()).toBe('?move=8'));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Speed' }), '4×');
    useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'First move' }));
    fireEvent.click(screen.getByRole('button', { name: 'Play' }));
    await passTime(600);
    expect([contents(), user.search()]).toEqual(['XO.......', '?move=8']);
    await passTime(3_000);
    expect([contents(), user.search()]).toEqual(['XOXXOOOXX', '']);
  });

  it('plays at the chosen speed', async () => {
    serve({ get_replay: () => answer({ replay: replayOf() as never }) });
    const user = open('/app/game/g1/replay');
    await reviewed();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Speed' }), '4×');
    useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'Play' }));
    await passTime(3_000);
    await waitFor(() => expect(contents()).toBe('XOXXOOOXX'));
    expect(screen.getByRole('button', { name: 'Play' })).toBeVisible();
  });

  it('can be navigated on the graph', async () => {
    serve({ get_replay: () => answer({ replay: replayOf() as never }) });
    open('/app/game/g1/replay');
    await reviewed();
    const slider = screen.getByRole('slider', { name: 'Move' });
    fireEvent.change(slider, { target: { value: '2' } });
    expect(contents()).toBe('XO.......');
    expect(slider).toHaveAttribute('aria-valuetext', '2 of 9: O played row 1, column 2. Threw the draw');
  });

  it('shows each round of a game that had several', async () => {
    const [drawn] = replayOf().rounds;
    const [won] = replayOf([0, 3, 1, 4, 2]).rounds;
    const replay = replayOf([], { rounds: [drawn!, won!], isDraw: false, winner: 'X', reason: 'line' });
    serve({ get_replay: () => answer({ replay: replay as never }) });
    const user = open('/app/game/g1/replay');
    expect(await screen.findByText('Three in a row.')).toBeVisible();
    expect(contents()).toBe('XXXOO....');
    await user.click(screen.getByText('Round 1'));
    expect(contents()).toBe('XOXXOOOXX');
  });

  it.each([
    ['forfeit', 'bob forfeited.'],
    ['timeout', 'bob ran out of time.'],
    ['noShow', 'bob did not come.'],
    ['declined', 'bob declined the game.'],
    ['removed', 'bob was removed.'],
    ['disconnect', 'bob was away for too long.'],
    ['time', 'Decided for whoever used less time.'],
    ['adjudicated', 'Decided by the organisers.'],
  ] as const)('shows how it ended: %s', async (reason, text) => {
    const replay = replayOf([0, 3, 1], { isDraw: false, winner: 'X', reason });
    serve({ get_replay: () => answer({ replay: replay as never }) });
    open('/app/game/g1/replay');
    expect(await screen.findByRole('heading', { name: 'ada Won!' })).toBeVisible();
    expect(screen.getByText(text)).toBeVisible();
  });

  it('without a move shows a message', async () => {
    const replay = replayOf([], { rounds: [], isDraw: false, winner: 'X', reason: 'forfeit' });
    serve({ get_replay: () => answer({ replay: replay as never }) });
    open('/app/game/g1/replay');
    expect(await screen.findByText('bob forfeited. No move was played.')).toBeVisible();
  });

  it('can be replayed without the engine', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    serve({ get_replay: () => answer({ replay: replayOf() as never }) });
    const noWorker = () => {
      throw new Error('no workers here');
    };
    const user = open('/app/game/g1/replay', { engine: () => new EngineClient(noWorker) });
    expect(await screen.findByText(/The engine is not available right now. You can/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Previous move' }));
    expect(contents()).toBe('XOX.OOOXX');
    expect(warn).toHaveBeenCalled();
  });

  it.each([
    [404, 'No game to replay'],
    [409, 'The game could not be loaded'],
    [503, 'The game could not be loaded'],
  ])('that cannot be loaded (%i) shows an error page', async (status, heading) => {
    serve({ get_replay: () => failure(status, { errorMessage: 'The game is still being played.' }) });
    open('/app/game/g1/replay');
    expect(await screen.findByRole('heading', { name: heading })).toBeVisible();
    if (status === 409) {
      expect(screen.getByRole('alert')).toHaveTextContent('The game is still being played.');
      expect(screen.getByRole('link', { name: 'Open the game' })).toHaveAttribute('href', '/app/game/g1');
    }
  });
});

describe('sharing', () => {
  it('creates a link for a player, and copies it', async () => {
    const play = serve({
      get_replay: () => answer({ replay: replayOf() as never }),
      share_game: () => answer({ shareToken: 'token-1' }),
    });
    const user = open('/app/game/g1/replay');
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    await user.click(await screen.findByRole('button', { name: 'Copy link' }));
    const link = `${window.location.origin}/replay/token-1`;
    expect(await screen.findByLabelText('Link to this game')).toHaveValue(link);
    expect(await navigator.clipboard.readText()).toBe(link);
    expect(play.calls.at(-1)).toEqual({ action: 'share_game', payload: { gameId: replayOf().gameId } });
  });

  it('links to the move on the board', async () => {
    serve({
      get_replay: () => answer({ replay: replayOf() as never }),
      share_game: () => answer({ shareToken: 'token-1' }),
    });
    const user = open('/app/game/g1/replay?move=3');
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    expect(await screen.findByText(/can see this game, which opens after move 3,/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    const link = `${window.location.origin}/replay/token-1?move=3`;
    expect(await screen.findByLabelText('Link to this game')).toHaveValue(link);
    expect(await navigator.clipboard.readText()).toBe(link);
  });

  it('offers no link to watchers', async () => {
    const others = replayOf(CELLS, { players: [{ ...bob, symbol: 'X' }] });
    serve({ get_replay: () => answer({ replay: others as never }) });
    const user = open('/app/game/g1/replay');
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    expect(await screen.findByRole('dialog')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Copy link' })).not.toBeInTheDocument();
  });

  it('shows a visitor the shared game', async () => {
    const play = serve({ get_replay: () => answer({ replay: replayOf() as never }) });
    open('/replay/token-1', { isVisitor: true });
    await reviewed();
    expect(play.calls[0]?.payload).toEqual({ shareToken: 'token-1' });
    expect(screen.getByRole('link', { name: 'Back to Homepage' })).toHaveAttribute('href', '/');
  });
});

describe('a game of practice', () => {
  it('is encoded in the URL', async () => {
    open('/replay/moves/3X01847?ai=easy', { isVisitor: true });
    expect(screen.getByText('Easy AI')).toBeVisible();
    expect(contents()).toBe('XO..O..XX');
    expect(await screen.findByText('Mistakes: Player X once, Easy AI once.')).toBeVisible();
  });

  it('links signed-in users back to the page where it was played', () => {
    open('/replay/moves/3X01847?ai=easy');
    expect(screen.getByRole('link', { name: 'Back to practice' })).toHaveAttribute('href', '/app/practice/ai');
  });

  it('that is invalid shows a message', () => {
    open('/replay/moves/3X00');
    expect(screen.getByRole('heading', { name: 'No game to replay' })).toBeVisible();
  });
});

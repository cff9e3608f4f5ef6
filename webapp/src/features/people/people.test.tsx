import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GameState } from '@/realtime/protocol';
import { expectAccessible } from '@/testing/axe';
import { FakeSocket } from '@/testing/FakeSocket';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, bob, failure, gameWithBob, server, signedInAsAda } from '@/testing/server';
import { MAX_TEXT } from './ReportDialog';

const gameId = '10000000-0000-4000-8000-000000000001';
const game: GameState = {
  ...gameWithBob({ gameId }),
  board: [
    ['X', 'O', ''],
    ['', '', ''],
    ['', '', ''],
  ],
  players: [
    { userId: ada.userId, username: 'ada', displayName: 'ada', symbol: 'X', connected: true, timeUsedMs: 0 },
    { ...bob, symbol: 'O', connected: true, timeUsedMs: 0 },
  ],
  currentTurn: ada.userId,
  status: 'active',
  version: 4,
  serverTime: Date.now(),
  moves: [],
};

let blocked: Set<string>;
let people: ReturnType<typeof actions>;
/** How the next report is answered. */
let onReport: () => Response;

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  blocked = new Set();
  onReport = () => answer({});
  const play = actions('game', { get_games_by_user: () => answer({ games: [] }) });
  people = actions('userprofile', {
    get_user_by_id: ({ userId }) =>
      answer({
        user: { ...bob, profile: '', isProUser: false, isTempUser: false, blockedByMe: blocked.has(userId as string) },
      }),
    block_user: ({ userId }) => {
      blocked.add(userId as string);
      return answer({});
    },
    unblock_user: ({ userId }) => {
      blocked.delete(userId as string);
      return answer({});
    },
    list_blocked: () => answer({ users: blocked.has(bob.userId) ? [bob] : [] }),
    report_user: () => onReport(),
    search_user_profile: () => answer({ users: [bob] }),
  });
  server.use(...signedInAsAda, ...play.handlers, ...people.handlers);
});
afterEach(() => {
  notifications.clean();
  vi.restoreAllMocks();
});

const callsOf = (action: string) => people.calls.filter((call) => call.action === action).map(({ payload }) => payload);

async function openGame() {
  const app = renderApp(`/app/game/${gameId}`);
  await screen.findByText('Connecting to Game Server...');
  FakeSocket.last.open();
  await waitFor(() => expect(FakeSocket.last.sent.some(({ event }) => event === 'joinGame')).toBe(true));
  FakeSocket.last.receive('gameJoined', { gameId, success: true, gameState: game });
  await screen.findByRole('grid');
  return app;
}

async function openMenu({ user }: Awaited<ReturnType<typeof openGame>>) {
  await user.click(await screen.findByRole('button', { name: 'More about bob' }));
  return within(await screen.findByRole('menu'));
}

async function openReport(app: Awaited<ReturnType<typeof openGame>>) {
  const menu = await openMenu(app);
  await app.user.click(menu.getByRole('menuitem', { name: 'Report…' }));
  return within(await screen.findByRole('dialog', { name: 'Report bob' }));
}

describe('the menu of a person', () => {
  it('is there for the opponent, not for oneself', async () => {
    await openGame();
    expect(screen.getAllByRole('button', { name: /^More about/ })).toHaveLength(1);
  });

  it('blocks at once, and takes it back', async () => {
    const app = await openGame();
    const { user } = app;
    let menu = await openMenu(app);
    const block = menu.getByRole('menuitem', { name: 'Block' });
    await waitFor(() => expect(block).toBeEnabled());
    await user.click(block);
    expect(await screen.findByText(/^bob is blocked\./)).toBeInTheDocument();
    expect(blocked).toEqual(new Set([bob.userId]));

    menu = await openMenu(app);
    expect(await menu.findByRole('menuitem', { name: 'Unblock' })).toBeEnabled();
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('bob is no longer blocked.')).toBeInTheDocument();
    expect(blocked.size).toBe(0);
    expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
  });

  it('says why somebody could not be blocked', async () => {
    server.use(
      ...actions('userprofile', {
        block_user: () => failure(409, { errorMessage: 'You have already blocked 1,000 people.' }),
      }).handlers.slice(1),
    );
    const app = await openGame();
    const menu = await openMenu(app);
    const block = menu.getByRole('menuitem', { name: 'Block' });
    await waitFor(() => expect(block).toBeEnabled());
    await app.user.click(block);
    expect(await screen.findByText('You have already blocked 1,000 people.')).toBeInTheDocument();
    expect(screen.queryByText(/is blocked/)).not.toBeInTheDocument();
  });

  it('has nothing to offer for a deleted account', async () => {
    server.use(
      ...actions('userprofile', { get_user_by_id: () => failure(404, { errorCode: 'not-found' }) }).handlers.slice(
        0,
        1,
      ),
    );
    const menu = await openMenu(await openGame());
    expect(await menu.findByText('This account was deleted.')).toBeInTheDocument();
    expect(menu.queryByRole('menuitem', { name: 'Block' })).not.toBeInTheDocument();
  });
});

describe('a report', () => {
  it('has a reason, a text of one line and the game, and is confirmed', async () => {
    const app = await openGame();
    const { user } = app;
    const dialog = await openReport(app);
    await expectAccessible();
    await user.click(dialog.getByRole('button', { name: 'Send report' }));
    expect(await dialog.findByText('Please choose what it is about.')).toBeInTheDocument();
    expect(callsOf('report_user')).toEqual([]);

    await user.click(dialog.getByRole('radio', { name: /^Engine use/ }));
    await user.type(dialog.getByLabelText('What happened?'), 'Perfect moves,{Enter}each after 2 s ');
    expect(dialog.getByText('This game will be attached to the report.')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Send report' }));
    const sent = within(await screen.findByRole('dialog', { name: 'Report sent' }));
    expect(sent.getByRole('status')).toHaveTextContent('bob will not be told about it');
    const report = { userId: bob.userId, kind: 'engine', text: 'Perfect moves, each after 2 s', gameId };
    expect(callsOf('report_user')).toEqual([report]);

    await user.click(sent.getByRole('button', { name: 'Block too' }));
    expect(await screen.findByText(/^bob is blocked\./)).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('keeps to the limit of its text', async () => {
    const app = await openGame();
    const { user } = app;
    const dialog = await openReport(app);
    await user.click(dialog.getByRole('radio', { name: /^Name/ }));
    await user.click(dialog.getByLabelText('What happened?'));
    await user.paste('🙂'.repeat(MAX_TEXT + 1));
    expect(dialog.getByText('501 of 500 characters')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Send report' }));
    expect(await dialog.findByText('At most 500 characters.')).toBeInTheDocument();
    expect(callsOf('report_user')).toEqual([]);
    await user.keyboard('{Backspace}');
  });

  it('stays open with the reason when the server refuses it', async () => {
    const errorMessage = 'Too many requests. Please try again in 60 minutes.';
    onReport = () => failure(429, { errorMessage, errorCode: 'too-many-requests' });
    const app = await openGame();
    const { user } = app;
    const dialog = await openReport(app);
    await user.click(dialog.getByRole('radio', { name: /^Behaviour/ }));
    await user.click(dialog.getByRole('button', { name: 'Send report' }));
    expect(await dialog.findByText(errorMessage)).toBeInTheDocument();
    expect(dialog.getByRole('radio', { name: /^Behaviour/ })).toBeChecked();
  });

  it('shows at its text, and only there, what the server finds wrong with it', async () => {
    const errorMessage = 'A report cannot have control characters.';
    onReport = () => failure(422, { errorMessage, fieldErrors: { text: errorMessage } });
    const app = await openGame();
    const dialog = await openReport(app);
    await app.user.click(dialog.getByRole('radio', { name: /^Behaviour/ }));
    await app.user.click(dialog.getByRole('button', { name: 'Send report' }));
    expect(await dialog.findByText(errorMessage)).toBeInTheDocument();
  });

  it('outlives the page that it was begun on', async () => {
    const app = await openGame();
    const { user, router } = app;
    const dialog = await openReport(app);
    await user.click(dialog.getByRole('radio', { name: /^Picture/ }));
    await user.type(dialog.getByLabelText('What happened?'), 'See there');
    await router.navigate('/app/practice');
    const kept = within(await screen.findByRole('dialog', { name: 'Report bob' }));
    expect(kept.getByRole('radio', { name: /^Picture/ })).toBeChecked();
    expect(kept.getByLabelText('What happened?')).toHaveValue('See there');
  });
});

describe('an invitation', () => {
  it('has the menu, and goes once its sender is blocked', async () => {
    const { user } = renderApp('/app/home');
    await screen.findByRole('heading', { name: 'Welcome, Ada!' });
    await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
    FakeSocket.last.open();
    FakeSocket.last.receive('gameInvitation', { game: gameWithBob({ gameId: 'g9' }), from: bob });
    await screen.findByText('bob invites you to a game');
    await user.click(await screen.findByRole('button', { name: 'More about bob' }));
    const block = await screen.findByRole('menuitem', { name: 'Block' });
    await waitFor(() => expect(block).toBeEnabled());
    await user.click(block);
    await waitFor(() => expect(screen.queryByText('bob invites you to a game')).not.toBeInTheDocument());
    expect(await screen.findByText(/^bob is blocked\./)).toBeInTheDocument();
  });
});

describe('the search for people', () => {
  it('has the menu beside each', async () => {
    const app = renderApp('/app/practice/remote');
    await app.user.type(await screen.findByRole('textbox', { name: 'Search by username' }), 'bo');
    const menu = await openMenu(app);
    const block = menu.getByRole('menuitem', { name: 'Block' });
    await waitFor(() => expect(block).toBeEnabled());
    await app.user.click(block);
    expect(await screen.findByText(/^bob is blocked\./)).toBeInTheDocument();
  });
});

describe('blocked people in the settings', () => {
  it('are listed, can be unblocked, and blocked again', async () => {
    blocked.add(bob.userId);
    const { user } = renderApp('/app/setting/blocked');
    const unblock = await screen.findByRole('button', { name: 'Unblock bob' });
    expect(screen.getAllByText('bob'), 'not again as the username').toHaveLength(1);
    await user.click(unblock);
    expect(await screen.findByText('You have not blocked anybody.')).toBeInTheDocument();
    expect(callsOf('unblock_user')).toEqual([{ userId: bob.userId }]);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: 'Unblock bob' })).toBeInTheDocument();
    expect(blocked).toEqual(new Set([bob.userId]));
    await expectAccessible();
  });

  it('can be loaded again after a failure', async () => {
    let isBroken = true;
    const answers = {
      list_blocked: () => (isBroken ? failure(503, { errorMessage: 'Busy.' }) : answer({ users: [bob] })),
    };
    server.use(...actions('userprofile', answers).handlers);
    const { user } = renderApp('/app/setting/blocked');
    expect(await screen.findByText('Busy.')).toBeInTheDocument();
    isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Unblock bob' })).toBeInTheDocument();
  });
});

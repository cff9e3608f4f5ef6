import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session, User } from '@/api/admin';
import { dateTime } from '@/shared/events/times';
import { expectAccessible } from '@/testing/axe';
import { paged } from '@/testing/mocks/paging';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, failure, server } from '@/testing/server';
// Imported here, so that loading does not count towards the time-out of the first test.
import './UsersPage';

let users: User[];
let sessions: Session[];
let refusal: (() => Response) | null;
let calls: ReturnType<typeof actions>['calls'];

const person = (username: string, over: Partial<User> = {}): User => ({
  ...ada,
  userId: `id-${username}`,
  username,
  displayName: username,
  email: `${username}@example.org`,
  ...over,
});

const session = (sessionId: string, over: Partial<Session> = {}): Session => ({
  sessionId,
  device: 'Firefox on Linux',
  address: '192.0.2.1',
  createdAt: '2026-11-01T10:00:00Z',
  lastUsedAt: '2026-11-02T10:00:00Z',
  expiresAt: '2026-12-02T10:00:00Z',
  isCurrent: false,
  ...over,
});

beforeEach(() => {
  notifications.clean();
  refusal = null;
  users = [
    person('ada', { isAdmin: true }),
    person('bob', { displayName: 'Robert', isProUser: true }),
    person('quiet-fox', { isTempUser: true, email: '' }),
  ];
  sessions = [session('s1', { isCurrent: true }), session('s2', { device: 'Safari on iPhone', address: '192.0.2.7' })];
  const resource = actions('admin', {
    list_users: ({ text = '', page, limit }) => {
      const found = users.filter(({ username, email }) => `${username} ${email}`.includes(String(text)));
      const { items, pagination } = paged(found, { page: Number(page), limit: Number(limit) });
      return answer({ users: items as never, pagination });
    },
    list_sessions: () => answer({ sessions: sessions as never }),
    revoke_session: ({ sessionId }) => {
      if (refusal !== null) return refusal();
      sessions = sessions.filter((each) => each.sessionId !== sessionId);
      return answer({});
    },
    set_admin: ({ userId, isAdmin }) => {
      if (refusal !== null) return refusal();
      users = users.map((user) => (user.userId === userId ? { ...user, isAdmin: Boolean(isAdmin) } : user));
      return answer({ user: users.find((user) => user.userId === userId) as never });
    },
    grant_pro: ({ userId }) => (refusal === null ? turned(userId, true) : refusal()),
    // Paid Pro stays.
    revoke_pro: ({ userId }) => (refusal === null ? turned(userId, userId === 'id-payer') : refusal()),
  });
  const turned = (userId: unknown, isProUser: boolean) => {
    users = users.map((user) => (user.userId === userId ? { ...user, isProUser } : user));
    return answer({ user: users.find((user) => user.userId === userId) as never });
  };
  calls = resource.calls;
  server.use(
    http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada, isAdmin: true } })),
    http.post('*/api/auth/secure/token/refresh', () => answer({})),
    ...resource.handlers,
  );
});

async function openPage(path = '/app/admin/users') {
  const app = renderApp(path);
  await screen.findByRole('heading', { name: 'People' });
  return app;
}

async function openAccount(username: string, name = username === 'bob' ? 'Robert' : username) {
  const app = await openPage();
  await app.user.click(await screen.findByRole('button', { name: username }));
  return { ...app, dialog: within(await screen.findByRole('dialog', { name })) };
}

const written = () => calls.filter(({ action }) => !/^(list|overview)/.test(action));

describe('people', () => {
  it('are listed with their roles and plans', async () => {
    await openPage();
    expect(await screen.findByText('3 people')).toBeInTheDocument();
    const rows = within(screen.getByRole('list', { name: 'People' })).getAllByRole('listitem');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'adaada@example.orgAdmin',
      'bobRobert · bob@example.orgPro',
      'quiet-foxGuest',
    ]);
  });

  it('are listed with when they were last seen', async () => {
    const lastSeenAt = '2026-11-02T10:00:00Z';
    users.push(person('eve', { lastSeenAt }));
    await openPage();
    expect(await screen.findByText(`Last seen ${dateTime(lastSeenAt)}`)).toBeInTheDocument();
    expect(screen.getAllByText(/^Last seen/)).toHaveLength(1);
  });

  it('are searched by the server; the search is in the URL', async () => {
    const { user, router } = await openPage();
    await user.type(await screen.findByRole('searchbox', { name: 'Search people' }), 'bob');
    expect(await screen.findByText('1 person')).toBeInTheDocument();
    expect(router.state.location.search).toBe('?q=bob');
    expect(calls.at(-1)).toEqual({ action: 'list_users', payload: { text: 'bob', page: 1, limit: 25 } });
    await user.type(screen.getByRole('searchbox'), 'by');
    expect(await screen.findByText('Nobody fits this search.')).toBeInTheDocument();
  });

  it('are split into pages of 25', async () => {
    users = Array.from({ length: 30 }, (_, at) => person(`user${at}`));
    const { user, router } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Next' }));
    expect(await screen.findByRole('button', { name: 'user29' })).toBeInTheDocument();
    expect(router.state.location.search).toBe('?page=2');
  });

  it('show an error when they cannot be loaded', async () => {
    server.use(http.get('*/api/backend/admin', () => failure(503, { errorMessage: 'Busy.' })));
    await openPage();
    expect(await screen.findByText('Busy.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  });

  it('have no accessibility violations', async () => {
    await openPage();
    await screen.findByText('3 people');
    await expectAccessible();
  });
});

describe('an account', () => {
  it('shows its sessions, and can end one', async () => {
    const { user, dialog } = await openAccount('bob');
    expect(await dialog.findByText('This session')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'End the session on Safari on iPhone from 192.0.2.7' }));
    expect(await screen.findByText('Session ended.')).toBeInTheDocument();
    expect(written()).toEqual([{ action: 'revoke_session', payload: { userId: 'id-bob', sessionId: 's2' } }]);
    await waitFor(() => expect(dialog.queryByText('Safari on iPhone')).not.toBeInTheDocument());
  });

  it('is shown with display name, picture and username', async () => {
    const profileUrl = '/api/backend/profile/image/bob/64?v=1';
    users = [person('bob', { displayName: 'Robert', profileUrl })];
    const { dialog } = await openAccount('bob');
    const heading = dialog.getByRole('heading', { name: 'Robert' });
    expect(heading.querySelector('img')).toHaveAttribute('src', profileUrl);
    expect(dialog.getByText('bob')).toBeInTheDocument();
    expect(dialog.getByRole('link', { name: 'Billing of Robert' })).toBeInTheDocument();
  });

  it('may have no sessions', async () => {
    sessions = [];
    const { dialog } = await openAccount('bob');
    expect(await dialog.findByText('Signed in nowhere.')).toBeInTheDocument();
  });

  it.each([
    ['bob', 'Make Admin', true, 'Robert is an admin now.'],
    ['ada', 'Remove as Admin', false, 'ada is no longer an admin.'],
  ])('of %s changes its role after a confirmation: %s', async (username, name, isAdmin, text) => {
    const { user, dialog } = await openAccount(username);
    await user.click(dialog.getByRole('button', { name }));
    const question = within(await screen.findByRole('dialog', { name }));
    expect(question.getByRole('button', { name: 'Keep as It Is' })).toHaveFocus();
    expect(written()).toEqual([]);
    await user.click(question.getByRole('button', { name }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(written()).toEqual([{ action: 'set_admin', payload: { userId: `id-${username}`, isAdmin } }]);
  });

  it('says that somebody is an admin by a group, and until when', async () => {
    const adminClaim = { issuer: 'https://club.example', until: '2026-12-01T10:00:00Z' };
    users = [...users, person('eve', { isAdmin: true, adminClaim })];
    const { dialog } = await openAccount('eve');
    expect(
      dialog.getByText(/^By a group at https:\/\/club\.example, until .+ or the next sign-in there\.$/),
    ).toBeVisible();
    expect(screen.getByText('Admin by a group')).toBeInTheDocument();
  });

  it('stays unchanged when the server refuses, and the reason is shown', async () => {
    refusal = () => failure(409, { errorMessage: 'This is the last admin. Make somebody else an admin first.' });
    const { user, dialog } = await openAccount('ada');
    await user.click(dialog.getByRole('button', { name: 'Remove as Admin' }));
    const question = within(await screen.findByRole('dialog', { name: 'Remove as Admin' }));
    await user.click(question.getByRole('button', { name: 'Remove as Admin' }));
    expect(await screen.findByText('This is the last admin. Make somebody else an admin first.')).toBeInTheDocument();
  });

  it('of a guest cannot become an admin’s', async () => {
    const { dialog } = await openAccount('quiet-fox');
    expect(dialog.getByText('A guest cannot be an admin.')).toBeInTheDocument();
    expect(dialog.queryByRole('button', { name: 'Make Admin' })).not.toBeInTheDocument();
  });

  it('has no accessibility violations', async () => {
    const { dialog } = await openAccount('bob');
    await dialog.findByText('This session');
    await expectAccessible(screen.getByRole('dialog'));
  });
});

describe('Pro', () => {
  const fields = (name: string) => screen.findByRole('dialog', { name }).then((dialog) => within(dialog));

  it('is granted for a reason, up to a day', async () => {
    users.push(person('eve'));
    const { user, dialog } = await openAccount('eve');
    await user.click(dialog.getByRole('button', { name: 'Grant Pro' }));
    const form = await fields('Grant Pro to eve');
    expect(form.getByRole('textbox', { name: /^Reason/ })).toHaveFocus();
    expect(form.getByRole('button', { name: 'Grant Pro' })).toBeDisabled();
    await user.type(form.getByRole('textbox', { name: /^Reason/ }), ' Helps at every event. ');
    await user.type(form.getByLabelText('Last day'), '2030-01-31');
    await expectAccessible(screen.getByRole('dialog', { name: 'Grant Pro to eve' }));
    await user.click(form.getByRole('button', { name: 'Grant Pro' }));
    expect(await screen.findByText('eve is a Pro user now.')).toBeInTheDocument();
    const until = new Date('2030-01-31T23:59:59').toISOString();
    expect(written()).toEqual([
      { action: 'grant_pro', payload: { userId: 'id-eve', reason: 'Helps at every event.', until } },
    ]);
    expect(await dialog.findByRole('button', { name: 'Revoke Pro' })).toBeInTheDocument();
  });

  it('can be granted until tomorrow by the calendar of the admin', async () => {
    vi.stubEnv('TZ', 'America/Los_Angeles');
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-16T03:00:00Z') });
    try {
      users.push(person('eve'));
      const { user, dialog } = await openAccount('eve');
      await user.click(dialog.getByRole('button', { name: 'Grant Pro' }));
      const form = await fields('Grant Pro to eve');
      expect(form.getByLabelText('Last day')).toHaveAttribute('min', '2030-01-16');
    } finally {
      vi.useRealTimers();
      vi.unstubAllEnvs();
    }
  });

  it.each([
    ['bob', 'Robert', 'Robert is no longer a Pro user.'],
    ['payer', 'payer', 'The grant is revoked; payer keeps Pro as a paid plan.'],
  ])('is revoked from %s for a reason', async (username, name, text) => {
    users.push(person('payer', { isProUser: true }));
    const { user, dialog } = await openAccount(username);
    await user.click(dialog.getByRole('button', { name: 'Revoke Pro' }));
    const form = await fields(`Revoke Pro from ${name}`);
    await user.type(form.getByRole('textbox', { name: /^Reason/ }), 'Moved away.');
    await user.click(form.getByRole('button', { name: 'Revoke Pro' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(written()).toEqual([{ action: 'revoke_pro', payload: { userId: `id-${username}`, reason: 'Moved away.' } }]);
  });

  it('stays unchanged when the server refuses, and the reason is shown', async () => {
    refusal = () => failure(422, { errorMessage: 'Please enter a reason.' });
    const { user, dialog } = await openAccount('bob');
    await user.click(dialog.getByRole('button', { name: 'Revoke Pro' }));
    const form = await fields('Revoke Pro from Robert');
    await user.type(form.getByRole('textbox', { name: /^Reason/ }), '?');
    await user.click(form.getByRole('button', { name: 'Revoke Pro' }));
    expect(await form.findByText('Please enter a reason.')).toBeInTheDocument();
  });

  it('is not available to a guest', async () => {
    const { dialog } = await openAccount('quiet-fox');
    expect(dialog.getByText('A guest cannot be a Pro user.')).toBeInTheDocument();
  });

  it('links to its history in the ledger', async () => {
    const { dialog } = await openAccount('bob');
    expect(dialog.getByRole('link', { name: 'Billing of Robert' })).toHaveAttribute(
      'href',
      '/app/admin/billing?user=id-bob',
    );
  });
});

describe('the admin pages', () => {
  it('are shown to admins', async () => {
    await openPage();
    const links = within(screen.getByRole('navigation', { name: 'Admin' })).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Events', '/app/admin/events'],
      ['Series', '/app/admin/series'],
      ['Live Games', '/app/admin/games'],
      ['Logs', '/app/admin/logs'],
      ['Audit', '/app/admin/audit'],
      ['People', '/app/admin/users'],
      ['Reports', '/app/admin/reports'],
      ['Engine Use', '/app/admin/engine-use'],
      ['Billing', '/app/admin/billing'],
      ['Tokens', '/app/admin/tokens'],
      ['Webhooks', '/app/admin/webhooks'],
      ['Server', '/app/admin/server'],
    ]);
    expect(screen.getByRole('link', { name: 'People' })).toHaveAttribute('aria-current', 'page');
  });

  it('are neither shown nor opened for others', async () => {
    server.use(
      http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada } })),
      ...actions('game', { get_games_by_user: () => answer({ games: [] }) }).handlers,
      ...actions('event', { list_events: () => answer({ events: [], pagination: NO_PAGES }) }).handlers,
    );
    const { at } = renderApp('/app/admin/users');
    await waitFor(() => expect(at()).toBe('/app/home'));
    expect(screen.queryByRole('navigation', { name: 'Admin' })).not.toBeInTheDocument();
    expect(calls).toEqual([]);
  });
});

const NO_PAGES = { currentPage: 1, limit: 20, totalCount: 0, hasPrevPage: false, hasNextPage: false };

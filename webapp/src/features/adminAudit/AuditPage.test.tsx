import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '@/api/admin';
import { expectAccessible } from '@/testing/axe';
import { paged } from '@/testing/mocks/paging';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, failure, server } from '@/testing/server';
import { actionText, detailsOf } from './auditFormat';
// Imported here, so that loading does not count towards the time-out of the first test.
import './AuditPage';

let entries: AuditEntry[];
let calls: ReturnType<typeof actions>['calls'];
let handlers: ReturnType<typeof actions>['handlers'];

function entry(number: number, over: Partial<AuditEntry> = {}): AuditEntry {
  return {
    auditId: `a${number}`,
    sequence: number,
    actor: 'ada',
    action: 'start_event',
    subject: `event-${number}`,
    address: '192.0.2.1',
    at: '2026-11-01T10:00:00Z',
    ...over,
  };
}

beforeEach(() => {
  entries = [
    entry(1),
    entry(2, {
      actor: 'laptop token',
      action: 'set_admin',
      address: '192.0.2.9',
      detail: '{"username":"bob","isAdmin":true}',
    }),
  ];
  const resource = actions('admin', {
    list_audit: ({ page, limit }) => {
      const { items, pagination } = paged(entries, { page: Number(page), limit: Number(limit) });
      return answer({ entries: items as never, pagination });
    },
  });
  ({ calls, handlers } = resource);
  server.use(
    http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada, isAdmin: true } })),
    http.post('*/api/auth/secure/token/refresh', () => answer({})),
    ...resource.handlers,
  );
});

async function openPage(path = '/app/admin/audit') {
  const app = renderApp(path);
  await screen.findByRole('heading', { name: 'Audit Trail' });
  return app;
}

const subjects = () => screen.getAllByText(/^event-/).map(({ textContent }) => textContent);

describe('the audit trail', () => {
  it('shows who did what, to what, from where and when', async () => {
    await openPage();
    const row = (await screen.findByText('laptop token')).closest('tr')!;
    for (const text of ['Set admin', 'event-2', 'username: bob', 'isAdmin: true', '192.0.2.9']) {
      expect(within(row).getByText(text)).toBeInTheDocument();
    }
    expect(row.querySelector('time')).toHaveAttribute('dateTime', '2026-11-01T10:00:00Z');
  });

  it('shows things by name, as links to them', async () => {
    entries = [
      entry(1, { subjectKind: 'event', subjectName: 'Chalk Cup' }),
      entry(2, { subject: 'u1', subjectKind: 'user', subjectName: 'bob' }),
      entry(3, { subject: 'g1', subjectKind: 'game', subjectName: 'ada – bob' }),
      entry(4, { subject: 'logs' }),
    ];
    await openPage();
    const to = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
    expect(await to('Chalk Cup')).toBe('/app/admin/events/event-1');
    expect(await to('bob')).toBe('/app/admin/users?q=bob');
    expect(await to('ada – bob')).toBe('/app/game/g1/replay');
    expect(screen.getByText('logs')).toBeInTheDocument();
    expect(screen.queryByText('event-1')).not.toBeInTheDocument();
  });

  it('is split into pages of 25; the page is in the URL', async () => {
    entries = Array.from({ length: 60 }, (_, at) => entry(at));
    const { user, router } = await openPage();
    expect(await screen.findByText('Page 1 of 3')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('event-25')).toBeInTheDocument();
    expect(router.state.location.search).toBe('?page=2');
    expect(calls.at(-1)?.payload).toEqual({ page: 2, limit: 25 });
  });

  it('is searched in all texts of an entry', async () => {
    const { user, router } = await openPage();
    await screen.findByText('event-1');
    await user.type(screen.getByRole('searchbox', { name: 'Search the audit trail' }), 'BOB');
    expect(await screen.findByText('1 found in the newest 2 of 2 entries.')).toBeInTheDocument();
    expect(subjects()).toEqual(['event-2']);
    expect(router.state.location.search).toBe('?q=BOB');
  });

  it('is filtered by action, with search and page in the URL', async () => {
    entries = [...Array.from({ length: 40 }, (_, at) => entry(at)), entry(99, { action: 'set_admin' })];
    await openPage('/app/admin/audit?q=event&action=start_event&page=2');
    expect(await screen.findByText('40 found in the newest 41 of 41 entries.')).toBeInTheDocument();
    expect(subjects()).toHaveLength(15);
    expect(screen.getByRole('combobox', { name: 'Action' })).toHaveValue('start_event');
  });

  it('searches the newest thousand entries first, and more on request', async () => {
    entries = Array.from({ length: 1_150 }, (_, at) => entry(at, at === 1_120 ? { actor: 'grace' } : {}));
    const { user } = await openPage('/app/admin/audit?q=grace');
    expect(await screen.findByText('0 found in the newest 1000 of 1150 entries.')).toBeInTheDocument();
    expect(screen.getByText('No entry fits this search.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Search older entries' }));
    expect(await screen.findByText('1 found in the newest 1150 of 1150 entries.')).toBeInTheDocument();
    expect(screen.getByText('grace')).toBeInTheDocument();
  });

  it('may be empty', async () => {
    entries = [];
    await openPage();
    expect(await screen.findByText('Nothing has been done yet.')).toBeInTheDocument();
  });

  it('shows why it could not be loaded, and can be retried', async () => {
    server.use(...actions('admin', { list_audit: () => failure(500), overview: () => failure(500) }).handlers);
    const { user } = await openPage();
    expect(await screen.findByText('Failed to load the audit trail')).toBeInTheDocument();
    server.use(...handlers);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(subjects()).toHaveLength(2));
  });

  it('has no accessibility violations', async () => {
    await openPage();
    await screen.findByText('event-1');
    await expectAccessible();
  });
});

describe('its words', () => {
  it('are readable labels', () => {
    expect(actionText('adjudicate_game')).toBe('Adjudicate game');
    expect(actionText('clear-logs')).toBe('Clear logs');
  });

  it.each([
    [undefined, []],
    ['', []],
    ['null', []],
    ['words', [{ name: 'detail', value: 'words' }]],
    ['7', [{ name: 'detail', value: '7' }]],
    [
      '{"a":1,"b":"two"}',
      [
        { name: 'a', value: '1' },
        { name: 'b', value: 'two' },
      ],
    ],
    ['{"eventId":"e1","event":"Chalk Cup"}', [{ name: 'event', value: 'Chalk Cup' }]],
    ['{"winnerUserId":"u1","winner":"bob"}', [{ name: 'winner', value: 'bob' }]],
    ['{"userId":"u1","username":"bob"}', [{ name: 'username', value: 'bob' }]],
    ['{"eventId":"e1"}', [{ name: 'eventId', value: 'e1' }]],
    [
      '{"eventId":"e1","event":null}',
      [
        { name: 'eventId', value: 'e1' },
        { name: 'event', value: 'none' },
      ],
    ],
    ['{"winnerUserId":null,"winner":null}', [{ name: 'winner', value: 'none' }]],
  ])('of the detail %j are %j', (detail, details) => {
    expect(detailsOf(detail === undefined ? {} : { detail })).toEqual(details);
  });
});

describe('the whole trail', () => {
  it('is verified, and says where it is broken', async () => {
    let broken: { brokenAt?: number; problem?: string } = {};
    const { handlers: checks } = actions('admin', {
      verify_audit: () =>
        answer({ entries: 2, head: 'ab', from: '2026-11-01T10:00:00Z', until: '2026-11-02T10:00:00Z', ...broken }),
    });
    server.use(...checks, ...handlers);
    const { user } = await openPage();
    server.use(...checks);
    await user.click(screen.getByRole('button', { name: 'Verify' }));
    expect(await screen.findByText(/^The chain is in order: 2 entries, from /)).toBeInTheDocument();
    broken = { brokenAt: 2, problem: 'its hash is wrong' };
    await user.click(screen.getByRole('button', { name: 'Verify' }));
    expect(await screen.findByText('Entry 2 is not as it was written: its hash is wrong')).toBeInTheDocument();
    await expectAccessible();
  });

  it('is exported in parts, into one file', async () => {
    const parts: unknown[] = [];
    const { handlers: exports } = actions('admin', {
      export_audit: ({ after }) => {
        parts.push(after);
        if (after === undefined) return answer({ ndjson: 'first\n', next: 1_000 });
        return after === 1_000 ? answer({ ndjson: 'second\n', next: 1_001 }) : answer({ ndjson: '' });
      },
    });
    let saved: Blob | undefined;
    URL.createObjectURL = (blob) => {
      saved = blob as Blob;
      return 'blob:audit';
    };
    URL.revokeObjectURL = () => undefined;
    const { user } = await openPage();
    server.use(...exports);
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(saved).toBeDefined());
    expect(await saved?.text()).toBe('first\nsecond\n');
    expect(parts).toEqual([undefined, 1_000, 1_001]);
  });
});

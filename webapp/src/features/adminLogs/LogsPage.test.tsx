import { notifications } from '@mantine/notifications';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GetLogs, LogEntry, LogFilter, LogLevel } from '@/api/logs';
import { expectAccessible } from '@/testing/axe';
import { FakeSocket } from '@/testing/FakeSocket';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, failure, server, wholePage } from '@/testing/server';
import { aRecord, pageOfLogs, someRecords } from './testing/someLogs';
// Imported here, so that loading does not count towards the time-out of the first test.
import './LogsPage';

// These tests do a lot on one page, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const REQUEST = '0195a6a2-1111-7111-8111-00000000abcd';
const SERVICES = ['account', 'http', 'store', 'webapp'];

/** The oldest first. */
let book: LogEntry[];
let dropped: number;
let calls: ReturnType<typeof actions>['calls'];

function fits(record: LogEntry, { text, since, until, ...same }: LogFilter): boolean {
  const texts = [record.message, record.context, record.stack].join('\n').toLowerCase();
  return (
    Object.entries(same).every(([name, value]) => [value].flat().includes(record[name as keyof LogEntry] as string)) &&
    texts.includes((text ?? '').toLowerCase()) &&
    (since === undefined || record.timestamp >= since) &&
    (until === undefined || Date.parse(record.timestamp) <= Date.parse(until))
  );
}

function stats() {
  const of = (level: LogLevel) => book.filter((record) => record.level === level).length;
  const levels = ['error', 'warning', 'info', 'debug'] as const;
  return {
    levelStats: Object.fromEntries(levels.map((level) => [level, of(level)])),
    recentActivity: { last24Hours: book.length, errorRate: of('error') / Math.max(1, book.length) },
    hourly: Object.fromEntries(levels.map((level) => [level, [...new Array<number>(23).fill(0), of(level)]])),
    services: SERVICES,
    dropped,
  };
}

beforeEach(() => {
  notifications.clean();
  dropped = 0;
  book = someRecords(23);
  book.push(
    aRecord(23, {
      level: 'error',
      service: 'store',
      message: 'the store does not answer',
      context: 'error=too slow waiting=118',
      fileName: 'appliance/src/http/fault.rs:143',
      stack: 'at commit\nat apply',
      requestId: REQUEST,
      userId: ada.userId,
      sessionId: 's-1',
    }),
  );
  const logger = actions('logger', {
    getLogs: (payload) => answer({ data: pageOfLogs(book, payload as GetLogs, fits) as never }),
    getLogStats: () => answer({ data: stats() }),
    exportLogs: ({ filter }) =>
      answer({ ndjson: pageOfLogs(book, { filter: filter as LogFilter, limit: 1_000, sortOrder: 'asc' }, fits).logs.map((record) => `${JSON.stringify(record)}\n`).join('') }), // prettier-ignore
    clearLogs: () => {
      const cleared = book.length;
      book = [];
      return answer({ cleared });
    },
  });
  calls = logger.calls;
  server.use(
    http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada, isAdmin: true } })),
    http.post('*/api/auth/secure/token/refresh', () => answer({})),
    ...logger.handlers,
    ...actions('userprofile', {
      get_user_by_id: () => answer({ user: { userId: ada.userId, username: 'ada', displayName: 'Ada', profile: '', isProUser: false, isTempUser: false } }), // prettier-ignore
    }).handlers,
    ...actions('admin', {
      list_users: ({ text = '' }) => {
        const users = [ada, { ...ada, userId: REQUEST, username: 'bob' }];
        const found = users.filter(({ username }) => username.includes(String(text)));
        const pagination = { currentPage: 1, limit: 8, totalCount: 2, hasPrevPage: false, hasNextPage: false };
        return answer({ users: found as never, pagination });
      },
    }).handlers,
  );
});

/** With records of every level, unless the path says another. */
async function openPage(path = '/app/admin/logs?level=all') {
  const app = renderApp(path);
  await screen.findByRole('heading', { name: 'Error Logs' });
  return { ...app, search: () => new URLSearchParams(app.router.state.location.search) };
}

const cards = async () => within(await screen.findByRole('list', { name: 'Logs' })).getAllByRole('listitem');
const messages = async () => (await cards()).map((card) => within(card).getByRole('button').textContent);
const asked = () => calls.filter(({ action }) => action === 'getLogs').at(-1)?.payload as GetLogs;
const dialog = (name: string) => screen.findByRole('dialog', { name });

describe('the log', () => {
  it('is split into pages of 10, the newest first, which new records do not shift', async () => {
    const { user, search } = await openPage();
    expect(await messages()).toEqual([
      'the store does not answer',
      ...[22, 21, 20, 19, 18, 17, 16, 15, 14].map((number) => `record ${number}`),
    ]);
    expect(screen.getByText('24 records')).toBeInTheDocument();
    book.push(aRecord(24), aRecord(25));
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(async () => expect((await messages())[0]).toBe('record 13'));
    expect(screen.getByText('Page 2 of 3')).toBeInTheDocument();
    expect(search().get('page')).toBe('2');
    expect(asked()).toMatchObject({ page: 2, limit: 10, sortOrder: 'desc' });
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    await waitFor(async () => expect((await messages())[0]).toBe('record 25'));
  });

  it('shows level, service, source, time and context of a record', async () => {
    await openPage();
    const [card] = await cards();
    for (const text of ['Error', 'store', 'appliance/src/http/fault.rs:143', 'error=too slow waiting=118']) {
      expect(within(card!).getByText(text)).toBeInTheDocument();
    }
    expect(card!.querySelector('time')).toHaveAttribute('dateTime', book.at(-1)!.timestamp);
  });

  it('opens on warnings and errors', async () => {
    await openPage('/app/admin/logs');
    await screen.findByRole('list', { name: 'Logs' });
    expect(asked().filter).toEqual({ level: ['error', 'warning'] });
    expect(screen.getByRole('combobox', { name: 'Level' })).toHaveDisplayValue('Warnings and errors');
  });

  it('may be empty', async () => {
    book = [];
    await openPage();
    expect(await screen.findByText('No error logs found')).toBeInTheDocument();
  });

  it('offers the first page in place of one beyond the last', async () => {
    const { user, search } = await openPage('/app/admin/logs?page=9');
    expect(await screen.findByText('There is no page 9 of these logs.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'To the first page' }));
    expect(await cards()).toHaveLength(10);
    expect(search().get('page')).toBeNull();
  });

  it('shows why it could not be loaded, and can be retried', async () => {
    server.use(
      http.get('*/api/backend/logger', ({ request }) =>
        request.url.includes('getLogs') && !request.url.includes('Stats')
          ? failure(500, { errorMessage: 'Something went wrong.', requestId: 'r-9' })
          : undefined,
      ),
    );
    const { user } = await openPage();
    expect(await screen.findByText('Something went wrong. (Request r-9)')).toBeInTheDocument();
    server.use(http.get('*/api/backend/logger', () => answer({ data: pageOfLogs(book, {}) as never })));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await cards()).toHaveLength(24);
  });

  it('shows that the count is a lower bound where not all records were counted', async () => {
    const counted = pageOfLogs(book, { limit: 10, sortOrder: 'desc' });
    server.use(
      ...actions('logger', {
        getLogs: () =>
          answer({ data: { ...counted, pagination: { ...counted.pagination, totalCount: 1_000 } } as never }),
        getLogStats: () => answer({ data: { ...stats(), levelStats: { info: 199_000 } } }),
      }).handlers,
    );
    await openPage('/app/admin/logs?q=record');
    expect(await screen.findByText('1,000+ records')).toBeInTheDocument();
    expect(screen.getByText('Page 1 of 100+')).toBeInTheDocument();
  });

  it('is for admins only', async () => {
    server.use(
      http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada } })),
      ...actions('game', { get_games_by_user: () => answer({ games: [], pagination: wholePage }) }).handlers,
    );
    const { at } = renderApp('/app/admin/logs');
    await waitFor(() => expect(at()).toBe('/app/home'));
  });

  it('is refreshed on request', async () => {
    const { user } = await openPage();
    await cards();
    book.push(aRecord(24));
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(async () => expect((await messages())[0]).toBe('record 24'));
  });

  it('has no accessibility violations', async () => {
    await openPage();
    await cards();
    await expectAccessible();
  });
});

describe('the numbers', () => {
  it('are counts by level, of the last 24 hours, and the error rate', async () => {
    await openPage();
    const list = await screen.findByRole('list', { name: 'Log statistics' });
    await waitFor(() => expect(within(list).getByText('23')).toBeInTheDocument());
    expect(within(list).getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Errors1',
      'Warnings0',
      'Info23',
      'Debug0',
      'Last 24 hours24',
      'Error rate4.2%',
    ]); // prettier-ignore
  });

  it('of a level switch the filter for that level on and off', async () => {
    const { user, search } = await openPage();
    const errors = await screen.findByRole('button', { name: /^Errors/ });
    await user.click(errors);
    await waitFor(async () => expect(await messages()).toEqual(['the store does not answer']));
    expect(errors).toHaveAttribute('aria-pressed', 'true');
    expect(search().get('level')).toBe('error');
    await user.click(errors);
    expect(search().get('level')).toBe('all');
  });

  it('show how many records were discarded', async () => {
    dropped = 1_234;
    await openPage();
    expect(await screen.findByText(/1,234 records were discarded since the server started/)).toBeInTheDocument();
  });
});

describe('the filters', () => {
  it('combine, are in the URL, and are undone by Back', async () => {
    const { user, search, router } = await openPage();
    await cards();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Service' }), 'store');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Level' }), 'Error');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Platform' }), 'server');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'Oldest first');
    await waitFor(() =>
      expect(asked()).toMatchObject({
        filter: { service: 'store', level: 'error', platform: 'server' },
        sortOrder: 'asc',
      }),
    );
    expect(Object.fromEntries(search())).toEqual({
      service: 'store',
      level: 'error',
      platform: 'server',
      order: 'asc',
    });
    await act(() => router.navigate(-2));
    expect(Object.fromEntries(search())).toEqual({ service: 'store', level: 'error' });
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(Object.fromEntries(search())).toEqual({ level: 'all' });
    expect(await cards()).toHaveLength(10);
  });

  it('combine even when the second is set before the page shows the first', async () => {
    const { search } = await openPage();
    await cards();
    act(() => {
      fireEvent.change(screen.getByRole('combobox', { name: 'Service' }), { target: { value: 'store' } });
      fireEvent.change(screen.getByRole('combobox', { name: 'Level' }), { target: { value: 'error' } });
    });
    await waitFor(() => expect(Object.fromEntries(search())).toEqual({ service: 'store', level: 'error' }));
  });

  it('are read from a link', async () => {
    await openPage(`/app/admin/logs?request=${REQUEST}&session=s-1&order=asc`);
    expect(await messages()).toEqual(['the store does not answer']);
    expect(asked()).toMatchObject({ filter: { requestId: REQUEST, sessionId: 's-1' }, sortOrder: 'asc' });
  });

  it('offer the parts of the server as services', async () => {
    await openPage();
    await waitFor(() =>
      expect(
        within(screen.getByRole('combobox', { name: 'Service' }))
          .getAllByRole('option')
          .map(({ textContent }) => textContent),
      ).toEqual(['All services', ...SERVICES]),
    );
  });

  it('accept ranges that end now, and custom times', async () => {
    const { user, search } = await openPage();
    await cards();
    const time = screen.getByRole('combobox', { name: 'Time' });
    await user.selectOptions(time, 'Last hour');
    await waitFor(() => expect(asked().filter?.since).toBeDefined());
    expect(Date.now() - Date.parse(asked().filter?.since ?? '')).toBeLessThan(3_660_000);
    expect(search().get('range')).toBe('1h');
    await user.selectOptions(time, 'From … to …');
    const to = screen.getByLabelText('To');
    await user.clear(to);
    await user.type(to, '2026-11-21T10:00:05');
    await user.tab();
    await waitFor(() => expect(search().get('until')).toBe(new Date('2026-11-21T10:00:05').toISOString()));
  });

  it('find a user by name', async () => {
    const { user, search } = await openPage();
    await cards();
    await user.type(screen.getByRole('combobox', { name: 'User' }), 'ad');
    const option = await screen.findByRole('option', { name: 'Ada', hidden: true });
    expect(option.querySelector('[data-initial]')).not.toBeNull();
    await user.click(option);
    await waitFor(async () => expect(await messages()).toEqual(['the store does not answer']));
    expect(search().get('user')).toBe(ada.userId);
    expect(screen.getByRole('combobox', { name: 'User' })).toHaveValue('Ada');
  });
});

describe('the search', () => {
  const box = () => screen.getByRole('searchbox', { name: 'Search logs' });

  it('highlights matches, also where only the stack matches', async () => {
    const { user, search } = await openPage();
    await cards();
    await user.type(box(), 'STORE');
    await waitFor(() => expect(search().get('q')).toBe('STORE'));
    expect(await screen.findByText('store', { selector: 'mark' })).toBeInTheDocument();
    await user.clear(box());
    await user.type(box(), 'at apply');
    expect(await screen.findByText('at apply', { selector: 'mark' })).toBeInTheDocument();
  });

  it('finds a request by the id that an error showed', async () => {
    const { user, search } = await openPage('/app/admin/logs?level=debug');
    await user.click(box());
    await user.paste(`(Request ${REQUEST})`);
    await waitFor(() => expect(Object.fromEntries(search())).toEqual({ request: REQUEST, order: 'asc' }));
    expect(await messages()).toEqual(['the store does not answer']);
    expect(box()).toHaveValue('');
    await user.click(screen.getByRole('button', { name: 'Remove request filter' }));
    expect(await cards()).toHaveLength(10);
  });

  it('searches the texts for an id that is not a request’s', async () => {
    const game = '11111111-1111-4111-8111-111111111111';
    book.push(aRecord(24, { message: `game ${game} was joined` }));
    const { user, search } = await openPage();
    await user.click(box());
    await user.paste(game);
    await waitFor(() => expect(search().get('q')).toBe(game));
    await waitFor(async () => expect(await messages()).toEqual([`game ${game} was joined`]));
  });
});

describe('a record', () => {
  it('is shown in full, with links to related records', async () => {
    const { user, search, router } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'the store does not answer' }));
    const detail = await dialog('Log record');
    expect(search().get('record')).toBe('1-23');
    for (const text of [
      'too slow',
      '118',
      'at commit at apply',
      'server',
      'store',
      's-1',
      REQUEST,
      '1 of the 10 in the list',
    ]) {
      expect(within(detail).getByText(text)).toBeInTheDocument();
    }
    expect(await within(detail).findByText('Ada')).toBeInTheDocument();
    const linkOf = (name: string) =>
      within(detail).getByRole('link', { name }).getAttribute('href')?.replace('/app/admin/logs', '');
    expect(linkOf('Everything of this request')).toBe(`?request=${REQUEST}&order=asc`);
    expect(linkOf('Everything of this user')).toBe(`?user=${ada.userId}`);
    expect(linkOf('Everything of this session')).toBe('?session=s-1');
    await expectAccessible(detail);
    await user.click(within(detail).getByRole('link', { name: 'Everything of this request' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(await messages()).toEqual(['the store does not answer']);
    await act(() => router.navigate(-1));
    expect(await dialog('Log record')).toBeInTheDocument();
  });

  it('says what only a client claims', async () => {
    book.push(
      aRecord(24, {
        service: 'webapp',
        platform: 'ios',
        sessionId: 's-2',
        requestId: 'r-2',
        claimed: ['platform', 'sessionId', 'requestId'],
      }),
    );
    await openPage('/app/admin/logs?record=1-24');
    expect(within(await dialog('Log record')).getAllByText('claimed by the client')).toHaveLength(3);
  });

  it('is copied as JSON', async () => {
    const { user } = await openPage('/app/admin/logs?record=1-23');
    await user.click(await screen.findByRole('button', { name: 'Copy as JSON' }));
    expect(JSON.parse(await navigator.clipboard.readText())).toEqual(book.at(-1));
  });

  it('is opened by its link, whatever the list shows', async () => {
    await openPage('/app/admin/logs?record=1-3');
    const detail = await dialog('Log record');
    expect(await within(detail).findByText('record 3')).toBeInTheDocument();
  });

  it('may no longer exist', async () => {
    book = book.slice(10);
    await openPage('/app/admin/logs?record=1-3');
    expect(await screen.findByText('This record is gone: it was cleared or has expired.')).toBeInTheDocument();
  });
});

describe('the keyboard', () => {
  it('searches, moves through the list, and opens, steps through and closes records', async () => {
    const { user, search } = await openPage();
    await cards();
    await user.keyboard('/');
    expect(screen.getByRole('searchbox')).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(screen.getByRole('searchbox')).not.toHaveFocus();
    await user.keyboard('j');
    await waitFor(() => expect(screen.getByRole('button', { name: 'the store does not answer' })).toHaveFocus());
    await user.keyboard('j');
    await waitFor(() => expect(screen.getByRole('button', { name: 'record 22' })).toHaveFocus());
    await user.keyboard('j');
    await user.keyboard('k');
    await waitFor(() => expect(screen.getByRole('button', { name: 'record 22' })).toHaveFocus());
    await user.keyboard('{Enter}');
    const detail = await dialog('Log record');
    await user.keyboard('j');
    expect(await within(detail).findByText('record 21')).toBeInTheDocument();
    expect(search().get('record')).toBe('1-21');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(search().get('record')).toBeNull();
  });

  it('has a list of its keys, and can be switched off', async () => {
    const { user } = await openPage();
    await cards();
    await user.keyboard('?');
    const keys = await dialog('Keys');
    expect(within(keys).getByText('Pause and resume while live')).toBeInTheDocument();
    await user.click(within(keys).getByRole('switch', { name: 'Single keys' }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.keyboard('/');
    expect(screen.getByRole('searchbox')).not.toHaveFocus();
  });
});

describe('clearing the log', () => {
  it('shows how many records will be deleted, and can be cancelled', async () => {
    const { user } = await openPage();
    await cards();
    await user.click(screen.getByRole('button', { name: 'Clear All' }));
    const asking = await dialog('Clear All Logs');
    expect(within(asking).getByText('24 records')).toBeInTheDocument();
    await user.click(within(asking).getByRole('button', { name: 'Keep Logs' }));
    expect(book).toHaveLength(24);
    expect(calls.map(({ action }) => action)).not.toContain('clearLogs');
  });

  it('deletes all records and confirms it', async () => {
    const { user } = await openPage();
    await cards();
    await user.click(screen.getByRole('button', { name: 'Clear All' }));
    await user.click(within(await dialog('Clear All Logs')).getByRole('button', { name: 'Clear All' }));
    expect(await screen.findByText('24 records cleared.')).toBeInTheDocument();
    expect(await screen.findByText('No error logs found')).toBeInTheDocument();
  });

  it('shows why it failed', async () => {
    server.use(http.post('*/api/backend/logger', () => failure(503, { errorMessage: 'Not now.', requestId: 'r-1' })));
    const { user } = await openPage();
    await cards();
    await user.click(screen.getByRole('button', { name: 'Clear All' }));
    await user.click(within(await dialog('Clear All Logs')).getByRole('button', { name: 'Clear All' }));
    expect(await screen.findByText('Not now. (Request r-1)')).toBeInTheDocument();
  });
});

describe('the export', () => {
  it('is a file with a line for each matching record', async () => {
    const saved: Blob[] = [];
    const names: string[] = [];
    URL.createObjectURL = (blob) => `blob:${saved.push(blob as Blob)}`;
    URL.revokeObjectURL = () => undefined;
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const { user } = await openPage('/app/admin/logs?level=error');
    await cards();
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(names).toHaveLength(1));
    expect(names[0]).toMatch(/^morpion-logs-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.ndjson$/);
    expect(JSON.parse(await saved[0]!.text())).toEqual(book.at(-1));
    expect(saved[0]!.type).toBe('application/x-ndjson');
  });
});

describe('following live', () => {
  beforeEach(() => {
    // High enough for rows to be rendered.
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800);
  });
  afterEach(() => vi.restoreAllMocks());

  async function openLive(path = '/app/admin/logs?live=1') {
    const app = await openPage(path);
    await waitFor(() => expect(FakeSocket.all).not.toHaveLength(0));
    act(() => FakeSocket.last.open());
    await acknowledged();
    return app;
  }
  const subscriptions = () => FakeSocket.last.sent.filter(({ event }) => event === 'subscribeLogs');
  async function acknowledged() {
    await waitFor(() => expect(subscriptions().some(({ id }) => id !== undefined)).toBe(true));
    act(() =>
      FakeSocket.last.receive('ack', { succeeded: true }, subscriptions().findLast(({ id }) => id !== undefined)?.id),
    );
    await screen.findByText('Live', { selector: '[role=status]' });
  }
  const write = (over: Partial<LogEntry> = {}) => {
    const record = aRecord(book.length, over);
    book.push(record);
    act(() => FakeSocket.last.receive('logAppended', record));
  };
  const rows = () =>
    within(screen.getByRole('region', { name: 'Newest logs' }))
      .getAllByRole('button')
      .map(({ textContent }) => textContent);

  it('shows new records at the top', async () => {
    await openLive();
    await waitFor(() => expect(rows()[0]).toBe('the store does not answer error=too slow waiting=118'));
    write({ message: 'hot off the press' });
    await waitFor(() => expect(rows()[0]).toBe('hot off the press'));
    await expectAccessible();
  });

  it('does not move while paused, shows how many records wait, and continues', async () => {
    const { user } = await openLive();
    await waitFor(() => expect(rows().length).toBeGreaterThan(3));
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    expect(screen.getByText('Paused')).toBeInTheDocument();
    const [first] = rows();
    write();
    expect(await screen.findByRole('button', { name: '1 new record' })).toBeInTheDocument();
    write();
    await user.click(await screen.findByRole('button', { name: '2 new records' }));
    await waitFor(() => expect(rows().slice(0, 3)).toEqual(['record 25', 'record 24', first]));
    expect(screen.getByText('Live', { selector: '[role=status]' })).toBeInTheDocument();
  });

  it('does not move while scrolled down, until it is scrolled back to the top', async () => {
    await openLive();
    await waitFor(() => expect(rows().length).toBeGreaterThan(3));
    const sheet = screen.getByRole('region', { name: 'Newest logs' });
    fireEvent.scroll(sheet, { target: { scrollTop: 200 } });
    expect(screen.getByText('Paused')).toBeInTheDocument();
    write();
    expect(await screen.findByRole('button', { name: '1 new record' })).toBeInTheDocument();
    fireEvent.scroll(sheet, { target: { scrollTop: 0 } });
    expect(screen.getByText('Live', { selector: '[role=status]' })).toBeInTheDocument();
    expect(rows()[0]).toBe('record 24');
  });

  it('neither loses nor duplicates records when the connection is lost', async () => {
    await openLive();
    await waitFor(() => expect(rows().length).toBeGreaterThan(3));
    act(() => FakeSocket.last.close());
    expect(await screen.findByText('Reconnecting…')).toBeInTheDocument();
    book.push(aRecord(24), aRecord(25));
    act(() => void window.dispatchEvent(new Event('online')));
    act(() => FakeSocket.last.open());
    await acknowledged();
    write();
    await waitFor(() => expect(rows().slice(0, 3)).toEqual(['record 26', 'record 25', 'record 24']));
    expect(new Set(rows()).size).toBe(rows().length);
  });

  it('uses the same filters', async () => {
    await openLive('/app/admin/logs?live=1&level=error&q=store&until=2026-11-21T10:00:00Z&page=3');
    expect(subscriptions().at(-1)?.data).toEqual({ filter: { level: 'error', text: 'store' } });
    await waitFor(() => expect(rows()).toHaveLength(1));
  });

  it('starts and ends at a key, and notifies the server', async () => {
    const { user, search } = await openPage();
    await cards();
    act(() => FakeSocket.last.open());
    await user.keyboard('l');
    await acknowledged();
    expect(search().get('live')).toBe('1');
    await user.keyboard('p');
    expect(screen.getByText('Paused')).toBeInTheDocument();
    await user.keyboard('{Escape}');
    expect(await screen.findByText('Live', { selector: '[role=status]' })).toBeInTheDocument();
    await user.keyboard('l');
    expect(await cards()).toHaveLength(10);
    expect(subscriptions().at(-1)?.data).toEqual({ filter: { until: '1970-01-01T00:00:00Z' } });
  });

  it('does not move while a record is open', async () => {
    const { user } = await openLive();
    await user.click(await screen.findByRole('button', { name: /^the store does not answer/ }));
    const detail = await dialog('Log record');
    write();
    await user.keyboard('j');
    expect(await within(detail).findByText('record 22')).toBeInTheDocument();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: '1 new record' })).toBeInTheDocument();
  });

  it('starts over after the log was cleared', async () => {
    const { user } = await openLive();
    await waitFor(() => expect(rows().length).toBeGreaterThan(3));
    await user.click(screen.getByRole('button', { name: 'Clear All' }));
    await user.click(within(await dialog('Clear All Logs')).getByRole('button', { name: 'Clear All' }));
    await screen.findByText('24 records cleared.');
    await acknowledged();
    expect(await screen.findByText('New ones appear here as they are written.')).toBeInTheDocument();
  });

  it('shows why the server refuses, and can be retried', async () => {
    const { user } = await openPage('/app/admin/logs?live=1');
    await waitFor(() => expect(FakeSocket.all).not.toHaveLength(0));
    act(() => FakeSocket.last.open());
    await waitFor(() => expect(subscriptions()).toHaveLength(1));
    const refusal = { succeeded: false, errorMessage: 'Too many follow the log already.', errorCode: 'unavailable' };
    act(() => FakeSocket.last.receive('ack', refusal, subscriptions()[0]?.id));
    expect(await screen.findByText('Too many follow the log already.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await acknowledged();
  });
});

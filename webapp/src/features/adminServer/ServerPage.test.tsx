import { notifications } from '@mantine/notifications';
import { cleanup, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { actions, answer, server } from '@/testing/server';
import { ageText, bytesText } from './serverFormat';
// Imported here, so that loading does not count towards the time-out of the first test.
import './ServerPage';

beforeEach(() => notifications.clean());

describe('the server page', () => {
  it('makes a backup, shows its age, and verifies it', async () => {
    const { user } = renderWithMockServer('/app/admin/server', { asAdmin: true });
    expect(await screen.findByText('None yet')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Back Up Now' }));
    expect(await screen.findByText('less than a minute ago')).toBeInTheDocument();
    const list = within(await screen.findByRole('list', { name: 'Backups' }));
    await user.click(list.getByRole('button', { name: /^Verify the backup/ }));
    expect(await screen.findByText(/was restored and is good/)).toBeInTheDocument();
    await expectAccessible();
  });

  it('has the steps that are open, and which are done', async () => {
    renderWithMockServer('/app/admin/server', { asAdmin: true });
    const steps = within(await screen.findByRole('region', { name: 'First Steps' })).getAllByRole('listitem');
    expect(steps.map(({ textContent }) => /^(.*?) \((done|open)\)/.exec(textContent)?.slice(1))).toEqual([
      ['An address that others can open', 'open'],
      ['Email', 'open'],
      ['Backups', 'done'],
      ['The first event', 'done'],
    ]);
  });

  it('says that nothing can be drawn just after a start', async () => {
    renderWithMockServer('/app/admin/server', { asAdmin: true });
    expect(await screen.findByText(/there is nothing to draw yet/)).toBeInTheDocument();
  });
});

describe('home', () => {
  it('shows an admin the first steps only while there is no event', async () => {
    const { mock } = renderWithMockServer('/app/home', { asAdmin: true });
    expect(await screen.findByRole('heading', { name: /^Welcome/ })).toBeInTheDocument();
    expect(mock.events.all().length).toBeGreaterThan(0);
    expect(screen.queryByRole('region', { name: 'First Steps' })).not.toBeInTheDocument();
  });

  it('shows them on a new server, and to nobody else', async () => {
    const none = { currentPage: 1, limit: 1, totalCount: 0, hasPrevPage: false, hasNextPage: false };
    const { handlers } = actions('event', { list_events: () => answer({ events: [], pagination: none }) });
    renderWithMockServer('/app/home', { asAdmin: true });
    server.use(...handlers);
    expect(await screen.findByRole('region', { name: 'First Steps' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Plan a tournament' })).toHaveAttribute('href', '/app/admin/events');
    await expectAccessible();
    cleanup();
    renderWithMockServer('/app/home');
    server.use(...handlers);
    expect(await screen.findByRole('heading', { name: /^Welcome/ })).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'First Steps' })).not.toBeInTheDocument();
  });
});

describe('figures', () => {
  it.each([
    ['2026-01-01T00:00:30Z', 'less than a minute'],
    ['2026-01-01T00:01:59Z', '1 minute'],
    ['2026-01-01T01:59:00Z', '119 minutes'],
    ['2026-01-01T02:00:00Z', '2 hours'],
    ['2026-01-03T00:00:00Z', '2 days'],
  ])('of time until %s are %s', (until, text) => expect(ageText('2026-01-01T00:00:00Z', until)).toBe(text));

  it.each([
    [0, '0 bytes'],
    [1023, '1023 bytes'],
    [4_194_304, '4.0 MiB'],
    [161_061_273_600, '150 GiB'],
  ])('of %d bytes are %s', (bytes, text) => expect(bytesText(bytes)).toBe(text));
});

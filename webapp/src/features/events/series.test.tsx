import { screen, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '@/api/events';
import type { Series } from '@/api/series';
import { anEvent } from '@/shared/eventDesk/testing/anEvent';
import { expectAccessible } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { actions, answer, failure, server } from '@/testing/server';
// Imported here, so that loading does not count towards the time-out of the first test.
import './SeriesListPage';
import './SeriesPage';

const ONE_PAGE = { currentPage: 1, limit: 20, totalCount: 1, hasPrevPage: false, hasNextPage: false };

const league = (changes: Partial<Series> = {}): Series => ({
  seriesId: 's1',
  name: 'Friday League',
  description: 'Every week.',
  durationMinutes: 120,
  firstStart: '2027-03-05T19:00',
  timeZone: 'Europe/Berlin',
  rule: 'FREQ=WEEKLY;BYDAY=FR',
  points: [10, 6],
  daysAhead: 28,
  nextDates: [{ date: '2027-03-26', startsAt: '2027-03-26T18:00:00Z' }],
  createdAt: '2027-01-01T00:00:00Z',
  updatedAt: '2027-01-01T00:00:00Z',
  ...changes,
});

const row = { rank: 1, userId: 'u1', username: 'ada', displayName: 'Ada', points: 16, events: 2, firsts: 1 };

let series: Series;
let upcoming: Event[];
let past: Event[];

beforeEach(() => {
  series = league();
  upcoming = [anEvent({ eventId: 'e1', title: 'Next Friday', eventState: 'published', seriesId: 's1' })];
  past = ['a', 'b', 'c', 'd'].map((eventId) => anEvent({ eventId, title: `Past ${eventId}`, eventState: 'ended' }));
  server.use(
    http.get('*/api/auth/check-login', () => answer({ isLogIn: false })),
    ...actions('series', {
      list_series: () => answer({ series: [series], pagination: ONE_PAGE } as never),
      get_series: ({ seriesId }) =>
        seriesId === 's1'
          ? answer({ series, upcoming, past } as never)
          : failure(404, { errorMessage: 'Series not found.' }),
      get_series_table: () => answer({ rows: [row], countedEvents: 2, pagination: ONE_PAGE } as never),
    }).handlers,
  );
});

describe('series, for visitors', () => {
  it('are listed with their schedule and lead to their page', async () => {
    const { container } = renderApp('/app/series');
    const card = await screen.findByRole('article', { name: 'Friday League' });
    expect(within(card).getByText('Every Friday, at 19:00 (Europe/Berlin)')).toBeVisible();
    expect(within(card).getByRole('link', { name: 'View Series' })).toHaveAttribute('href', '/app/series/s1');
    await expectAccessible(container);
  });

  it('show what comes, the table, what was, and how to subscribe', async () => {
    const { container, user } = renderApp('/app/series/s1');
    await screen.findByRole('heading', { name: 'Friday League' });
    expect(screen.getByRole('article', { name: 'Next Friday' })).toBeVisible();
    const table = await screen.findByRole('table');
    expect(within(table).getByRole('row', { name: /1.*Ada.*16.*2.*1/ })).toBeVisible();
    expect(screen.getByText(/10, 6\. 2 events so far/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Subscribe' })).toHaveAttribute(
      'href',
      `${window.location.origin.replace('http:', 'webcal:')}/api/backend/events/series/s1/calendar.ics`,
    );
    expect(screen.queryByRole('article', { name: 'Past d' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show the last 4' }));
    expect(screen.getByRole('article', { name: 'Past d' })).toBeVisible();
    await expectAccessible(container);
  });

  it('say that they have ended', async () => {
    series = league({ endedAt: '2027-02-01T00:00:00Z', nextDates: [] });
    upcoming = [];
    renderApp('/app/series/s1');
    expect(await screen.findByText('This series has ended.')).toBeVisible();
    expect(screen.getByText('No more events are planned.')).toBeVisible();
  });

  it('say that there is no such series', async () => {
    renderApp('/app/series/other');
    expect(await screen.findByRole('alert')).toHaveTextContent('Series not found.');
    expect(screen.getByRole('link', { name: 'See all series' })).toHaveAttribute('href', '/app/series');
  });
});

describe('an event of a series', () => {
  it('leads to it', async () => {
    server.use(
      ...actions('event', { get_event_by_id: () => answer({ event: upcoming[0] } as never) }).handlers,
      ...actions('eventSignUp', {}).handlers,
    );
    renderApp('/app/events/view/e1');
    const link = await screen.findByRole('link', { name: 'Friday League' });
    expect(link).toHaveAttribute('href', '/app/series/s1');
  });
});

import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Series } from '@/api/series';
import { anEvent } from '@/shared/eventDesk/testing/anEvent';
import { expectAccessible } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, failure, server } from '@/testing/server';
// Imported here, so that loading does not count towards the time-out of the first test.
import './AdminSeriesPage';
import './EditSeriesPage';
import './NewSeriesPage';

const NO_PAGES = { currentPage: 1, limit: 100, totalCount: 1, hasPrevPage: false, hasNextPage: false };

const league: Series = {
  seriesId: 's1',
  name: 'Friday League',
  description: '',
  durationMinutes: 120,
  firstStart: '2027-03-05T19:00',
  timeZone: 'Europe/Berlin',
  rule: 'FREQ=WEEKLY;BYDAY=FR',
  points: [10, 6],
  daysAhead: 28,
  nextDates: [{ date: '2027-03-26', startsAt: '2027-03-26T18:00:00Z' }],
  createdAt: '2027-01-01T00:00:00Z',
  updatedAt: '2027-01-01T00:00:00Z',
  template: anEvent({ eventId: 's1', title: 'Friday Night' }),
};

let calls: ReturnType<typeof actions>['calls'];
let hasEvents: boolean;

beforeEach(() => {
  hasEvents = true;
  const { calls: made, handlers } = actions('series', {
    list_series: ({ ended }) => answer({ series: ended === true ? [] : [league], pagination: NO_PAGES } as never),
    get_series: () =>
      answer({
        series: league,
        upcoming: hasEvents ? [anEvent({ eventId: 'e1', title: 'Friday Night', eventState: 'published' })] : [],
        past: [],
      } as never),
    preview_series: ({ rule }) =>
      rule === 'FREQ=HOURLY'
        ? failure(422, {
            errorMessage: 'The rule repeats at most daily.',
            fieldErrors: { rule: 'The rule repeats at most daily.' },
          })
        : answer({ dates: league.nextDates } as never),
    create_series: () => answer({ series: league } as never),
    update_series: () => answer({ series: league } as never),
    end_series: () => answer({ series: { ...league, endedAt: '2027-02-01T00:00:00Z' } } as never),
    delete_series: () => answer({}),
  });
  calls = made;
  server.use(
    http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada, isAdmin: true } })),
    http.post('*/api/auth/secure/token/refresh', () => answer({})),
    ...handlers,
  );
});

const payloadOf = (action: string) => calls.find((call) => call.action === action)?.payload;

describe('series, for admins', () => {
  it('are listed', async () => {
    const { container } = renderApp('/app/admin/series');
    const list = await screen.findByRole('list', { name: 'Running series' });
    expect(within(list).getByRole('link', { name: 'Friday League' })).toHaveAttribute('href', '/app/admin/series/s1');
    expect(screen.getByRole('link', { name: 'New Series' })).toHaveAttribute('href', '/app/admin/series/new');
    await expectAccessible(container);
  });

  it('are made with usual schedules, whose dates the server tells', async () => {
    const { container, user } = renderApp('/app/admin/series/new');
    await user.type(await screen.findByRole('textbox', { name: /Name/ }), 'Friday League');
    fireEvent.change(screen.getByLabelText(/First start/), { target: { value: '2027-03-05T19:00' } });
    await user.selectOptions(screen.getByLabelText('Time zone'), 'Europe/Berlin');
    await user.selectOptions(screen.getByLabelText('How often'), 'Every month, on the first Friday');
    const preview = screen.getByRole('heading', { name: 'Next dates' }).parentElement;
    expect(await within(preview as HTMLElement).findByText(/Mar 26, 2027.*7:00/)).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: /Title/ }), 'Friday Night');
    await expectAccessible(container);
    await user.click(screen.getByRole('button', { name: 'Create Series' }));
    await waitFor(() => expect(payloadOf('create_series')).toBeDefined());
    expect(payloadOf('create_series')).toMatchObject({
      name: 'Friday League',
      firstStart: '2027-03-05T19:00',
      timeZone: 'Europe/Berlin',
      rule: 'FREQ=MONTHLY;BYDAY=1FR',
      durationMinutes: 120,
      daysAhead: 28,
      points: [10, 7, 5, 3, 2, 1],
      template: { title: 'Friday Night', eventType: 'open', maxLosses: 3 },
    });
    expect(await screen.findByRole('heading', { name: 'Friday League' })).toBeVisible();
  });

  it('say what is missing, and what the server refuses of a rule', async () => {
    const { user } = renderApp('/app/admin/series/new');
    await user.click(await screen.findByRole('button', { name: 'Create Series' }));
    expect(screen.getByRole('alert')).toHaveTextContent('The series needs a name.');
    expect(calls.some(({ action }) => action === 'create_series')).toBe(false);
    fireEvent.change(screen.getByLabelText(/First start/), { target: { value: '2027-03-05T19:00' } });
    await user.selectOptions(screen.getByLabelText('How often'), 'By a rule of my own');
    fireEvent.change(screen.getByRole('textbox', { name: /Rule/ }), { target: { value: 'FREQ=HOURLY' } });
    expect(await screen.findByText('The rule repeats at most daily.')).toBeVisible();
  });

  it('are changed for events to come, and only in what was changed', async () => {
    const { user } = renderApp('/app/admin/series/s1');
    const points = await screen.findByRole('textbox', { name: /Points/ });
    expect(screen.getByText(/Existing events stay as they are/)).toBeVisible();
    await user.clear(points);
    await user.type(points, '3, 2, 1');
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(payloadOf('update_series')).toEqual({ seriesId: 's1', points: [3, 2, 1] }));
  });

  it('end after a question', async () => {
    const { user } = renderApp('/app/admin/series/s1');
    await user.click(await screen.findByRole('button', { name: 'End Series' }));
    const dialog = await screen.findByRole('dialog', { name: 'End this series?' });
    expect(screen.queryByRole('button', { name: 'Delete Series' })).toBeNull();
    await user.click(within(dialog).getByRole('button', { name: 'End Series' }));
    await waitFor(() => expect(payloadOf('end_series')).toEqual({ seriesId: 's1' }));
  });

  it('are deleted if they made no event', async () => {
    hasEvents = false;
    const { user } = renderApp('/app/admin/series/s1');
    await user.click(await screen.findByRole('button', { name: 'Delete Series' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete this series?' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete Series' }));
    await waitFor(() => expect(payloadOf('delete_series')).toEqual({ seriesId: 's1' }));
    expect(await screen.findByRole('heading', { name: 'Manage Series' })).toBeVisible();
  });
});

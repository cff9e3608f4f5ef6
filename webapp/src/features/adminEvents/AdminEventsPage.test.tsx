import { act, screen, waitFor, within } from '@testing-library/react';
import { delay, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event, EventState } from '@/api/events';
import { expectAccessible } from '@/testing/axe';
import { FakeSocket } from '@/testing/FakeSocket';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, failure, server } from '@/testing/server';
import { anEvent } from '@/shared/eventDesk/testing/anEvent';
// Imported here, so that loading does not count towards the time-out of the first test.
import './AdminEventsPage';

let events: Event[];
let calls: ReturnType<typeof actions>['calls'];

const admin = [
  http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada, isAdmin: true } })),
  http.post('*/api/auth/secure/token/refresh', () => answer({})),
];

/** The server's list, filtered and paged as in the contract. */
function listed({ filter = {}, page = 1, limit = 20 }: Record<string, unknown>) {
  const { eventState, text = '' } = filter as { eventState?: EventState[]; text?: string };
  const found = events.filter(
    (event) =>
      (eventState === undefined || eventState.includes(event.eventState)) &&
      `${event.title} ${event.description}`.toLowerCase().includes(text.toLowerCase()),
  );
  const start = (Number(page) - 1) * Number(limit);
  return answer({
    events: found.slice(start, start + Number(limit)) as never,
    pagination: {
      currentPage: Number(page),
      limit: Number(limit),
      totalCount: found.length,
      hasPrevPage: Number(page) > 1,
      hasNextPage: start + Number(limit) < found.length,
    },
  });
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  events = [
    anEvent({ eventId: 'd', title: 'Draft Cup' }),
    anEvent({ eventId: 'p', title: 'Spring Cup', eventState: 'published', description: 'In the park.' }),
    anEvent({ eventId: 's', title: 'Live Cup', eventState: 'started', signupCount: 12 }),
    anEvent({ eventId: 's2', title: 'Other Live Cup', eventState: 'started' }),
    anEvent({ eventId: 'e', title: 'Old Cup', eventState: 'ended' }),
    anEvent({ eventId: 'c', title: 'Rained Off', eventState: 'cancelled' }),
  ];
  const { calls: made, handlers } = actions('event', {
    list_events: listed,
    create_event: (payload) => answer({ event: anEvent({ ...payload, eventId: 'new' }) as never }),
    get_event_by_id: ({ eventId }) => answer({ event: anEvent({ eventId: eventId as string }) as never }),
  });
  calls = made;
  server.use(
    ...admin,
    ...handlers,
    ...actions('eventSignUp', { list_signups_for_event: () => answer({ signups: [], pagination: NO_PAGES }) }).handlers,
  );
});

const NO_PAGES = { currentPage: 1, limit: 100, totalCount: 0, hasPrevPage: false, hasNextPage: false };

async function openList(path = '/app/admin/events') {
  const app = renderApp(path);
  await screen.findByRole('heading', { name: 'Manage Events' });
  return app;
}

const titles = () =>
  within(screen.getByRole('list', { name: 'Events' }))
    .getAllByRole('heading')
    .map(({ textContent }) => textContent);

describe('the list', () => {
  it('counts all, published, live and ended events', async () => {
    await openList();
    const total = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling;
    await waitFor(() => expect(total('Total')).toHaveTextContent(/^5$/));
    expect(total('Published')).toHaveTextContent(/^1$/);
    expect(total('Live')).toHaveTextContent(/^2$/);
    expect(total('Ended')).toHaveTextContent(/^1$/);
  });

  it('shows a summary of each event, with a link to it', async () => {
    const { user, at } = await openList();
    const card = (await screen.findByRole('link', { name: 'Live Cup' })).closest('li')!;
    expect(within(card).getByText('Live')).toBeInTheDocument();
    expect(within(card).getByText('Starts')).toBeInTheDocument();
    expect(within(card).getByText('Format').nextElementSibling).toHaveTextContent('Arena');
    expect(within(card).getByText('Ends')).toBeInTheDocument();
    expect(within(card).getByText('12')).toBeInTheDocument();
    await user.click(within(card).getByRole('link'));
    await waitFor(() => expect(at()).toBe('/app/admin/events/s'));
  });

  it('names the states Draft, Published, Live and Ended', async () => {
    await openList();
    await screen.findByRole('link', { name: 'Draft Cup' });
    const list = within(screen.getByRole('list', { name: 'Events' }));
    for (const [name, count] of [
      ['Draft', 1],
      ['Published', 1],
      ['Live', 2],
      ['Ended', 1],
    ] as const) {
      expect(list.getAllByText(name)).toHaveLength(count);
    }
  });

  it('shows the time zone of its times', async () => {
    await openList();
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(await screen.findByText(new RegExp(`^Times are in ${zone} \\(UTC`))).toBeInTheDocument();
  });

  it('is searched by title and description; the search is in the URL', async () => {
    const { user, router } = await openList();
    await user.click(screen.getByRole('searchbox', { name: 'Search events' }));
    await user.paste('park');
    await waitFor(() => expect(titles()).toEqual(['Spring Cup']));
    expect(router.state.location.search).toBe('?q=park');
    const texts = calls.map(({ payload }) => (payload.filter as { text?: string }).text);
    expect(texts.filter((text) => text !== undefined)).toEqual(['park']);
  });

  it.each([
    ['All', '', 5],
    ['Draft', '?status=draft', 1],
    ['Published', '?status=published', 1],
    ['Live', '?status=live', 2],
    ['Ended', '?status=ended', 1],
    ['Cancelled', '?status=cancelled', 1],
  ])('is filtered by status: %s', async (name, search, count) => {
    const { user, router } = await openList('/app/admin/events?status=nonsense');
    await screen.findByRole('list', { name: 'Events' });
    await user.click(screen.getByRole('radio', { name }));
    await waitFor(() => expect(titles()).toHaveLength(count));
    if (name !== 'All') expect(router.state.location.search).toBe(search);
  });

  it('reads search, filter and page from the URL', async () => {
    events = Array.from({ length: 30 }, (_, at) => anEvent({ eventId: `e${at}`, title: `Cup ${at}` }));
    const { user, router } = await openList('/app/admin/events?q=cup&status=draft&page=2');
    await waitFor(() => expect(titles()).toHaveLength(6));
    expect(screen.getByRole('searchbox')).toHaveValue('cup');
    expect(screen.getByRole('radio', { name: 'Draft' })).toBeChecked();
    expect(screen.getByText('Page 2 of 2')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    await waitFor(() => expect(router.state.location.search).toBe('?q=cup&status=draft'));
    await waitFor(() => expect(titles()).toHaveLength(24));
  });

  it('takes two changes that come before it shows the first', async () => {
    events = Array.from({ length: 30 }, (_, at) => anEvent({ eventId: `e${at}`, title: `Cup ${at}` }));
    const { router } = await openList();
    await screen.findByText('Page 1 of 2');
    act(() => {
      screen.getByRole('radio', { name: 'Draft' }).click();
      screen.getByRole('button', { name: 'Next' }).click();
    });
    await waitFor(() => expect(router.state.location.search).toBe('?status=draft&page=2'));
  });

  it('shows when there are no events, and when none match', async () => {
    events = [];
    const { user } = await openList();
    expect(await screen.findByText('No events yet. Create the first one.')).toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: 'Live' }));
    expect(await screen.findByText('No event fits this search.')).toBeInTheDocument();
  });

  it('shows Loading events... while it loads', async () => {
    server.use(http.get('*/api/backend/event', () => delay('infinite')));
    await openList();
    expect(await screen.findByText('Loading events...')).toBeInTheDocument();
  });

  it('shows why it could not be loaded, and can be retried', async () => {
    server.use(http.get('*/api/backend/event', () => failure(500, { errorMessage: 'The store is asleep.' })));
    const { user } = await openList();
    expect(await screen.findByText('The store is asleep.')).toBeInTheDocument();
    server.use(...actions('event', { list_events: listed }).handlers);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(titles()).toHaveLength(5));
  });

  it('updates when an event changes', async () => {
    await openList();
    await screen.findByRole('link', { name: 'Spring Cup' });
    events = events.map((event) => (event.eventId === 'p' ? { ...event, eventState: 'started' } : event));
    FakeSocket.last.open();
    FakeSocket.last.receive('eventStateChanged', { eventId: 'p', eventState: 'started' });
    await waitFor(() =>
      expect(within(screen.getByRole('list', { name: 'Events' })).getAllByText('Live')).toHaveLength(3),
    );
  });

  it('has no accessibility violations', async () => {
    await openList();
    await screen.findByRole('link', { name: 'Draft Cup' });
    await expectAccessible();
  });
});

describe('creating an event', () => {
  async function openDialog() {
    const app = await openList();
    await app.user.click(screen.getByRole('button', { name: 'Create Event' }));
    return { ...app, dialog: within(await screen.findByRole('dialog', { name: 'Create Event' })) };
  }

  it('requires a title', async () => {
    const { user, dialog } = await openDialog();
    await user.type(dialog.getByLabelText(/Title/), '   ');
    await user.click(dialog.getByRole('button', { name: 'Create Event' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Event title is required.');
    expect(dialog.getByLabelText(/Title/)).toBeInvalid();
    expect(calls.some(({ action }) => action === 'create_event')).toBe(false);
  });

  it('creates an open draft and opens it', async () => {
    const { user, dialog, at } = await openDialog();
    expect(dialog.getByRole('radio', { name: 'Open' })).toBeChecked();
    await user.type(dialog.getByLabelText(/Title/), ' Winter Cup ');
    await user.type(dialog.getByLabelText('Description'), ' Warm inside. ');
    await user.type(dialog.getByLabelText('Prize'), ' Tea ');
    await user.click(dialog.getByRole('button', { name: 'Create Event' }));
    await waitFor(() => expect(at()).toBe('/app/admin/events/new'));
    expect(calls.find(({ action }) => action === 'create_event')?.payload).toEqual({
      title: 'Winter Cup',
      description: 'Warm inside.',
      prize: 'Tea',
      eventType: 'open',
      eventState: 'drafted',
      maxLosses: 3,
    });
  });

  it('shows the fields of the format that is chosen, and sends them', async () => {
    const { user, dialog } = await openDialog();
    await user.type(dialog.getByLabelText(/Title/), 'Cup');
    const format = within(dialog.getByRole('group', { name: 'Format' }));
    expect(format.getByRole('radio', { name: /^Arena/ })).toBeChecked();
    expect(dialog.getByLabelText('Losses until eliminated')).toBeInTheDocument();
    expect(dialog.queryByRole('group', { name: 'Board' })).not.toBeInTheDocument();

    await user.click(format.getByRole('radio', { name: /^Knockout/ }));
    expect(dialog.queryByLabelText('Losses until eliminated')).not.toBeInTheDocument();
    expect(dialog.getByLabelText('Play for third place')).toBeInTheDocument();
    expect(dialog.getByText(/^8 players play 3 rounds in about 13 minutes/)).toBeInTheDocument();

    await user.click(format.getByRole('radio', { name: /^Round robin/ }));
    expect(dialog.queryByLabelText('Play for third place')).not.toBeInTheDocument();
    expect(dialog.getByLabelText('Everybody meets everybody twice')).toBeInTheDocument();
    expect(dialog.getByText('Anybody may register until it starts.')).toBeInTheDocument();

    await user.click(format.getByRole('radio', { name: /^Swiss/ }));
    expect(dialog.getByPlaceholderText('By the number of players')).toHaveValue('');
    await user.type(dialog.getByLabelText('Rounds'), '5');
    await user.click(dialog.getByRole('radio', { name: '4×4' }));
    await user.click(dialog.getByRole('radio', { name: 'One' }));
    const clock = within(dialog.getByRole('group', { name: 'Clock' }));
    expect(clock.getByRole('radio', { name: /^15 s a turn/ })).toBeChecked();
    await user.click(clock.getByRole('radio', { name: /^1 min \+ 2 s/ }));
    await expectAccessible();
    await user.click(dialog.getByRole('button', { name: 'Create Event' }));
    await waitFor(() =>
      expect(calls.find(({ action }) => action === 'create_event')?.payload).toEqual({
        title: 'Cup',
        eventType: 'open',
        eventState: 'drafted',
        clock: '1+2',
        format: 'swiss',
        rounds: 5,
        boardSize: 4,
        matchGames: 1,
      }),
    );
  });

  it('sends the picked times in UTC and shows the zone they are picked in', async () => {
    const { user, dialog } = await openDialog();
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(dialog.getAllByText(new RegExp(`^Time zone: ${zone} \\(UTC`))).toHaveLength(2);
    expect(dialog.getByRole('button', { name: '+30 min' })).toBeDisabled();
    await user.type(dialog.getByLabelText(/Title/), 'Cup');
    await user.click(dialog.getByRole('button', { name: 'Start time' }));
    const today = new Date();
    const name = `${today.getDate()} ${today.toLocaleDateString('en', { month: 'long' })} ${today.getFullYear()}`;
    // Without a layout the calendar's position is unknown, and it counts as hidden.
    await user.click(await screen.findByRole('button', { name, hidden: true }));
    await user.click(screen.getByRole('button', { name: 'Use this time', hidden: true }));
    await user.click(dialog.getByRole('button', { name: '+30 min' }));
    await user.click(dialog.getByRole('button', { name: 'Create Event' }));
    const at = (hours: number, minutes: number) =>
      new Date(today.getFullYear(), today.getMonth(), today.getDate(), hours, minutes)
        .toISOString()
        .replace('.000Z', 'Z');
    await waitFor(() =>
      expect(calls.find(({ action }) => action === 'create_event')?.payload).toMatchObject({
        startTime: at(12, 0),
        endTime: at(12, 30),
      }),
    );
  });

  it.each([
    [
      'the server’s words',
      () => failure(409, { errorMessage: 'There are too many drafts.' }),
      'There are too many drafts.',
    ],
    [
      'what is wrong with a field',
      () => failure(422, { errorMessage: 'Invalid.', fieldErrors: { prize: 'The prize is too long.' } }),
      'The prize is too long.',
    ],
    ['its own words', () => failure(500), 'Failed to create event. Please try again.'],
  ])('shows in its error box why it failed: %s', async (_name, respond, text) => {
    server.use(...actions('event', { list_events: listed, create_event: respond }).handlers);
    const { user, dialog, at } = await openDialog();
    await user.type(dialog.getByLabelText(/Title/), 'Cup');
    await user.click(dialog.getByRole('button', { name: 'Create Event' }));
    await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent(text));
    expect(at()).toBe('/app/admin/events');
    expect(dialog.getByLabelText(/Title/)).toHaveValue('Cup');
  });

  it('keeps the input when Escape is pressed by mistake', async () => {
    const { user, dialog } = await openDialog();
    await user.type(dialog.getByLabelText(/Title/), 'Cup{Escape}');
    expect(dialog.getByLabelText(/Title/)).toHaveValue('Cup');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('has no accessibility violations', async () => {
    await openDialog();
    await expectAccessible();
  });
});

import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { delay, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event, EventState, Signup } from '@/api/events';
import { expectAccessible } from '@/testing/axe';
import { FakeSocket } from '@/testing/FakeSocket';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, bob, failure, gameWithBob, server } from '@/testing/server';
import { aSignUp, anEvent } from '@/shared/eventDesk/testing/anEvent';
// Imported here, so that loading does not count towards the time-out of the first test.
import './AdminEventPage';

let event: Event;
let signUps: Signup[];
let players: Record<string, unknown>[];
let verdict: Record<string, unknown>;
let eventCalls: ReturnType<typeof actions>['calls'];
let signUpCalls: ReturnType<typeof actions>['calls'];
/** Standings that were corrected. */
let corrections: Record<string, unknown>[];
let added: Record<string, unknown>[];
/** Writes that do not succeed, with their responses. */
let refusals: Record<string, () => Response>;

function page<T>(rows: T[], { page = 1, limit = 20 }: Record<string, unknown>) {
  const start = (Number(page) - 1) * Number(limit);
  return {
    rows: rows.slice(start, start + Number(limit)) as never,
    pagination: {
      currentPage: Number(page),
      limit: Number(limit),
      totalCount: rows.length,
      hasPrevPage: start > 0,
      hasNextPage: start + Number(limit) < rows.length,
    },
  };
}

const named = (userId: string, username: string) => ({ userId, username, displayName: username });

/** A write that changes the event. */
function changed(over: Partial<Event>) {
  event = { ...event, ...over };
  return answer({ event: event as never });
}

/** A write that takes the event to a state. */
const going = (action: string, eventState: EventState) => () => {
  const refusal = refusals[action];
  if (refusal !== undefined) return refusal();
  event = { ...event, eventState };
  return answer({ event: event as never });
};

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  // Responses of one test must not reach the next.
  notifications.clean();
  // Without a layout nothing has a height, and a list without height renders no rows.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400);
  event = anEvent();
  signUps = [];
  players = [];
  verdict = { agrees: true, games: 7, players: 4, differences: [], corrections: [], acts: [] };
  refusals = {};
  corrections = [];
  added = [];
  const ofEvent = actions('event', {
    get_event_by_id: () => answer({ event: event as never }),
    list_events: (payload) => {
      const { rows: events, pagination } = page([event], payload);
      return answer({ events, pagination });
    },
    update_event: ({ eventId: _id, ...changes }) => {
      if (refusals.update_event !== undefined) return refusals.update_event();
      event = { ...event, ...changes };
      return answer({ event: event as never });
    },
    start_event: going('start_event', 'started'),
    end_event: going('end_event', 'ended'),
    extend_event: ({ endTime }) => refusals.extend_event?.() ?? changed({ endTime: String(endTime) }),
    cancel_event: going('cancel_event', 'cancelled'),
    delete_event: () => refusals.delete_event?.() ?? answer({}),
    verify_event: () => answer(verdict as never),
    reopen_event: () => changed({ concluded: false, winners: [] }),
    conclude_event: () => changed({ concluded: true, winners: [{ ...bob, level: 2, wins: 1 }] }),
    duplicate_event: () => {
      event = { ...event, eventId: 'e2', title: `${event.title} (copy)`, eventState: 'drafted' };
      return answer({ event: event as never });
    },
    announce: ({ message }) =>
      refusals.announce?.() ??
      changed({ announcements: [...event.announcements, { message: String(message), at: '2027-01-02T11:00:00Z' }] }),
    check_in_player: ({ userId, checkedIn }) => {
      if (refusals.check_in_player !== undefined) return refusals.check_in_player();
      signUps = signUps.map((each) => (each.userId === userId ? { ...each, checkedIn: checkedIn === true } : each));
      return changed({ checkedInCount: signUps.filter((each) => each.checkedIn === true).length });
    },
    remove_participant: ({ userId }) => {
      signUps = signUps.map((each) => (each.userId === userId ? { ...each, status: 'removed' } : each));
      return answer({});
    },
  });
  const ofSignUps = actions('eventSignUp', {
    list_signups_for_event: (payload) => {
      const { rows: signups, pagination } = page(signUps, payload);
      return answer({ signups, pagination });
    },
  });
  eventCalls = ofEvent.calls;
  signUpCalls = ofSignUps.calls;
  const pair = [bob, { userId: 'c', username: 'carl', displayName: 'carl' }];
  const game = gameWithBob({ gameType: 'event', eventId: 'e1', players: pair });
  server.use(
    http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada, isAdmin: true } })),
    http.post('*/api/auth/secure/token/refresh', () => answer({})),
    ...ofEvent.handlers,
    ...ofSignUps.handlers,
    ...actions('player', {
      get_leaderboard: (payload) => {
        const { rows, pagination } = page(players, payload);
        return answer({ players: rows, pagination });
      },
      check_player_for_event: () => answer({ isEliminated: false }),
      create_player: (payload) => {
        const refusal = refusals.create_player?.();
        if (refusal !== undefined) return refusal;
        added.push(payload);
        signUps = [...signUps, aSignUp(999, { username: 'zoe', displayName: 'Zoe' })];
        return answer({ player: { ...bob, username: 'zoe', displayName: 'Zoe', eventId: 'e1' } as never });
      },
      update_player: (payload) => {
        corrections.push(payload);
        return refusals.update_player?.() ?? answer({});
      },
    }).handlers,
    ...actions('game', {
      get_games_by_event: (payload) => {
        const { rows: games, pagination } = page(
          [{ ...game, status: 'completed', reason: 'line', winnerUserId: bob.userId }],
          payload,
        );
        return answer({ games, pagination });
      },
      spectatable_games: () => {
        const { rows: games, pagination } = page([game], {});
        return answer({ games, pagination });
      },
    }).handlers,
  );
});

async function openEvent(path = '/app/admin/events/e1') {
  const app = renderApp(path);
  await screen.findByRole('heading', { name: event.title });
  return app;
}

const actionsCard = () => within(screen.getByRole('region', { name: 'Quick Actions' }));
const written = () => eventCalls.filter(({ action }) => !/^(get|list|verify)/.test(action));

describe('the pipeline', () => {
  it.each([
    ['drafted', 'Draft'],
    ['published', 'Published'],
    ['started', 'Live'],
    ['ended', 'Ended'],
    ['cancelled', 'Cancelled'],
  ] as const)('shows %s as %s', async (eventState, label) => {
    event = anEvent({ eventState });
    await openEvent();
    const steps = within(screen.getByRole('list', { name: 'Status' })).getAllByRole('listitem');
    const names = ['Draft', 'Published', 'Live', 'Ended', ...(eventState === 'cancelled' ? ['Cancelled'] : [])];
    expect(steps.map(({ textContent }) => textContent)).toEqual(names);
    expect(steps.filter((step) => step.getAttribute('aria-current') === 'step')).toHaveLength(1);
    expect(steps.find((step) => step.textContent === label)).toHaveAttribute('aria-current', 'step');
  });
});

describe('the quick actions', () => {
  it.each([
    ['drafted', ['Publish Event', 'Edit Event', 'Duplicate Event', 'Delete Draft']],
    ['published', ['Start Event', 'Edit Event', 'Duplicate Event', 'Cancel Event']],
    ['started', ['End Event', 'Extend Event', 'Duplicate Event', 'Cancel Event']],
    ['ended', ['Reopen for Corrections', 'Duplicate Event']],
    ['cancelled', ['Duplicate Event']],
  ] as const)('of a %s event are %j', async (eventState, names) => {
    event = anEvent({ eventState });
    await openEvent();
    expect(
      actionsCard()
        .queryAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(names);
  });

  it('publish a draft by writing its state', async () => {
    const { user } = await openEvent();
    await user.click(screen.getByRole('button', { name: 'Publish Event' }));
    expect(await screen.findByText('Event published.')).toBeInTheDocument();
    expect(written()).toEqual([{ action: 'update_event', payload: { eventId: 'e1', eventState: 'published' } }]);
    expect(await screen.findByRole('button', { name: 'Start Event' })).toBeInTheDocument();
  });

  it.each([
    [{ title: ' ' }, 'Event title is required to publish.'],
    [{ startTime: undefined }, 'Start time is required to publish.'],
    [{ endTime: undefined }, 'End time is required to publish.'],
    [{ endTime: '2027-01-02T10:00:00Z' }, 'End time must be after start time.'],
  ])('do not publish an incomplete draft: %j', async (over, text) => {
    event = { ...anEvent(), ...(over as Partial<Event>) };
    const { user } = renderApp('/app/admin/events/e1');
    await user.click(await screen.findByRole('button', { name: 'Publish Event' }));
    expect(await actionsCard().findByText(text)).toBeInTheDocument();
    expect(written()).toEqual([]);
  });

  it('start a published event', async () => {
    event = anEvent({ eventState: 'published' });
    const { user } = await openEvent();
    await user.click(screen.getByRole('button', { name: 'Start Event' }));
    expect(await screen.findByText('Event started.')).toBeInTheDocument();
    expect(written()).toEqual([{ action: 'start_event', payload: { eventId: 'e1' } }]);
    expect(await screen.findByRole('button', { name: 'End Event' })).toBeInTheDocument();
  });

  it('end a live event after a confirmation', async () => {
    event = anEvent({ eventState: 'started' });
    const { user } = await openEvent();
    await user.click(screen.getByRole('button', { name: 'End Event' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'End Event' }));
    await user.click(dialog.getByRole('button', { name: 'Keep Playing' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(written()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'End Event' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'End Event' }));
    expect(await screen.findByText('Event ended.')).toBeInTheDocument();
    expect(written()).toEqual([{ action: 'end_event', payload: { eventId: 'e1' } }]);
  });

  it.each(['published', 'started'] as const)(
    'cancel a %s event once it is confirmed, and go back to the list',
    async (eventState) => {
      event = anEvent({ eventState });
      const { user, at } = await openEvent();
      await user.click(screen.getByRole('button', { name: 'Cancel Event' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Cancel Event' }));
      expect(dialog.getByText(/Cancelled events cannot be undone\./)).toBeInTheDocument();
      expect(dialog.getByRole('button', { name: 'Keep Event' })).toHaveFocus();
      expect(written()).toEqual([]);
      await user.click(dialog.getByRole('button', { name: 'Cancel Event' }));
      await waitFor(() => expect(at()).toBe('/app/admin/events'));
      expect(written()).toEqual([{ action: 'cancel_event', payload: { eventId: 'e1' } }]);
    },
  );

  it('delete a draft after a confirmation, and return to the list', async () => {
    const { user, at } = await openEvent();
    await user.click(screen.getByRole('button', { name: 'Delete Draft' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete Draft' }));
    await user.click(dialog.getByRole('button', { name: 'Delete Draft' }));
    await waitFor(() => expect(at()).toBe('/app/admin/events'));
    expect(written()).toEqual([{ action: 'delete_event', payload: { eventId: 'e1' } }]);
  });

  it.each([
    ['drafted', 'update_event', 'Publish Event', 'Failed to publish event'],
    ['published', 'start_event', 'Start Event', 'Failed to start event'],
    ['started', 'end_event', 'End Event', 'Failed to end event'],
    ['published', 'cancel_event', 'Cancel Event', 'Failed to cancel event'],
    ['drafted', 'delete_event', 'Delete Draft', 'Failed to delete event'],
  ] as const)(
    'of a %s event log a refused %s and show the server’s words',
    async (eventState, action, name, logged) => {
      event = anEvent({ eventState });
      refusals[action] = () => failure(409, { errorMessage: 'This event cannot do that now.' });
      const { user, at } = await openEvent();
      await user.click(screen.getByRole('button', { name }));
      const dialog = screen.queryByRole('dialog');
      if (dialog !== null) await user.click(within(dialog).getByRole('button', { name }));
      expect(await screen.findByText('This event cannot do that now.')).toBeInTheDocument();
      expect(console.warn).toHaveBeenCalledWith(logged, expect.objectContaining({ status: 409 }));
      expect(at()).toBe('/app/admin/events/e1');
    },
  );

  it('show a default error when the server sends none', async () => {
    event = anEvent({ eventState: 'published' });
    refusals.start_event = () => failure(500);
    const { user } = await openEvent();
    await user.click(screen.getByRole('button', { name: 'Start Event' }));
    expect(await screen.findByText('Failed to start event')).toBeInTheDocument();
  });
});

describe('the end of an event', () => {
  async function extend() {
    event = anEvent({ eventState: 'started' });
    const { user } = await openEvent();
    await user.click(screen.getByRole('button', { name: 'Extend Event' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Extend Event' }));
    expect(dialog.getByRole('button', { name: 'Move the End' })).toBeDisabled();
    await user.click(dialog.getByRole('button', { name: '+15 min' }));
    await user.click(dialog.getByRole('button', { name: '+5 min' }));
    await user.click(dialog.getByRole('button', { name: 'Move the End' }));
    return dialog;
  }

  it('can be moved while it runs', async () => {
    await extend();
    expect(await screen.findByText(/^The event ends Jan/)).toBeInTheDocument();
    expect(written()).toEqual([
      { action: 'extend_event', payload: { eventId: 'e1', endTime: '2027-01-02T12:20:00Z' } },
    ]);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('is not moved where the server refuses it', async () => {
    const text = 'End time must be in the future.';
    refusals.extend_event = () => failure(422, { errorMessage: text, fieldErrors: { endTime: text } });
    const dialog = await extend();
    expect(await dialog.findByText(text)).toBeInTheDocument();
    expect(dialog.getByLabelText('End time')).toBeInvalid();
  });

  it.each([
    ['End Event', /^1 game is under way\. Their players have a minute to finish/],
    ['Cancel Event', /^1 game is under way\. Games under way become void/],
  ])('asks for confirmation with the number of games under way: %s', async (name, text) => {
    event = anEvent({ eventState: 'started' });
    const { user } = await openEvent();
    event = { ...event, gamesInPlay: 1 };
    await user.click(screen.getByRole('button', { name }));
    const dialog = await screen.findByRole('dialog', { name });
    await waitFor(() =>
      expect([...dialog.querySelectorAll('p')].some(({ textContent }) => text.test(textContent))).toBe(true),
    );
  });

  it('shows how many games are left until there are winners, and then the winners', async () => {
    const decidedBy = new Date(Date.now() + 40_000).toISOString();
    event = anEvent({ eventState: 'ended', concluded: false, gamesInPlay: 1, decidedBy });
    await openEvent();
    expect(screen.getByText(/1 game is still being played, winners in at most (39|40) s\.$/)).toBeInTheDocument();
    FakeSocket.last.open();
    changed({ concluded: true, gamesInPlay: 0, winners: [{ ...bob, level: 2, wins: 1 }] });
    FakeSocket.last.receive('eventConcluded', { eventId: 'e1', winners: event.winners });
    expect(await screen.findByText('Winner:')).toBeInTheDocument();
    expect(screen.queryByText(/still being played/)).not.toBeInTheDocument();
  });

  it('can be reopened for corrections, with a reason, and made final again', async () => {
    event = anEvent({ eventState: 'ended', winners: [{ ...bob, level: 2, wins: 1 }] });
    const { user } = await openEvent();
    await user.click(screen.getByRole('button', { name: 'Reopen for Corrections' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reopen for Corrections' }));
    expect(dialog.getByRole('button', { name: 'Reopen Event' })).toBeDisabled();
    await user.type(dialog.getByLabelText(/Reason/), ' A wrong result ');
    await user.click(dialog.getByRole('button', { name: 'Reopen Event' }));
    expect(await screen.findByText(/^Open for corrections/)).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Conclude Event' }));
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Conclude Event' })).getByRole('button', {
        name: 'Conclude Event',
      }),
    );
    expect(await screen.findByText('The winners are final.')).toBeInTheDocument();
    expect(written()).toEqual([
      { action: 'reopen_event', payload: { eventId: 'e1', reason: 'A wrong result' } },
      { action: 'conclude_event', payload: { eventId: 'e1' } },
    ]);
  });
});

describe('a copy', () => {
  it('is created and opened', async () => {
    event = anEvent({ eventState: 'cancelled' });
    const { user, at } = await openEvent();
    await user.click(screen.getByRole('button', { name: 'Duplicate Event' }));
    await waitFor(() => expect(at()).toBe('/app/admin/events/e2'));
    expect(await screen.findByRole('heading', { name: 'Chalk Cup (copy)' })).toBeInTheDocument();
    expect(written()).toEqual([{ action: 'duplicate_event', payload: { eventId: 'e1' } }]);
  });
});

describe('announcements', () => {
  it('are sent and listed', async () => {
    event = anEvent({ eventState: 'published' });
    const { user } = await openEvent();
    const card = within(screen.getByRole('region', { name: 'Announcements' }));
    expect(card.getByRole('button', { name: 'Announce' })).toBeDisabled();
    await user.type(card.getByLabelText('Message to all participants'), ' Bring chalk. ');
    await user.click(card.getByRole('button', { name: 'Announce' }));
    expect(await card.findByText('Bring chalk.')).toBeInTheDocument();
    expect(card.getByLabelText('Message to all participants')).toHaveValue('');
    expect(written()).toEqual([{ action: 'announce', payload: { eventId: 'e1', message: 'Bring chalk.' } }]);
  });

  it('that are refused show the reason and keep the text', async () => {
    event = anEvent({ eventState: 'published' });
    refusals.announce = () => failure(429, { errorMessage: 'One announcement a minute.' });
    const { user } = await openEvent();
    const card = within(screen.getByRole('region', { name: 'Announcements' }));
    await user.type(card.getByLabelText('Message to all participants'), 'Again');
    await user.click(card.getByRole('button', { name: 'Announce' }));
    expect(await card.findByText('One announcement a minute.')).toBeInTheDocument();
    expect(card.getByLabelText('Message to all participants')).toHaveValue('Again');
  });
});

describe('editing', () => {
  async function openForm() {
    const app = await openEvent();
    await app.user.click(screen.getByRole('button', { name: 'Edit Event' }));
    const form = within(await screen.findByRole('region', { name: 'Edit Event' }));
    return { ...app, form, title: form.getByLabelText(/Title/) };
  }

  it('focuses the title, with the event’s values filled in', async () => {
    const { form, title } = await openForm();
    expect(title).toHaveFocus();
    expect(title).toHaveValue('Chalk Cup');
    expect(form.getByLabelText('Description')).toHaveValue('Bring your own chalk.');
    expect(form.getByLabelText('Prize')).toHaveValue('A box of chalk');
    expect(form.getByLabelText('Start time')).toHaveTextContent(/2027/);
    expect(form.getByLabelText('End time')).toHaveTextContent(/2027/);
  });

  it('saves only what was changed', async () => {
    const { user, form, title } = await openForm();
    await user.clear(title);
    await user.type(title, 'Ink Cup');
    await user.click(form.getByRole('button', { name: 'Save Changes' }));
    expect(await screen.findByText('Changes saved.')).toBeInTheDocument();
    expect(written()).toEqual([{ action: 'update_event', payload: { eventId: 'e1', title: 'Ink Cup' } }]);
    expect(await screen.findByRole('heading', { name: 'Ink Cup' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Edit Event' })).toHaveFocus();
  });

  it('needs a title', async () => {
    const { user, form, title } = await openForm();
    await user.clear(title);
    await user.click(form.getByRole('button', { name: 'Save Changes' }));
    expect(await form.findByText('Event title is required.')).toBeInTheDocument();
    expect(written()).toEqual([]);
  });

  it('shows why the server refused, and keeps the input', async () => {
    refusals.update_event = () => failure(409, { errorMessage: 'The event has started.' });
    const { user, form, title } = await openForm();
    await user.type(title, '!');
    await user.click(form.getByRole('button', { name: 'Save Changes' }));
    expect(await form.findByText('The event has started.')).toBeInTheDocument();
    expect(title).toHaveValue('Chalk Cup!');
  });

  it('asks before leaving with unsaved changes', async () => {
    const { user, title, at } = await openForm();
    await user.type(title, '!');
    await user.click(screen.getByRole('link', { name: 'Back to all events' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Discard changes?' }));
    expect(dialog.getByText('Your changes to this event are not saved.')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Keep Editing' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(at()).toBe('/app/admin/events/e1');
    expect(title).toHaveValue('Chalk Cup!');
    await user.click(screen.getByRole('link', { name: 'Back to all events' }));
    await user.click(await screen.findByRole('button', { name: 'Discard Changes' }));
    await waitFor(() => expect(at()).toBe('/app/admin/events'));
  });

  it('warns before the tab is closed with unsaved changes', async () => {
    const { user, title } = await openForm();
    const isHeld = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(isHeld()).toBe(false);
    await user.type(title, '!');
    expect(isHeld()).toBe(true);
    await user.type(title, '{Backspace}');
    expect(isHeld()).toBe(false);
  });

  it('ends without a confirmation only when nothing was changed', async () => {
    const { user, form, title } = await openForm();
    await user.type(title, '!');
    await user.click(form.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByRole('dialog', { name: 'Discard changes?' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Keep Editing' }));
    await user.type(title, '{Backspace}');
    await user.click(form.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByRole('region', { name: 'Event Details' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Edit Event' })).toHaveFocus();
  });

  it('is kept while the participants are shown', async () => {
    const { user, title } = await openForm();
    await user.type(title, '!');
    await user.click(screen.getByRole('tab', { name: /Participants/ }));
    await user.click(screen.getByRole('tab', { name: 'Event Details' }));
    expect(screen.getByLabelText(/Title/)).toHaveValue('Chalk Cup!');
  });

  it('disables other actions', async () => {
    await openForm();
    expect(screen.getByRole('button', { name: 'Publish Event' })).toBeDisabled();
    expect(screen.getByText('Save or discard your changes first.')).toBeInTheDocument();
  });

  it('ends when the event starts meanwhile', async () => {
    event = anEvent({ eventState: 'published' });
    const { form } = await openForm();
    event = { ...event, eventState: 'started' };
    FakeSocket.last.open();
    FakeSocket.last.receive('eventStateChanged', { eventId: 'e1', eventState: 'started' });
    expect(await form.findByText('This event is live now and can no longer be edited.')).toBeInTheDocument();
    expect(form.getByRole('button', { name: 'Save Changes' })).toBeDisabled();
  });

  it('has no accessibility violations', async () => {
    await openForm();
    await expectAccessible();
  });
});

describe('the participants', () => {
  beforeEach(() => {
    signUps = Array.from({ length: 250 }, (_, at) => aSignUp(at));
    event = anEvent({ eventState: 'published', signupCount: 250 });
  });

  async function openTab() {
    const app = await openEvent('/app/admin/events/e1?tab=participants');
    await screen.findByText('250 participants');
    return app;
  }

  it('are a list 400 px high that renders only visible rows', async () => {
    await openTab();
    const list = screen.getByRole('region', { name: 'Participants' });
    expect(list).toHaveStyle({ height: '400px' });
    const rows = within(list).getAllByRole('listitem');
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.length).toBeLessThan(40);
    expect(rows[0]).toHaveAttribute('aria-setsize', '250');
    expect(rows[0]).toHaveTextContent('player0@example.org');
    expect(signUpCalls.map(({ payload }) => payload)).toEqual(
      [1, 2, 3].map((number) => ({ eventId: 'e1', page: number, limit: 100 })),
    );
  });

  it('are searched by name and email', async () => {
    const { user } = await openTab();
    await user.type(screen.getByRole('searchbox', { name: 'Search participants' }), 'player249@');
    expect(await screen.findByText('1 of 250 participants')).toBeInTheDocument();
    expect(screen.getAllByText(/^player/).map(({ textContent }) => textContent)).toEqual([
      'player249',
      'player249@example.org',
    ]);
    await user.type(screen.getByRole('searchbox'), '!');
    expect(await screen.findByText('No participant fits this search.')).toBeInTheDocument();
  });

  it('show the games behind a standing', async () => {
    const { user } = await openTab();
    await user.click(screen.getByRole('button', { name: 'Games of player3' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Games of player3' }));
    expect(await dialog.findByText(/against/)).toBeInTheDocument();
  });

  async function manage(over: Partial<Event>) {
    event = { ...event, ...over };
    const app = await openTab();
    await app.user.click(screen.getByRole('button', { name: 'Manage player3' }));
    return { ...app, dialog: within(await screen.findByRole('dialog', { name: 'player3' })) };
  }

  it('are shown with their display names', async () => {
    signUps[3] = aSignUp(3, { displayName: 'Ada Lovelace', status: 'removed' });
    const { user } = await openTab();
    await user.click(screen.getByRole('button', { name: 'Manage Ada Lovelace' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Ada Lovelace' }));
    expect(dialog.getByRole('heading', { name: 'Ada Lovelace' }).querySelector('[data-initial]')).not.toBeNull();
    expect(dialog.getByText('Ada Lovelace was removed from the event.')).toBeInTheDocument();
  });

  it('are removed with a reason', async () => {
    const { user, dialog } = await manage({});
    const part = within(dialog.getByRole('form', { name: 'Remove from the event' }));
    expect(part.getByRole('button', { name: 'Remove Participant' })).toBeDisabled();
    await user.type(part.getByLabelText(/Reason/), 'Played under two names');
    await user.click(part.getByRole('button', { name: 'Remove Participant' }));
    expect(await screen.findByText('player3 is removed from the event.')).toBeInTheDocument();
    expect(written()).toEqual([
      { action: 'remove_participant', payload: { eventId: 'e1', userId: 'u3', reason: 'Played under two names' } },
    ]);
    expect(await screen.findByText('Removed')).toBeInTheDocument();
  });

  it('are corrected with a reason: only what was changed', async () => {
    const { user, dialog } = await manage({ eventState: 'started' });
    const part = within(dialog.getByRole('form', { name: 'Correct the standing' }));
    await user.clear(part.getByLabelText('Wins'));
    await user.type(part.getByLabelText('Wins'), '2');
    expect(part.getByRole('button', { name: 'Save Correction' })).toBeDisabled();
    await user.type(part.getByLabelText(/Reason/), 'Counted twice');
    await user.click(part.getByRole('button', { name: 'Save Correction' }));
    expect(await screen.findByText('The standing of player3 is corrected.')).toBeInTheDocument();
    expect(corrections).toEqual([{ eventId: 'e1', userId: 'u3', updates: { wins: 2 }, reason: 'Counted twice' }]);
  });

  it('cannot be corrected once the winners are final', async () => {
    const { dialog } = await manage({ eventState: 'ended', concluded: true });
    expect(dialog.getByText('The winners are final. Reopen the event to correct a standing.')).toBeInTheDocument();
    expect(dialog.queryByRole('form')).not.toBeInTheDocument();
  });

  it('are reached by a tab that is in the URL', async () => {
    const { user, router } = await openEvent();
    expect(screen.getByRole('tab', { name: 'Event Details' })).toHaveAttribute('aria-selected', 'true');
    await user.click(screen.getByRole('tab', { name: 'Participants (250)' }));
    expect(await screen.findByText('250 participants')).toBeInTheDocument();
    expect(router.state.location.search).toBe('?tab=participants');
  });

  it.each([
    ['the server’s words', () => failure(503, { errorMessage: 'Busy.' }), 'Busy.'],
    ['Failed to fetch sign-ups', () => failure(500), 'Failed to fetch sign-ups'],
    ['An error occurred while fetching sign-ups', () => Response.error(), 'An error occurred while fetching sign-ups'],
  ])('show an error when they cannot be loaded: %s', async (_name, respond, text) => {
    server.use(http.get('*/api/backend/eventSignUp', respond));
    await openEvent('/app/admin/events/e1?tab=participants');
    const panel = within(await screen.findByRole('tabpanel', { name: /Participants/ }));
    expect(await panel.findByText(text)).toBeInTheDocument();
    expect(panel.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  });

  it('are added by their usernames, after a confirmation', async () => {
    signUps = [];
    const { user } = await openEvent('/app/admin/events/e1?tab=participants');
    const panel = within(await screen.findByRole('tabpanel', { name: /Participants/ }));
    expect(panel.getByRole('button', { name: 'Add Player…' })).toBeDisabled();
    await user.type(panel.getByLabelText('Add a player'), ' @zoe{Enter}');
    const dialog = () => screen.findByRole('dialog', { name: 'Add zoe' });
    await user.click(within(await dialog()).getByRole('button', { name: 'Cancel' }));
    expect(added).toEqual([]);
    refusals.create_player = () => failure(409, { errorMessage: 'This event is full.' });
    await user.click(panel.getByRole('button', { name: 'Add Player…' }));
    await user.click(within(await dialog()).getByRole('button', { name: 'Add Player' }));
    expect(await panel.findByText('This event is full.')).toBeInTheDocument();
    delete refusals.create_player;
    await user.click(panel.getByRole('button', { name: 'Add Player…' }));
    await user.click(within(await dialog()).getByRole('button', { name: 'Add Player' }));
    expect(await screen.findByText('Zoe is signed up.')).toBeInTheDocument();
    expect(added).toEqual([{ eventId: 'e1', username: 'zoe' }]);
    expect(panel.getByLabelText('Add a player')).toHaveValue('');
    expect(await panel.findByText('1 participant')).toBeInTheDocument();
  });

  it('are added no more once the event is over', async () => {
    event = { ...event, eventState: 'ended' };
    await openEvent('/app/admin/events/e1?tab=participants');
    await screen.findByRole('tabpanel', { name: /Participants/ });
    expect(screen.queryByLabelText('Add a player')).not.toBeInTheDocument();
  });

  it('may be none', async () => {
    signUps = [];
    await openEvent('/app/admin/events/e1?tab=participants');
    expect(await screen.findByText('Nobody has registered yet.')).toBeInTheDocument();
  });

  it('have no accessibility violations', async () => {
    await openTab();
    await expectAccessible();
  });
});

describe('a live event', () => {
  beforeEach(() => {
    event = anEvent({ eventState: 'started', signupCount: 3 });
    signUps = [
      aSignUp(1, { level: 2, wins: 1, status: 'active' }),
      aSignUp(2, { level: 1, losses: 3, status: 'eliminated' }),
      aSignUp(3, { level: 1, status: 'active' }),
    ];
    players = [
      { ...named('u1', 'player1'), eventId: 'e1', level: 2, wins: 1, losses: 0, isEliminated: false, rank: 1 },
      { ...named('u2', 'player2'), eventId: 'e1', level: 1, wins: 0, losses: 3, isEliminated: true, rank: 2 },
    ];
  });

  it('shows statistics and a plot', async () => {
    await openEvent();
    const card = within(screen.getByRole('region', { name: 'Statistics' }));
    expect(
      await card.findByRole('img', { name: 'Players by level. level 1: 1 in, 1 out; level 2: 1 in, 0 out.' }),
    ).toBeInTheDocument();
    const figure = (name: string) => card.getByText(name, { selector: 'dt' }).nextElementSibling;
    expect(figure('Registered')).toHaveTextContent('3');
    expect(figure('Eliminated')).toHaveTextContent('1');
    expect(figure('Top level')).toHaveTextContent('2');
    await waitFor(() => expect(figure('Games')).toHaveTextContent('1'));
    expect(figure('Live games')).toHaveTextContent('1');
  });

  it('lets its games be watched', async () => {
    await openEvent();
    expect(await screen.findByRole('link', { name: 'Watch bob – carl' })).toHaveAttribute(
      'href',
      '/app/game/g1?watch=true',
    );
  });

  it('has a leaderboard that updates', async () => {
    await openEvent();
    const rows = async () =>
      within(await screen.findByRole('table'))
        .getAllByRole('rowheader')
        .map(({ textContent }) => textContent);
    expect(await rows()).toEqual(['player1', 'player2Eliminated']);
    players = [
      { ...players[1], rank: 1, wins: 2 },
      { ...players[0], rank: 2 },
    ];
    FakeSocket.last.open();
    FakeSocket.last.receive('refreshLeaderboard', { eventId: 'e1' });
    await waitFor(async () => expect(await rows()).toEqual(['player2Eliminated', 'player1']));
  });

  it('subscribes to live games', async () => {
    await openEvent();
    FakeSocket.last.open();
    await waitFor(() => expect(FakeSocket.last.sent.map(({ event: name }) => name)).toContain('subscribeLiveGames'));
  });

  it('shows whether the standings agree with the games', async () => {
    const { user } = await openEvent();
    await user.click(screen.getByRole('button', { name: 'Check the Standings' }));
    expect(await screen.findByText('Standings agree with the receipts')).toBeInTheDocument();
    expect(screen.getByText(/^7 games, 4 players, checked at .+\.$/)).toBeInTheDocument();
    verdict = {
      ...verdict,
      corrections: [
        {
          at: '2027-01-02T11:00:00Z',
          by: 'grace',
          userId: 'u1',
          username: 'player1',
          displayName: 'Player One',
          what: 'standing',
          before: { level: 1, wins: 0, losses: 0 },
          after: { level: 2, wins: 1, losses: 0 },
          reason: 'Counted twice',
        },
      ],
    };
    await user.click(screen.getByRole('button', { name: 'Check the Standings' }));
    expect(await screen.findByText('1 correction')).toBeInTheDocument();
    expect(screen.getByText('Counted twice').closest('li')).toHaveTextContent(
      'Player One had level 1, 0 won, 0 lost, now has level 2, 1 won, 0 lost',
    );
    const [one, two] = ['one', 'two'].map((name) => ({ userId: name, username: name, displayName: name, seed: 1 }));
    const act = { at: '2027-01-02T11:00:00Z', by: 'grace', reason: 'The board froze' };
    const match = { ...act, round: 2, board: 3, players: [one, two] };
    verdict = {
      ...verdict,
      acts: [
        { ...match, what: 'replayMatch', before: { winnerUserId: 'two', reason: 'played' } },
        { ...match, what: 'setResult' },
        { ...act, what: 'disqualifyPlayer', players: [one] },
      ],
    };
    await user.click(screen.getByRole('button', { name: 'Check the Standings' }));
    expect(await screen.findByText('3 acts of directors')).toBeInTheDocument();
    expect(screen.getAllByText('The board froze').map((each) => each.closest('li')?.textContent)).toEqual([
      expect.stringContaining('one – two (round 2, board 3) was played again, won by two before'),
      expect.stringContaining('one – two (round 2, board 3) had its result set'),
      expect.stringContaining('one was disqualified'),
    ]);
    verdict = {
      agrees: false,
      games: 7,
      players: 4,
      differences: ['player1 has 2 wins, the games say 1.'],
      corrections: [],
      acts: [],
    };
    await user.click(screen.getByRole('button', { name: 'Check the Standings' }));
    expect(await screen.findByText('Standings do not agree with the receipts')).toBeInTheDocument();
    expect(screen.getByText('player1 has 2 wins, the games say 1.')).toBeInTheDocument();
  });

  it('has no accessibility violations', async () => {
    await openEvent();
    await screen.findByRole('table');
    await expectAccessible();
  });
});

describe('an event that is not there', () => {
  it('shows Event not found.', async () => {
    server.use(
      ...actions('event', { get_event_by_id: () => failure(404, { errorMessage: 'Event not found.' }) }).handlers,
    );
    renderApp('/app/admin/events/e1');
    expect(await screen.findByText('Event not found.')).toBeInTheDocument();
  });

  it.each([
    ['the server’s words', { errorMessage: 'Busy.' }, 'Busy.'],
    ['Failed to load event', {}, 'Failed to load event'],
  ])('shows another reason: %s', async (_name, body, text) => {
    server.use(...actions('event', { get_event_by_id: () => failure(500, body) }).handlers);
    renderApp('/app/admin/events/e1');
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  });

  it('shows that it is loading', async () => {
    server.use(http.get('*/api/backend/event', () => delay('infinite')));
    renderApp('/app/admin/events/e1');
    expect(await screen.findByText('Loading event...')).toBeInTheDocument();
  });
});

describe('the check-in at the desk', () => {
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

  beforeEach(() => {
    signUps = [
      aSignUp(1, { username: 'ann', displayName: 'Ann', checkedIn: true }),
      aSignUp(2, { username: 'ben', displayName: 'Ben', checkedIn: false }),
    ];
    const asked = { checkInMinutes: 30, checkedInCount: 1, signupCount: 2 };
    event = anEvent({ eventState: 'published', startTime: inMinutes(20), endTime: inMinutes(80), ...asked });
  });

  it('is a press for each player, and shows who is missing', async () => {
    const { user, container } = renderApp('/app/admin/events/e1?tab=participants');
    expect(await screen.findByText(/1 of 2 is here/)).toBeInTheDocument();
    await expectAccessible(container);
    await user.click(screen.getByRole('checkbox', { name: 'Only players not here yet' }));
    expect(screen.queryByRole('button', { name: 'Games of Ann' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Check in Ben' }));
    expect(await screen.findByText('Everybody is here.')).toBeInTheDocument();
    await user.click(screen.getByRole('checkbox', { name: 'Only players not here yet' }));
    await user.click(await screen.findByRole('button', { name: 'Ann is here. Undo check-in' }));
    expect(await screen.findByRole('button', { name: 'Check in Ann' })).toBeInTheDocument();
    const sent = eventCalls.filter(({ action }) => action === 'check_in_player').map(({ payload }) => payload);
    expect(sent).toMatchObject([{ checkedIn: true }, { checkedIn: false }]);
  });

  it('only tells who is here before it opens, and what the server refuses', async () => {
    event = anEvent({ ...event, startTime: inMinutes(50) });
    const { unmount } = renderApp('/app/admin/events/e1?tab=participants');
    expect(await screen.findByText('Not here yet')).toBeInTheDocument();
    unmount();
    event = anEvent({ ...event, startTime: inMinutes(20) });
    const errorMessage = 'Check-in closed when the event started.';
    refusals.check_in_player = () => failure(409, { errorCode: 'check-in-closed', errorMessage });
    const { user } = renderApp('/app/admin/events/e1?tab=participants');
    await user.click(await screen.findByRole('button', { name: 'Check in Ben' }));
    expect(await screen.findByText(errorMessage)).toBeInTheDocument();
  });
});

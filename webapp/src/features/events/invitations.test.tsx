import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, failure, server, wholePage } from '@/testing/server';
// Imported here, so that loading does not count towards the time-out of the first test.
import './EventsPage';

const invitation = {
  eventId: 'e7',
  title: 'Garden Party',
  startTime: '2027-01-02T18:00:00Z',
  eventState: 'published',
  host: { userId: 'u9', username: 'bob', displayName: 'Bob' },
  at: '2027-01-01T10:00:00Z',
};

function openList(respond: () => Response) {
  let isOpen = true;
  const ofSignUps = actions('eventSignUp', {
    list_own_invitations: () => answer({ invitations: (isOpen ? [invitation] : []) as never }),
    answer_invitation: () => {
      const response = respond();
      isOpen = !response.ok;
      return response;
    },
  });
  server.use(
    http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: ada })),
    http.post('*/api/auth/secure/token/refresh', () => answer({})),
    ...actions('event', {
      list_events: () => answer({ events: [], pagination: wholePage }),
    }).handlers,
    ...actions('game', { get_games_by_user: () => answer({ games: [], pagination: wholePage }) }).handlers,
    ...ofSignUps.handlers,
  );
  return { ...renderApp('/app/events'), calls: ofSignUps.calls };
}

describe('an invitation to a private event', () => {
  it('is declined in the list of events', async () => {
    const { user, calls } = openList(() => answer({}));
    const section = await screen.findByRole('region', { name: 'You are invited' });
    expect(within(section).getByText('Garden Party')).toBeInTheDocument();
    expect(within(section).getByText(/^by Bob/)).toBeInTheDocument();
    await user.click(within(section).getByRole('button', { name: 'Decline: Garden Party' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'You are invited' })).not.toBeInTheDocument());
    expect(calls.find(({ action }) => action === 'answer_invitation')?.payload).toEqual({
      eventId: 'e7',
      accepted: false,
    });
  });

  it('says why it cannot be accepted', async () => {
    const { user } = openList(() => failure(409, { errorCode: 'event-full', errorMessage: 'This event is full.' }));
    await user.click(await screen.findByRole('button', { name: 'Accept: Garden Party' }));
    expect(await screen.findByText('This event is full.')).toBeInTheDocument();
  });
});

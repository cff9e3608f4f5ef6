import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, server, someEvent, wholePage } from '@/testing/server';

beforeEach(() => {
  const { handlers } = actions('event', {
    list_events: () => answer({ events: [someEvent()] as never, pagination: wholePage }),
    get_event_by_id: () => answer({ event: someEvent() as never }),
  });
  server.use(
    http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada, isTempUser: true } })),
    http.post('*/api/auth/secure/token/refresh', () => answer({})),
    ...handlers,
  );
});

it('a guest sees before any click that events need an account', async () => {
  renderApp('/app/events');
  const main = within(await screen.findByRole('main'));
  expect(await main.findByText('You need an account for events.')).toBeInTheDocument();
  expect(await main.findByRole('link', { name: 'View Details' })).toBeInTheDocument();
  expect(main.queryByRole('link', { name: 'Join Event' })).toBeNull();
});

it('a guest creates an account from the event’s page, and returns to it', async () => {
  const { user, at } = renderApp('/app/events/view/e1');
  const main = within(await screen.findByRole('main'));
  const way = await main.findByRole('link', { name: 'Create an account' });
  expect(main.queryByRole('button', { name: 'Join Tournament' })).toBeNull();
  await user.click(way);
  await waitFor(() => expect(at()).toBe('/register'));
  expect(localStorage.getItem('intendedUrl')).toBe('/app/events/view/e1');
});

import { act, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { STORAGE_KEYS } from '@/shared/storage';
import { expectAccessible } from '@/testing/axe';
import { browserWithPush, type PushBrowserOptions } from '@/testing/pushBrowser';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { failure, server } from '@/testing/server';
// Loaded with the test, not while it waits.
import './PushOffer';

const offer = () => screen.findByRole('region', { name: 'Notifications' });
const noOffer = () => expect(screen.queryByRole('region', { name: 'Notifications' })).not.toBeInTheDocument();
const isOver = () => localStorage.getItem(STORAGE_KEYS.pushOffer) !== null;

/** The events, in a browser with Web Push; what was offered in an earlier test is over. */
async function openEvents(options?: PushBrowserOptions) {
  const browser = browserWithPush(options);
  return { browser, ...(await openList()) };
}

async function openList() {
  localStorage.removeItem(STORAGE_KEYS.pushOffer);
  const page = renderWithMockServer('/app/events');
  const open = async () =>
    page.user.click((await screen.findAllByRole('link', { name: 'Register Now' }))[0] as HTMLElement);
  await screen.findAllByRole('link', { name: 'Register Now' });
  /** Now an event is waited for. */
  const occur = async () => {
    await open();
    await page.user.click(await screen.findByRole('button', { name: 'Register Now' }));
    await screen.findByRole('button', { name: 'Unregister' });
  };
  return { occur, ...page };
}

describe('notifications of closed pages', () => {
  it('are offered where there is something to wait for, and the browser was not asked', async () => {
    const { browser, occur } = await openEvents();
    noOffer();
    await occur();
    expect(await offer()).toHaveTextContent(
      'Do you want a notification on this device when the event begins, even with the page closed?',
    );
    expect(browser.own.requestPermission).not.toHaveBeenCalled();
    await expectAccessible(await offer());
  });

  it('are offered no longer than what they are about', async () => {
    const { occur, user } = await openEvents();
    await occur();
    await offer();
    await user.click(screen.getByRole('button', { name: 'Unregister' }));
    await waitFor(noOffer);
    expect(isOver()).toBe(false);
  });

  it.each([
    ['blocked in this browser', 'denied'],
    ['allowed in this browser', 'granted'],
  ] as const)('are not offered where they are %s', async (_what, permission) => {
    const { occur } = await openEvents({ permission });
    await occur();
    noOffer();
  });

  it('are not offered by a browser without Web Push', async () => {
    const { occur } = await openList();
    await occur();
    noOffer();
  });

  it('are switched on by a yes that the browser allows', async () => {
    const { browser, mock, user, occur } = await openEvents();
    await occur();
    await offer();
    await user.click(screen.getByRole('button', { name: 'Yes, notify me' }));
    await waitFor(noOffer);
    expect(browser.own.requestPermission).toHaveBeenCalledOnce();
    expect(mock.notifications.of(mock.user.userId).subscriptions).toMatchObject([{ isCurrent: true }]);
    expect(isOver()).toBe(true);
  });

  it.each([
    ['it refuses', { answer: 'denied' }, /You can allow them in its settings/],
    ['its question is closed', { answer: 'default' }, 'You have not given your browser permission.'],
  ] as const)('stay off when %s, which is said until it is read', async (_what, options, text) => {
    const { browser, user, occur } = await openEvents(options);
    await occur();
    await offer();
    await user.click(screen.getByRole('button', { name: 'Yes, notify me' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Yes, notify me' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    noOffer();
    expect([browser.isSubscribed(), isOver()]).toEqual([false, true]);
  });

  it('say why the server does not take the subscription', async () => {
    const { user, occur } = await openEvents();
    await occur();
    await offer();
    server.use(http.post('*/api/backend/userprofile', () => failure(503, { errorMessage: 'Not now.' })));
    await user.click(screen.getByRole('button', { name: 'Yes, notify me' }));
    expect(await screen.findByText('Not now.')).toBeInTheDocument();
    expect(localStorage.getItem(STORAGE_KEYS.push)).toBeNull();
  });

  it('are not offered again to whoever declined', async () => {
    const { user, occur } = await openEvents();
    await occur();
    await offer();
    await user.click(screen.getByRole('button', { name: 'No, thanks' }));
    noOffer();
    expect(isOver()).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Unregister' }));
    await user.click(await screen.findByRole('button', { name: 'Register Now' }));
    await screen.findByRole('button', { name: 'Unregister' });
    noOffer();
  });
});

it('a browser that changes its subscription is subscribed anew, and the server is told', async () => {
  const { browser, mock, user, occur } = await openEvents();
  const { userId } = mock.user;
  await occur();
  await offer();
  await user.click(screen.getByRole('button', { name: 'Yes, notify me' }));
  await waitFor(() => expect(mock.notifications.endpoints(userId)).toHaveLength(1));
  const other = 'https://push.example.org/another-address';
  browser.changeSubscription(other);
  await waitFor(() => expect(mock.notifications.endpoints(userId)).toEqual([other]));
  expect(browser.own.requestPermission.mock.results).toHaveLength(2);
  expect(localStorage.getItem(STORAGE_KEYS.push)).toContain(other);
});

it('a browser that was never switched on is not, by a change of its subscription', async () => {
  const { browser, mock } = await openEvents({ permission: 'granted' });
  browser.changeSubscription('https://push.example.org/another-address');
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(browser.subscribe).not.toHaveBeenCalled();
  expect(mock.notifications.endpoints(mock.user.userId)).toEqual([]);
});

import { act, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { endPushOffer, offerPush } from '@/shared/push/offer';
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

/** Home, in a browser with Web Push; what was offered in an earlier test is over. */
async function openHome(options?: PushBrowserOptions, { asVisitor = false } = {}) {
  act(endPushOffer);
  localStorage.removeItem(STORAGE_KEYS.pushOffer);
  const browser = browserWithPush(options);
  const page = renderWithMockServer(asVisitor ? '/login' : '/app/home', { asVisitor });
  await screen.findByRole('heading', { level: 1 });
  return { browser, ...page };
}

/** As after an invitation. */
const occur = () => act(() => offerPush('answer'));

describe('notifications of closed pages', () => {
  it('are offered when there is something to wait for, and the browser was not asked', async () => {
    const { browser } = await openHome();
    noOffer();
    occur();
    expect(await offer()).toHaveTextContent('Shall this device tell you when they answer, also with the page closed?');
    act(() => offerPush('event'));
    expect(await offer()).toHaveTextContent('when the event begins');
    expect(browser.own.requestPermission).not.toHaveBeenCalled();
    await expectAccessible(await offer());
  });

  it.each([
    ['blocked in this browser', { permission: 'denied' }, {}],
    ['allowed in this browser', { permission: 'granted' }, {}],
    ['of no use: nobody is signed in', {}, { asVisitor: true }],
  ] as const)('are not offered where they are %s', async (_what, options, who) => {
    await openHome(options, who);
    occur();
    noOffer();
  });

  it('are not offered by a browser without Web Push', async () => {
    act(endPushOffer);
    localStorage.removeItem(STORAGE_KEYS.pushOffer);
    renderWithMockServer('/app/home');
    await screen.findByRole('heading', { level: 1 });
    occur();
    noOffer();
  });

  it('are switched on by a yes that the browser allows', async () => {
    const { browser, mock, user } = await openHome();
    occur();
    await offer();
    await user.click(screen.getByRole('button', { name: 'Yes, tell me' }));
    await waitFor(noOffer);
    expect(browser.own.requestPermission).toHaveBeenCalledOnce();
    expect(mock.notifications.of(mock.user.userId).subscriptions).toMatchObject([{ isCurrent: true }]);
    expect(isOver()).toBe(true);
  });

  it.each([
    ['it refuses', { answer: 'denied' }, /Its settings can allow them again/],
    ['its question is closed', { answer: 'default' }, 'Your browser was not told that it may.'],
  ] as const)('stay off when %s, which is said until it is read', async (_what, options, text) => {
    const { browser, user } = await openHome(options);
    occur();
    await offer();
    await user.click(screen.getByRole('button', { name: 'Yes, tell me' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    // Another occasion does not take the answer away.
    act(() => offerPush('event'));
    expect(await offer()).toHaveTextContent(text);
    expect(screen.queryByRole('button', { name: 'Yes, tell me' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    noOffer();
    expect([browser.isSubscribed(), isOver()]).toEqual([false, true]);
  });

  it('say why the server does not take the subscription', async () => {
    const { user } = await openHome();
    occur();
    await offer();
    server.use(http.post('*/api/backend/userprofile', () => failure(503, { errorMessage: 'Not now.' })));
    await user.click(screen.getByRole('button', { name: 'Yes, tell me' }));
    expect(await screen.findByText('Not now.')).toBeInTheDocument();
    expect(localStorage.getItem(STORAGE_KEYS.push)).toBeNull();
  });

  it('are not offered again to whoever declined', async () => {
    const { user } = await openHome();
    occur();
    await offer();
    await user.click(screen.getByRole('button', { name: 'No, thanks' }));
    noOffer();
    expect(isOver()).toBe(true);
    occur();
    noOffer();
  });
});

it('a browser that changes its subscription is subscribed anew, and the server is told', async () => {
  const { browser, mock, user } = await openHome();
  const { userId } = mock.user;
  occur();
  await offer();
  await user.click(screen.getByRole('button', { name: 'Yes, tell me' }));
  await waitFor(() => expect(mock.notifications.endpoints(userId)).toHaveLength(1));
  const other = 'https://push.example.org/another-address';
  browser.changeSubscription(other);
  await waitFor(() => expect(mock.notifications.endpoints(userId)).toEqual([other]));
  expect(browser.own.requestPermission.mock.results).toHaveLength(2);
  expect(localStorage.getItem(STORAGE_KEYS.push)).toContain(other);
});

it('a browser that was never switched on is not, by a change of its subscription', async () => {
  const { browser, mock } = await openHome({ permission: 'granted' });
  browser.changeSubscription('https://push.example.org/another-address');
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(browser.subscribe).not.toHaveBeenCalled();
  expect(mock.notifications.endpoints(mock.user.userId)).toEqual([]);
});

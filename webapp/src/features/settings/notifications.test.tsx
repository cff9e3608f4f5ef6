import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { notificationsApi } from '@/api/notifications';
import { STORAGE_KEYS } from '@/shared/storage';
import { expectAccessible } from '@/testing/axe';
import { browserWithPush } from '@/testing/pushBrowser';
import { renderWithMockServer, setScreenWidth } from '@/testing/renderWithMockServer';
import { failure, server } from '@/testing/server';

const PATH = '/app/setting/notifications';

beforeEach(() => setScreenWidth(1280));

const device = () => screen.findByRole('switch', { name: 'Notifications on this device' });

describe('what one is told of', () => {
  it('is chosen for pages, pushes and letters', async () => {
    const { mock, user } = renderWithMockServer(PATH);
    const box = (name: string) => screen.findByRole('checkbox', { name });
    expect(await box('It is my turn: on the page')).toBeChecked();
    await user.click(await box('It is my turn: on the page'));
    expect(JSON.parse(localStorage.getItem(STORAGE_KEYS.alerts) ?? '')).toMatchObject({ turn: false });
    await user.click(await box('Somebody invites me: by push'));
    await user.click(await box('A payment, or the end of Pro: by email'));
    await waitFor(() => {
      const { push, mail } = mock.notifications.of(mock.user.userId);
      expect([push.invitation, push.turn, mail.payment]).toEqual([false, true, false]);
    });
    expect(await box('Somebody invites me: by push')).not.toBeChecked();
    expect(screen.queryByRole('checkbox', { name: 'It is my turn: by email' })).not.toBeInTheDocument();
    await expectAccessible(document.body);
  });

  it('is no letter about events before the email is confirmed', async () => {
    const { mock } = renderWithMockServer(PATH);
    expect(mock.user.emailVerified).toBe(false);
    const letter = await screen.findByRole('checkbox', {
      name: 'An event I signed up for starts or changes: by email',
    });
    expect(letter).toBeDisabled();
    expect(screen.getByRole('link', { name: 'Confirm your email' })).toHaveAttribute('href', '/app/setting/security');
  });

  it('goes back when the server does not take it, and says why', async () => {
    const { user } = renderWithMockServer(PATH);
    const box = await screen.findByRole('checkbox', { name: 'It is my turn: by push' });
    server.use(http.post('*/api/backend/userprofile', () => failure(503, { errorMessage: 'Not now.' })));
    await user.click(box);
    expect(await screen.findByText('Not now.')).toBeInTheDocument();
    await waitFor(() => expect(box).toBeChecked());
  });

  it('can be asked for again when it does not load', async () => {
    const { user } = renderWithMockServer(PATH);
    let isDown = true;
    server.use(
      http.get('*/api/backend/userprofile', () => (isDown ? failure(503, { errorMessage: 'Not now.' }) : undefined)),
    );
    expect(await screen.findByText('Not now.')).toBeInTheDocument();
    // What the browser keeps needs no server.
    expect(screen.getByRole('switch', { name: 'In the title' })).toBeInTheDocument();
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('checkbox', { name: 'It is my turn: by push' })).toBeChecked();
  });
});

describe('notifications with the page closed', () => {
  it('are switched on by a press, which asks for the permission', async () => {
    const browser = browserWithPush();
    const { mock, user } = renderWithMockServer(PATH);
    const toggle = await device();
    expect(browser.own.requestPermission).not.toHaveBeenCalled();
    await user.click(toggle);
    await waitFor(() => expect(toggle).toBeChecked());
    expect(browser.own.requestPermission).toHaveBeenCalledOnce();
    expect(browser.subscribe).toHaveBeenCalledWith(expect.objectContaining({ userVisibleOnly: true }));
    expect(mock.notifications.of(mock.user.userId).subscriptions).toMatchObject([{ isCurrent: true }]);
    await user.click(screen.getByRole('button', { name: 'Send a test notification' }));
    expect(await screen.findByText('A test notification is on its way to this device.')).toBeInTheDocument();
    await user.click(toggle);
    await waitFor(() => expect(toggle).not.toBeChecked());
    expect([browser.isSubscribed(), mock.notifications.of(mock.user.userId).subscriptions]).toEqual([false, []]);
  });

  it.each([
    ['blocked before', { permission: 'denied' } as const, /You can allow them in its settings/],
    ['not supported', null, 'This browser cannot show notifications while the page is closed.'],
  ])('cannot be switched on where they are %s', async (_what, options, text) => {
    if (options !== null) browserWithPush(options);
    renderWithMockServer(PATH);
    expect(await device()).toBeDisabled();
    expect(screen.getAllByText(text).length).toBeGreaterThan(0);
  });

  it.each([
    ['the question is closed', { answer: 'default' } as const, 'You have not given your browser permission.'],
    ['the push service is not there', { fails: 'AbortError' }, /could not be reached/],
    ['the worker is of an earlier version', { isOldWorker: true }, /Please reload the page/],
  ])('stay off when %s, and the reason is said', async (_what, options, text) => {
    const browser = browserWithPush(options);
    const { user } = renderWithMockServer(PATH);
    const toggle = await device();
    await user.click(toggle);
    expect(await screen.findByText(text, {}, { timeout: 4_000 })).toBeInTheDocument();
    expect([(toggle as HTMLInputElement).checked, browser.isSubscribed()]).toEqual([false, false]);
  });

  it('list other devices, which can be switched off', async () => {
    browserWithPush();
    const { mock, user, store } = renderWithMockServer(PATH);
    await device();
    mock.notifications.subscribe(mock.user.userId, 'https://push.example.org/phone', 'Firefox on Android', false);
    await store.dispatch(
      notificationsApi.endpoints.notificationSettings.initiate(undefined, { forceRefetch: true, subscribe: false }),
    );
    const others = within(await screen.findByRole('list', { name: 'Other devices' }));
    expect(others.getByText('Firefox on Android')).toBeInTheDocument();
    await user.click(others.getByRole('button', { name: /No notifications on Firefox on Android/ }));
    await waitFor(() => expect(screen.queryByText('Firefox on Android')).not.toBeInTheDocument());
  });
});

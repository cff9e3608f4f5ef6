import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { setScreenWidth, renderWithMockServer } from '@/testing/renderWithMockServer';
import { MOCK_CODE, MOCK_UNDO } from '@/testing/mocks/accountSettings';
import { answer, failure, server } from '@/testing/server';
import { isChanged } from './profileForm';
import { NARROW } from './SettingsPage';

const ROUTES = [
  'edit',
  'subscription',
  'security',
  'preferences',
  'notifications',
  'blocked',
  'termsCondition',
  'help',
];

beforeEach(() => {
  setScreenWidth(1280);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

describe('/app/setting', () => {
  it('redirects to /app/setting/edit on screens wider than 768 px', async () => {
    setScreenWidth(769);
    const { at } = renderWithMockServer('/app/setting');
    expect(await screen.findByRole('heading', { name: 'Edit Profile' })).toBeInTheDocument();
    expect(at()).toBe('/app/setting/edit');
    expect(NARROW).toBe('(max-width: 768px)');
  });

  it('is an overview of cards up to 768 px', async () => {
    setScreenWidth(768);
    const { at, user } = renderWithMockServer('/app/setting');
    await screen.findByRole('heading', { name: 'Settings' });
    const main = within(screen.getByRole('main'));
    for (const card of ['Edit Profile', 'Subscription', 'Terms', 'Help']) {
      expect(main.getByRole('link', { name: new RegExp(`^${card}`) })).toBeInTheDocument();
    }
    expect(main.getByRole('button', { name: /^Log Out/ })).toBeInTheDocument();
    expect(at()).toBe('/app/setting');
    await user.click(main.getByRole('link', { name: /^Help/ }));
    expect(await screen.findByText('Help center coming soon...')).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'All settings' }));
    expect(await screen.findByRole('link', { name: /^Terms/ })).toBeInTheDocument();
  });

  it('has a side menu in groups and a link back to /app/home', async () => {
    renderWithMockServer('/app/setting/edit');
    const menu = within(await screen.findByRole('navigation', { name: 'Settings' }));
    const group = (name: string) => within(menu.getByRole('group', { name }));
    expect(group('Account').getByRole('link', { name: 'Edit Profile' })).toHaveAttribute('aria-current', 'page');
    expect(group('Account').getByRole('link', { name: 'Manage Subscription' })).toBeInTheDocument();
    expect(group('Support').getByRole('link', { name: 'Terms & Conditions' })).toBeInTheDocument();
    expect(group('Support').getByRole('link', { name: 'Help' })).toBeInTheDocument();
    expect(group('Account Actions').getByRole('button', { name: 'Log Out' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/app/home');
  });

  it.each([
    ['edit', 'Edit Profile'],
    ['subscription', 'Manage Subscription'],
    ['termsCondition', 'Terms & Conditions'],
    ['help', 'Help'],
    ['security', 'Security'],
    ['preferences', 'Preferences'],
    ['notifications', 'Notifications'],
  ])('shows at /%s: %s', async (id, heading) => {
    renderWithMockServer(`/app/setting/${id}`);
    expect(await screen.findByRole('heading', { name: heading, level: 2 })).toBeInTheDocument();
    expect(document.title).toMatch(`${heading} · Settings · `);
  });

  it('redirects from an unknown section to the first', async () => {
    const { at } = renderWithMockServer('/app/setting/nothing');
    await waitFor(() => expect(at()).toBe('/app/setting/edit'));
  });

  it.each([
    [1280, '/app/setting/edit'],
    [390, '/app/setting'],
  ])('signs out at %i px and redirects to /hello', async (width, path) => {
    setScreenWidth(width);
    const { at, user } = renderWithMockServer(path);
    await screen.findByRole('heading', { name: 'Settings' });
    await user.click(within(screen.getByRole('main')).getByRole('button', { name: /^Log Out/ }));
    await waitFor(() => expect(at()).toBe('/hello'));
  });

  it.each(ROUTES)('/%s has no accessibility violations', async (id) => {
    renderWithMockServer(`/app/setting/${id}`);
    await screen.findByRole('navigation', { name: 'Settings' });
    await expectAccessible();
  });
});

describe('Save', () => {
  const stored = { displayName: 'Ada', firstName: 'Ada', lastName: 'Lovelace' };
  it.each([
    ['nothing differs', {}, false],
    ['the display name differs', { displayName: 'ada' }, true],
    ['only the case of the names differs', { firstName: 'ADA', lastName: 'lovelace' }, false],
    ['the first name differs', { firstName: 'Augusta' }, true],
    ['the last name differs', { lastName: 'King' }, true],
    ['blanks stand around a name', { displayName: ' Ada ' }, false],
  ])('when %s', (_name, typed, enabled) => expect(isChanged({ ...stored, ...typed }, stored)).toBe(enabled));

  it('is enabled by a change, saves it, and is disabled again', async () => {
    const { user, mock } = renderWithMockServer('/app/setting/edit');
    const save = await screen.findByRole('button', { name: 'Save' });
    expect(save).toBeDisabled();
    expect(screen.getByLabelText('Email')).toHaveAttribute('readonly');
    await user.type(screen.getByLabelText('First Name'), 'Augusta');
    await user.clear(screen.getByLabelText('Display Name'));
    await user.type(screen.getByLabelText('Display Name'), 'Countess');
    await user.click(save);
    expect(await screen.findByText('Your profile is saved.')).toBeInTheDocument();
    expect(mock.user).toMatchObject({ displayName: 'Countess', firstName: 'Augusta', lastName: '' });
    expect(save).toBeDisabled();
    expect(screen.getAllByText('Countess').length).toBeGreaterThan(0);
  });

  it('that was not pressed is asked about before the page is left', async () => {
    const { user, router, at } = renderWithMockServer('/app/setting/edit');
    await user.type(await screen.findByLabelText('Last Name'), 'King');
    act(() => void router.navigate('/app/home'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Discard changes?' }));
    await user.click(dialog.getByRole('button', { name: 'Keep Editing' }));
    expect(at()).toBe('/app/setting/edit');
    expect(screen.getByLabelText('Last Name')).toHaveValue('King');
  });

  it.each([
    ['is refused', () => failure(500, { errorMessage: 'Broken.' }), 'Broken.'],
    ['does not arrive', () => HttpResponse.error(), 'Network error. Please check your connection.'],
  ])('that %s says so, and keeps what was typed', async (_name, respond, text) => {
    const { user } = renderWithMockServer('/app/setting/edit');
    await user.type(await screen.findByLabelText('Last Name'), 'King');
    server.use(http.post('*/api/backend/profile/update', respond));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByLabelText('Last Name')).toHaveValue('King');
  });
});

describe('DeleteAccountConfirmation', () => {
  async function open() {
    const app = renderWithMockServer('/app/setting/edit');
    const zone = within(await screen.findByRole('region', { name: 'Danger Zone' }));
    await app.user.click(zone.getByRole('button', { name: 'Delete Account' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete Account' }));
    return { ...app, dialog };
  }

  it('requires the word to be typed', async () => {
    const { user, dialog } = await open();
    const button = dialog.getByRole('button', { name: 'Delete Account' });
    expect(button).toBeDisabled();
    await user.type(dialog.getByLabelText('Type DELETE to confirm'), 'delete');
    expect(button).toBeDisabled();
    await user.clear(dialog.getByLabelText('Type DELETE to confirm'));
    await user.type(dialog.getByLabelText('Type DELETE to confirm'), 'DELETE');
    expect(button).toBeEnabled();
  });

  it('deletes the account, confirms it and signs out', async () => {
    localStorage.setItem('morpion_recent_people', '[]');
    const { user, dialog, mock, at } = await open();
    await user.type(dialog.getByLabelText('Type DELETE to confirm'), 'DELETE{Enter}');
    const done = within(await screen.findByRole('dialog', { name: 'Account deleted' }));
    expect(mock.isSignedIn).toBe(false);
    await user.click(done.getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(at()).toBe('/hello'));
  });

  it.each([
    ['the server’s words', () => failure(409, { errorMessage: 'Not now.' }), 'Not now.'],
    ['its own', () => failure(500), 'Failed to delete account. Please try again.'],
    ['of the network', () => Response.error(), 'Network error. Please check your connection and try again.'],
  ])('shows what failed: %s', async (_name, respond, text) => {
    const { user, dialog } = await open();
    server.use(http.post('*/api/backend/delete/account', respond));
    await user.type(dialog.getByLabelText('Type DELETE to confirm'), 'DELETE{Enter}');
    expect(await dialog.findByText(text)).toBeInTheDocument();
  });
});

describe('Security', () => {
  it('lists sessions, and can end another one', async () => {
    const { user } = renderWithMockServer('/app/setting/security');
    expect(await screen.findByText('Firefox on Android')).toBeInTheDocument();
    expect(screen.getByText('This device')).toBeInTheDocument();
    expect(screen.getByText(/198\.51\.100\.7/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: /^Sign out Firefox on Android/ }));
    await waitFor(() => expect(screen.queryByText('Firefox on Android')).not.toBeInTheDocument());
  });

  it('changes the password', async () => {
    const { user, mock } = renderWithMockServer('/app/setting/security');
    await user.type(await screen.findByLabelText(/^Current password/), 'wrong');
    await user.type(screen.getByLabelText(/^New password/), 'Paper-and-1nk');
    await user.type(screen.getByLabelText(/^Retype the new password/), 'Paper-and-2nk');
    const change = screen.getByRole('button', { name: 'Change password' });
    await user.click(change);
    expect(await screen.findByText('Password must be the same')).toBeInTheDocument();
    await user.clear(screen.getByLabelText(/^Retype the new password/));
    await user.type(screen.getByLabelText(/^Retype the new password/), 'Paper-and-1nk');
    await user.click(change);
    expect((await screen.findAllByText('The current password is wrong.')).length).toBeGreaterThan(0);
    await user.clear(screen.getByLabelText(/^Current password/));
    await user.type(screen.getByLabelText(/^Current password/), 'Chalk-and-1nk');
    await user.click(change);
    expect(await screen.findByText(/Your password is changed/)).toBeInTheDocument();
    expect(mock.hasPassword('Paper-and-1nk')).toBe(true);
  });

  it('verifies the email with a code of 6 digits', async () => {
    const { user, mock } = renderWithMockServer('/app/setting/security');
    await user.click(await screen.findByRole('button', { name: 'Send code' }));
    const code = await screen.findByLabelText(/Verification code/);
    await user.type(code, '12345');
    await user.click(screen.getByRole('button', { name: 'Verify email' }));
    expect(await screen.findByText('code need to be 6 digit')).toBeInTheDocument();
    await user.clear(code);
    await user.type(code, '246810{Enter}');
    expect(await screen.findByText('Your email is verified.')).toBeInTheDocument();
    expect(mock.user.emailVerified).toBe(true);
  });

  it('accepts another email until the user’s email is verified', async () => {
    const { user, mock } = renderWithMockServer('/app/setting/security');
    const email = await screen.findByRole('textbox', { name: /^Email/ });
    await user.clear(email);
    await user.type(email, 'other@example.org{Enter}');
    expect(await screen.findByText('other@example.org')).toBeInTheDocument();
    expect(mock.user.email).toBe('other@example.org');
  });

  it('exports the user’s data as a file', async () => {
    const saved: Blob[] = [];
    URL.createObjectURL = (blob) => `blob:${saved.push(blob as Blob)}`;
    URL.revokeObjectURL = () => undefined;
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { user } = renderWithMockServer('/app/setting/security');
    await user.click(await screen.findByRole('button', { name: 'Download your data' }));
    await waitFor(() => expect(click).toHaveBeenCalledOnce());
    expect(saved[0]?.type).toBe('application/json');
    expect(click.mock.contexts[0]).toHaveProperty('download', 'morpion-data.json');
  });
});

describe('Preferences', () => {
  it('switches theme and sound', async () => {
    const { user, store } = renderWithMockServer('/app/setting/preferences');
    await screen.findByRole('heading', { name: 'Look and sound' });
    const main = within(screen.getByRole('main'));
    await user.click(main.getByRole('switch', { name: 'Dark theme' }));
    expect(store.getState().theme.mode).toBe('dark');
    await user.click(main.getByRole('switch', { name: 'Sound' }));
    expect(localStorage.getItem('morpion_sound')).toBe('true');
  });

  it('offers no calendar where no provider is configured', async () => {
    renderWithMockServer('/app/setting/preferences');
    await screen.findByRole('heading', { name: 'Look and sound' });
    expect(screen.queryByRole('button', { name: 'Connect calendar' })).not.toBeInTheDocument();
  });
});

describe('the calendar', () => {
  const provider = {
    name: 'Google',
    issuer: 'https://accounts.google.com',
    clientId: 'client-1',
    isGoogle: true,
    nonce: 'nonce-1',
    calendar: true,
  };
  const configured = http.get('*/api/auth/providers', () =>
    answer({ local: true, registration: true, guests: true, mail: true, provider }),
  );

  it('that cannot be connected says why', async () => {
    const { user } = renderWithMockServer('/app/setting/preferences');
    server.use(
      configured,
      http.get('*/api/auth/api/v1/calendar/auth-url', () => failure(503, { errorMessage: 'Not now.' })),
    );
    await user.click(await screen.findByRole('button', { name: 'Connect calendar' }));
    expect(await screen.findByText('Not now.')).toBeInTheDocument();
  });

  it('is shown as connected, and can be disconnected', async () => {
    let isConnected = true;
    const { user } = renderWithMockServer('/app/setting/preferences');
    server.use(
      configured,
      http.get('*/api/auth/api/v1/calendar/status', () => answer({ configured: true, connected: isConnected })),
      http.post('*/api/auth/calendar/disconnect', () => {
        isConnected = false;
        return answer({});
      }),
    );
    const card = within(await screen.findByRole('region', { name: 'Calendar' }));
    await user.click(await card.findByRole('button', { name: 'Disconnect calendar' }));
    expect(await card.findByText(/is not connected/)).toBeInTheDocument();
    expect(card.getByRole('button', { name: 'Connect calendar' })).toBeInTheDocument();
  });

  it.each([
    ['connected', 'Your calendar is connected.'],
    ['provider-denied', 'Your calendar could not be connected. Please try again.'],
  ])('returns from the provider as %s', async (result, text) => {
    const { router } = renderWithMockServer(`/app/setting/edit?calendar=${result}`);
    expect(await screen.findByText(text)).toBeInTheDocument();
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });
});

describe('the username', () => {
  it('is changed, and then cannot be changed for 30 days', async () => {
    const { user, mock } = renderWithMockServer('/app/setting/edit');
    const card = within(await screen.findByRole('region', { name: 'Your username' }));
    const field = card.getByLabelText('Username');
    expect(field).toHaveValue('ada');
    expect(card.getByRole('button', { name: 'Change username' })).toBeDisabled();
    await user.clear(field);
    await user.type(field, 'countess{Enter}');
    expect(await screen.findByText('Your username is changed.')).toBeInTheDocument();
    expect(mock.user.username).toBe('countess');
    expect(await card.findByText(/You can change it again on/)).toBeInTheDocument();
    expect(field).toHaveAttribute('readonly');
    expect(card.queryByRole('button', { name: 'Change username' })).toBeNull();
  });
});

describe('the email', () => {
  it('is changed with the password and a code sent to the new one', async () => {
    const { user, mock } = renderWithMockServer('/app/setting/security');
    mock.update({ emailVerified: true });
    const card = within(await screen.findByRole('region', { name: 'Email' }));
    await user.click(await card.findByRole('button', { name: 'Change email' }));
    await user.type(card.getByLabelText(/^New email/), 'ada@new.example.org');
    await user.type(card.getByLabelText(/^Your password/), 'wrong{Enter}');
    expect(await card.findByText('The password is wrong.')).toBeInTheDocument();
    await user.clear(card.getByLabelText(/^Your password/));
    await user.type(card.getByLabelText(/^Your password/), 'Chalk-and-1nk{Enter}');
    await user.type(await card.findByLabelText(/^Verification code/), `${MOCK_CODE}{Enter}`);
    expect(await card.findByText('ada@new.example.org')).toBeInTheDocument();
    expect(mock.user.email).toBe('ada@new.example.org');
  });

  it('is restored by the link in the mail, after a click', async () => {
    const { user, mock } = renderWithMockServer(`/email-undo?token=${MOCK_UNDO}`);
    const { userId, email: old } = mock.user;
    mock.accountState.undo = { userId, email: old };
    mock.update({ email: 'thief@example.org' });
    await user.click(await screen.findByRole('button', { name: 'Undo the change' }));
    expect(await screen.findByRole('heading', { name: 'Your email was restored' })).toBeInTheDocument();
    expect(mock.isSignedIn).toBe(false);
    expect(mock.find((each) => each.userId === userId).email).toBe(old);
  });
});

describe('Support', () => {
  it('has the placeholder, and help below it', async () => {
    renderWithMockServer('/app/setting/help');
    const placeholder = await screen.findByText('Help center coming soon...');
    const answer = screen.getByText('How do I play a friend?');
    expect(placeholder.compareDocumentPosition(answer) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });

  it.each([
    ['Legal Information', '/legal'],
    ['Terms & Conditions', '/terms'],
    ['Privacy Policy', '/privacy-policy'],
  ])('links %s', async (label, to) => {
    renderWithMockServer('/app/setting/termsCondition');
    const legal = within(await screen.findByRole('navigation', { name: 'Legal' }));
    expect(legal.getByRole('link', { name: label })).toHaveAttribute('href', to);
  });

  it('names the minimum age and the consent', async () => {
    renderWithMockServer('/app/setting/termsCondition');
    expect((await screen.findAllByText(/at least 13 years old/)).length).toBeGreaterThan(0);
  });

  it('has the link to Pro under Manage Subscription', async () => {
    renderWithMockServer('/app/setting/subscription');
    const section = within(await screen.findByRole('region', { name: 'Manage Subscription' }));
    expect(await section.findByRole('heading', { name: 'Morpion Pro' })).toBeInTheDocument();
  });
});

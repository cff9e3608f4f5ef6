import { cleanup, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { DEMO } from '@/testing/mocks/mockServer';
import { BREACHED_PASSWORD } from '@/testing/mocks/serverRules';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { answer, failure, server } from '@/testing/server';

const NEW_PASSWORD = 'Paper-and-1nk';

async function toCode(email: string = DEMO.email) {
  const app = renderWithMockServer('/changepassword', { asVisitor: true });
  await app.user.type(await screen.findByLabelText(/^Email/), `${email}{Enter}`);
  await screen.findByText('Enter the verification code');
  return app;
}

async function toPassword() {
  const app = await toCode();
  await app.user.type(screen.getByLabelText(/^Verification code/), '246810{Enter}');
  await screen.findByRole('heading', { name: 'Set a new password' });
  return app;
}

describe('recovery', () => {
  it('takes three steps and ends at /login with the new password', async () => {
    const { user, at, mock } = await toPassword();
    await user.type(screen.getByLabelText(/^New password/), NEW_PASSWORD);
    await user.type(screen.getByLabelText(/^Retype the new password/), `${NEW_PASSWORD}{Enter}`);
    // Nobody confirmed the email of this account yet, so whose it is has to be said first.
    expect(await screen.findByText(/was made with this email, but nobody confirmed that/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'It’s not mine: sign up' })).toHaveAttribute('href', '/register');
    expect(mock.signIn(DEMO.email, NEW_PASSWORD)).toBe(false);
    await user.click(screen.getByRole('button', { name: 'It’s mine: open it' }));
    await waitFor(() => expect(at()).toBe('/login'));
    expect(mock.signIn(DEMO.email, NEW_PASSWORD)).toBe(true);
    expect(await screen.findByRole('status')).toHaveTextContent('Your password has been changed.');
    expect(screen.getByLabelText(/^Email or username/)).toHaveValue(DEMO.email);
    expect(sessionStorage.getItem('morpion_recovery')).toBeNull();
  });

  it.each([
    ['2', toCode, 'Check your email'],
    ['3', toPassword, 'Set a new password'],
  ])('is at step %s again when the phone has dropped the page meanwhile', async (_step, go, title) => {
    const { unmount } = await go();
    unmount();
    renderWithMockServer('/changepassword', { asVisitor: true });
    expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
    const kept = sessionStorage.getItem('morpion_recovery') ?? '';
    expect(Object.keys(JSON.parse(kept) as object).toSorted()).toEqual(['at', 'email', 'name']);
  });

  it('begins anew where what was kept is old, odd, or of an email that was wrong', async () => {
    const { user } = await toCode();
    await user.click(screen.getByRole('button', { name: 'Use another email' }));
    expect(await screen.findByLabelText(/^Email/)).toBeInTheDocument();
    for (const kept of [{ name: 'code', email: DEMO.email, at: 0 }, { name: 'code', at: Date.now() }, 7]) {
      cleanup();
      sessionStorage.setItem('morpion_recovery', JSON.stringify(kept));
      renderWithMockServer('/changepassword', { asVisitor: true });
      expect(await screen.findByRole('heading', { name: 'Forgot your password?' })).toBeInTheDocument();
    }
  });

  it('leads back to the first step when the code is over', async () => {
    const { user } = await toPassword();
    server.use(http.post('*/api/auth/api/v1/update-password', () => failure(403, { errorCode: 'code-needed' })));
    await user.type(screen.getByLabelText(/^New password/), NEW_PASSWORD);
    await user.type(screen.getByLabelText(/^Retype the new password/), `${NEW_PASSWORD}{Enter}`);
    await user.click(await screen.findByRole('button', { name: 'Start again' }));
    expect(await screen.findByRole('heading', { name: 'Forgot your password?' })).toBeInTheDocument();
  });

  it('asks for an email first', async () => {
    const { user } = renderWithMockServer('/changepassword', { asVisitor: true });
    const email = await screen.findByLabelText(/^Email/);
    expect(email).toBeRequired();
    expect(email).toHaveAttribute('type', 'email');
    await user.type(email, 'nobody{Enter}');
    expect(await screen.findByText('Please enter a valid email address.')).toBeInTheDocument();
  });

  it.each(['12345', '12345a', ''])('refuses the code %j: code need to be 6 digit', async (code) => {
    const { user } = await toCode();
    await user.type(screen.getByLabelText(/^Verification code/), `${code}{Enter}`);
    expect(await screen.findByText('code need to be 6 digit')).toBeInTheDocument();
  });

  it('sends the code as a number', async () => {
    const { user } = await toCode();
    let sent: unknown;
    server.use(
      http.post('*/api/auth/api/v1/validate-verification-code', async ({ request }) => {
        sent = await request.json();
        return answer({});
      }),
    );
    await user.type(screen.getByLabelText(/^Verification code/), '123456{Enter}');
    await waitFor(() => expect(sent).toEqual({ email: DEMO.email, code: 123456 }));
  });

  it('does not continue after a wrong code, and shows why', async () => {
    const { user } = await toCode();
    await user.type(screen.getByLabelText(/^Verification code/), '111111{Enter}');
    expect(await screen.findByText('The code is wrong or has expired.')).toBeInTheDocument();
    expect(screen.getByText('Enter the verification code')).toBeInTheDocument();
  });

  it.each([
    ['', '', 'Password cannot be empty'],
    ['Ab1!', 'Ab1!', 'Password must be at least 8 characters.'],
    ['abcdefg1!', 'abcdefg1!', 'Password must contain at least one uppercase letter.'],
    ['ABCDEFG1!', 'ABCDEFG1!', 'Password must contain at least one lowercase letter.'],
    ['Abcdefgh!', 'Abcdefgh!', 'Password must contain at least one digit.'],
    ['Abcdefgh1', 'Abcdefgh1', 'Password must contain at least one special character.'],
    ['Abcdefg1!', 'Abcdefg2!', 'Password must be the same'],
  ])('refuses the password %j and %j: %s', async (password, retyped, text) => {
    const { user } = await toPassword();
    if (password !== '') await user.type(screen.getByLabelText(/^New password/), password);
    if (retyped !== '') await user.type(screen.getByLabelText(/^Retype the new password/), retyped);
    await user.click(screen.getByRole('button', { name: 'Set password' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  it('shows at the field and above the button that the password was breached', async () => {
    const { user, at } = await toPassword();
    await user.type(screen.getByLabelText(/^New password/), BREACHED_PASSWORD);
    await user.type(screen.getByLabelText(/^Retype the new password/), `${BREACHED_PASSWORD}{Enter}`);
    expect(await screen.findAllByText(/appeared in a data breach/)).toHaveLength(2);
    expect(at()).toBe('/changepassword');
  });

  it('stays when the server refuses the password', async () => {
    const { user, at } = await toPassword();
    server.use(
      http.post('*/api/auth/api/v1/update-password', () =>
        failure(422, { errorMessage: 'This password is too common.' }),
      ),
    );
    await user.type(screen.getByLabelText(/^New password/), NEW_PASSWORD);
    await user.type(screen.getByLabelText(/^Retype the new password/), `${NEW_PASSWORD}{Enter}`);
    expect(await screen.findByText('This password is too common.')).toBeInTheDocument();
    expect(at()).toBe('/changepassword');
  });

  it.each([
    ['1', async () => void renderWithMockServer('/changepassword', { asVisitor: true })],
    ['2', toCode],
    ['3', toPassword],
  ])('has a link back to the login at step %s, and no accessibility violations', async (_step, go) => {
    await go();
    const link = await screen.findByRole('link', { name: 'Click here' });
    expect(link).toHaveAttribute('href', '/login');
    expect(link.parentElement).toHaveTextContent('Remember your login? Click here');
    await expectAccessible();
  });

  it('is linked from the login page', async () => {
    renderWithMockServer('/login', { asVisitor: true });
    expect(await screen.findByRole('link', { name: 'Forgot your password?' })).toHaveAttribute(
      'href',
      '/changepassword',
    );
  });
});

import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { renderWithMockServer } from '@/testing/renderWithMockServer';

async function register() {
  const app = renderWithMockServer('/register', { asVisitor: true });
  await app.user.type(await screen.findByLabelText(/^Username/), 'eve');
  await app.user.type(screen.getByLabelText(/^Email/), 'eve@example.org');
  await app.user.type(screen.getByLabelText(/^Password/), 'Paper-and-1nk{Enter}');
  await screen.findByRole('heading', { name: 'Set up your account' });
  return app;
}

describe('/app/accountSetup', () => {
  it('is shown after registering, with the code already sent', async () => {
    const { user, at, mock } = await register();
    expect(at()).toBe('/app/accountSetup');
    await waitFor(() => expect(mock.accountState.isEmailCodeOut).toBe(true));
    await user.type(await screen.findByLabelText(/^Verification code/), '246810');
    await user.click(screen.getByRole('button', { name: 'Verify email' }));
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Your email' })).not.toBeInTheDocument());
    expect(mock.user.emailVerified).toBe(true);
  });

  it('suggests a name, accepts the user’s own, and continues to Home', async () => {
    const { user, at, mock } = await register();
    const name = screen.getByLabelText('Display Name');
    expect(name).toHaveValue('eve');
    await user.click(screen.getByRole('button', { name: 'Suggest a name' }));
    await waitFor(() => expect(name).not.toHaveValue('eve'));
    // Nothing is saved before the user agrees.
    expect(mock.user.displayName).toBe('eve');
    await user.clear(name);
    await user.click(screen.getByRole('button', { name: 'Start playing' }));
    expect(await screen.findByText('Display name must be 1 to 40 characters.')).toBeInTheDocument();
    await user.type(name, 'Evelyn{Enter}');
    await waitFor(() => expect(at()).toBe('/app/home'));
    expect(mock.user.displayName).toBe('Evelyn');
  });

  it('can be skipped', async () => {
    const { user, at } = await register();
    await user.click(screen.getByRole('link', { name: 'Later' }));
    await waitFor(() => expect(at()).toBe('/app/home'));
  });

  it('is skipped when a visitor wanted to open another page', async () => {
    localStorage.setItem('intendedUrl', '/app/practice');
    const { user, at } = renderWithMockServer('/register', { asVisitor: true });
    await user.type(await screen.findByLabelText(/^Username/), 'eve');
    await user.type(screen.getByLabelText(/^Email/), 'eve@example.org');
    await user.type(screen.getByLabelText(/^Password/), 'Paper-and-1nk{Enter}');
    await waitFor(() => expect(at()).toBe('/app/practice'));
  });

  it('has no accessibility violations', async () => {
    await register();
    await expectAccessible();
  });
});

import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { installSteps } from '@/shared/site/install';
import { listenForInstall } from '@/shared/site/installPrompt';
import { renderApp } from '@/testing/renderApp';
import { ada, answer, failure, server, visitor } from '@/testing/server';

const site = (told: Record<string, string>) => http.get('*/api/backend/site', () => answer(told));
const providers = (told: Record<string, boolean>) =>
  http.get('*/api/auth/providers', () => answer({ local: true, registration: true, mail: false, ...told }));

beforeEach(() => server.use(...visitor));

describe('the landing page', () => {
  it.each(['/', '/hello'])('is at %s with all its sections', async (path) => {
    renderApp(path);
    for (const name of ['Game Modes', 'Ready to Compete?', 'Take it with you']) {
      expect(await screen.findByRole('heading', { level: 2, name })).toBeInTheDocument();
    }
    for (const name of ['Practice with AI', 'Local Multiplayer', 'Tournaments & Events']) {
      expect(screen.getByRole('heading', { name }).closest('a')).toHaveAttribute('href', '/register');
    }
    for (const name of ['Win Prizes', 'Global Competition', 'Multiple Formats']) {
      expect(screen.getByRole('heading', { name })).toBeInTheDocument();
    }
    const footer = within(screen.getByRole('contentinfo'));
    for (const [name, href] of [
      ['Tournaments', '/tournaments'],
      ['Legal Information', '/legal'],
      ['Terms & Conditions', '/terms'],
      ['Privacy Policy', '/privacy-policy'],
      ['Cookies Policy', '/cookies'],
    ] as const) {
      expect(footer.getByRole('link', { name })).toHaveAttribute('href', href);
    }
  });

  it('offers to install the site where no iOS app is configured, by the browser’s prompt or by hand; Android is SOON', async () => {
    const { user } = renderApp('/');
    const [hero, download] = await screen.findAllByRole('list', { name: 'Apps' });
    for (const badges of [hero, download]) {
      const [ios, android] = within(badges!).getAllByRole('listitem');
      expect(ios).toHaveTextContent('Install the Web appNEW');
      expect(android).toHaveTextContent('Coming to AndroidSOON');
      expect(within(badges!).queryByRole('link')).toBeNull();
    }
    const button = within(hero!).getByRole('button', { name: /Web app/ });
    await user.click(button);
    expect(within(hero!).getByRole('status')).toHaveTextContent('Open your browser’s menu');
    expect(button).toHaveAttribute('aria-expanded', 'true');

    listenForInstall();
    const prompt = vi.fn(() => Promise.resolve({ outcome: 'accepted' }));
    const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
    act(() => void window.dispatchEvent(offer));
    expect(offer.defaultPrevented).toBe(true);
    await user.click(button);
    expect(prompt).toHaveBeenCalledOnce();
  });

  it.each([
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1', 5, /Share.*Add to Home Screen/],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1', 5, /Share.*Add to Home Screen/],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1', 0, /Add to Dock/],
    ['Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari/537.36', 5, /browser’s menu/],
  ])('explains how on %s with %d touch points', (userAgent, touchPoints, steps) => {
    expect(installSteps(userAgent, touchPoints)).toMatch(steps);
  });

  it('links the apps to the configured URLs', async () => {
    server.use(site({ iosAppUrl: 'https://apps.example.org/ios', androidAppUrl: 'https://apps.example.org/android' }));
    renderApp('/');
    const [ios] = await screen.findAllByRole('link', { name: /iOS/ });
    expect(ios).toHaveAttribute('href', 'https://apps.example.org/ios');
    expect(screen.getAllByRole('link', { name: /Android/ })[0]).toHaveAttribute(
      'href',
      'https://apps.example.org/android',
    );
  });

  it.each(['/', '/hello'])('takes a guest from %s straight to practice', async (path) => {
    server.use(
      providers({ guests: true }),
      http.post('*/api/auth/guest', () => answer({ isLogIn: true, user: { ...ada, isTempUser: true } })),
      http.post('*/api/auth/secure/token/refresh', () => answer({})),
    );
    const { user, at } = renderApp(path);
    await user.click(await screen.findByRole('button', { name: 'Play as guest' }));
    await waitFor(() => expect(at()).toBe('/app/practice'));
    expect(localStorage.getItem('intendedUrl')).toBeNull();
  });

  it('shows why a guest cannot enter', async () => {
    server.use(
      providers({ guests: true }),
      http.post('*/api/auth/guest', () => failure(429, { errorMessage: 'Too many guests from your address.' })),
    );
    const { user, at } = renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Play as guest' }));
    expect(await screen.findByText('Too many guests from your address.')).toBeInTheDocument();
    expect(at()).toBe('/');
  });

  it('does not offer guest access where it is off', async () => {
    server.use(providers({ guests: false }), site({ operatorName: 'Ann' }));
    renderApp('/');
    await screen.findByText(/Run by Ann/);
    expect(screen.queryByRole('button', { name: 'Play as guest' })).toBeNull();
  });
});

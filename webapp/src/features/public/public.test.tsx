import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '@/api/events';
import { LEGAL_UPDATED } from '@/shared/legal';
import { contactHref } from '@/shared/site/operator';
import { PUBLIC_PAGES } from '@/shared/site/publicPages';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, failure, server, signedInAsAda, visitor } from '@/testing/server';

const site = (told: Record<string, string>) => http.get('*/api/backend/site', () => answer(told));

const pagination = { currentPage: 1, limit: 6, totalCount: 1, hasPrevPage: false, hasNextPage: false };

const event: Event = {
  _id: '20000000-0000-4000-8000-000000000001',
  eventId: '20000000-0000-4000-8000-000000000001',
  title: 'Friday Night Rows',
  description: 'An hour of quick games.',
  eventState: 'published',
  eventType: 'open',
  maxLosses: 3,
  ratedOnOneNetwork: false,
  isPrivate: false,
  format: 'arena',
  boardSize: 'byLevel',
  clock: 'turn15',
  signupCount: 1,
  participantCount: 0,
  concluded: false,
  gamesInPlay: 0,
  announcements: [],
  startTime: '2027-01-01T18:00:00Z',
  winners: [],
  createdAt: '2026-11-01T00:00:00Z',
  updatedAt: '2026-11-01T00:00:00Z',
};

/** A hash: it differs where texts differ. */
function markOf(text: string): number {
  let mark = 0;
  for (const letter of text) mark = (Math.imul(mark, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  return mark;
}

beforeEach(() => server.use(...visitor));

describe('the legal pages', () => {
  it.each([
    ['/legal', 'Legal Information'],
    ['/terms', 'Terms & Conditions'],
    ['/termsconditon', 'Terms & Conditions'],
    ['/privacy-policy', 'Privacy Policy'],
    ['/privacy', 'Privacy Policy'],
    ['/cookies', 'Cookies Policy'],
  ])('%s has the heading %s, the day of its last update and a Back button', async (path, heading) => {
    const { user, at } = renderApp(path);
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeInTheDocument();
    expect(screen.getByText(/^Last updated: [A-Z][a-z]+ \d{1,2}, \d{4}$/)).toBeInTheDocument();
    expect(document.title).toBe(PUBLIC_PAGES[path]?.title);
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(at()).toBe('/'));
  });

  it('are linked from the hub, and Back returns there', async () => {
    const { user, at } = renderApp('/legal');
    const hub = within(await screen.findByRole('main'));
    expect(hub.getByRole('link', { name: /Terms & Conditions/ })).toHaveAttribute('href', '/terms');
    expect(hub.getByRole('link', { name: /Privacy Policy/ })).toHaveAttribute('href', '/privacy-policy');
    await user.click(hub.getByRole('link', { name: /Privacy Policy/ }));
    await screen.findByRole('heading', { level: 1, name: 'Privacy Policy' });
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(at()).toBe('/legal'));
  });

  // A changed text needs a new date in shared/legal/updated.ts, and a new number here.
  it.each([
    ['terms', '2026-11-24', 'November 24, 2026', 999285799],
    ['privacy', '2026-11-29', 'November 29, 2026', 654117266],
    ['cookies', '2026-11-30', 'November 30, 2026', 1308663001],
  ] as const)('/%s has the day of its last change, %s', async (name, day, text, mark) => {
    renderApp(`/${name}`);
    await screen.findByText(`Last updated: ${text}`);
    expect(LEGAL_UPDATED[name]).toBe(day);
    const words = [...document.querySelectorAll('main section')].map(({ textContent }) => textContent).join('\n');
    expect(markOf(words)).toBe(mark);
  });

  it('state the minimum age of 13 and the consent needed under 18', async () => {
    renderApp('/terms');
    const text = await screen.findByText(/You must be at least 13 years old/);
    expect(text).toHaveTextContent('If you are under 18, you need the consent of a parent or guardian');
  });

  it('name the configured operator and their contact', async () => {
    server.use(site({ operatorName: 'Ann’s games', operatorContact: 'ann@example.org' }));
    renderApp('/terms');
    const main = within(await screen.findByRole('main'));
    await waitFor(() => expect(main.getByText(/This server is run by Ann’s games/)).toBeInTheDocument());
    expect(main.getByRole('link', { name: 'ann@example.org' })).toHaveAttribute('href', 'mailto:ann@example.org');
    expect(screen.getByRole('contentinfo')).toHaveTextContent('Run by Ann’s games');
  });

  it('show when no operator is configured', async () => {
    renderApp('/privacy');
    expect(await screen.findByText(/This server is run by the operator of this server/)).toBeInTheDocument();
    expect(screen.getAllByText(/has not published an address/).length).toBeGreaterThan(0);
  });

  it.each([
    ['https://example.org/us', 'https://example.org/us'],
    ['mailto:a@example.org', 'mailto:a@example.org'],
    ['a@example.org', 'mailto:a@example.org'],
    ['javascript:alert(1)', 'mailto:javascript:alert(1)'],
  ])('never run a contact as a script: %s', (contact, href) => {
    expect(contactHref(contact)).toBe(href);
  });
});

describe('the cookies policy', () => {
  /** The names in the sources of everything that is stored in a browser. */
  const sources = import.meta.glob<string>(['/src/**/*.{ts,tsx}', '!/src/**/*.test.*', '!/src/testing/**'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const kept = new Set(
    Object.entries(sources)
      .filter(([path]) => !path.startsWith('/src/shared/legal/'))
      .flatMap(([, text]) => [...text.matchAll(/['"`](morpion_\w+|intendedUrl)['"`]/g)].map(([, name]) => name ?? '')),
  );

  it('names everything that the program stores in a browser', async () => {
    renderApp('/cookies');
    const main = await screen.findByRole('main');
    expect(kept).toContain('morpion_theme');
    for (const name of [...kept, 'XSRF-TOKEN', 'morpion_session', 'morpion_device']) {
      expect(within(main).getByText(name)).toBeInTheDocument();
    }
  });
});

describe('/tournaments', () => {
  const events = (found: Event[]) =>
    actions('event', { list_events: () => answer({ events: found as never, pagination }) });

  it('links to /register', async () => {
    server.use(...events([]).handlers);
    renderApp('/tournaments');
    expect(await screen.findByRole('link', { name: 'Join a tournament' })).toHaveAttribute('href', '/register');
  });

  it('shows upcoming public events, and those under way', async () => {
    const live = {
      ...event,
      eventId: 'e2',
      title: 'Now',
      eventState: 'started',
      prize: 'A cup',
      signupCount: 12,
    } as const;
    const { calls, handlers } = events([live, event]);
    server.use(...handlers);
    renderApp('/tournaments');
    const card = (await screen.findByRole('heading', { name: 'Friday Night Rows' })).closest('a');
    expect(card).toHaveAttribute('href', `/app/events/view/${event.eventId}`);
    expect(card).toHaveTextContent('January 1, 2027');
    expect(card).toHaveTextContent('1 player signed up');
    const under = screen.getByRole('heading', { name: 'Now' }).closest('a');
    expect(under).toHaveTextContent('Live now');
    expect(under).toHaveTextContent('Prize: A cup');
    expect(under).toHaveTextContent('12 players signed up');
    expect(calls[0]?.payload).toEqual({ filter: { eventState: ['started', 'published'] }, limit: 6 });
  });

  it('shows when no event is announced', async () => {
    server.use(...events([]).handlers);
    renderApp('/tournaments');
    expect(await screen.findByText(/No tournament is announced right now/)).toBeInTheDocument();
  });

  it('shows when the list cannot be loaded, and can be retried', async () => {
    let isUp = false;
    const { handlers } = actions('event', {
      list_events: () => (isUp ? answer({ events: [event as never], pagination }) : failure(503)),
    });
    server.use(...handlers);
    const { user } = renderApp('/tournaments');
    expect(await screen.findByText('The list of events could not be loaded.')).toBeInTheDocument();
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Friday Night Rows' })).toBeInTheDocument();
  });
});

describe('the public header', () => {
  it('links to the landing page, the tournaments, the sign-in and the sign-up', async () => {
    renderApp('/legal');
    const header = within(await screen.findByRole('banner'));
    expect(header.getByRole('link', { name: 'Morpion' })).toHaveAttribute('href', '/');
    expect(header.getByRole('link', { name: 'Tournaments' })).toHaveAttribute('href', '/tournaments');
    expect(header.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
    expect(header.getByRole('link', { name: 'Sign Up' })).toHaveAttribute('href', '/register');
  });
});

describe('the public header of somebody signed in', () => {
  it('shows their name and a link back to the app, without sign-in links', async () => {
    server.use(...signedInAsAda);
    renderApp('/terms');
    const header = within(await screen.findByRole('banner'));
    expect(await header.findByRole('link', { name: 'Home, signed in as Ada' })).toHaveAttribute('href', '/app/home');
    for (const name of ['Login', 'Sign Up']) expect(screen.queryByRole('link', { name })).toBeNull();
    expect(within(screen.getByRole('contentinfo')).getByRole('link', { name: 'Home' })).toBeInTheDocument();
  });

  it('still offers guests an account', async () => {
    server.use(http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada, isTempUser: true } })));
    server.use(http.post('*/api/auth/secure/token/refresh', () => answer({})));
    renderApp('/terms');
    const header = within(await screen.findByRole('banner'));
    expect(await header.findByRole('link', { name: /signed in as Ada/ })).toBeInTheDocument();
    expect(header.getByRole('link', { name: 'Sign Up' })).toHaveAttribute('href', '/register');
  });
});

describe('the KYC screen', () => {
  beforeEach(() => server.use(...signedInAsAda));

  it('links to the configured address', async () => {
    server.use(site({ kycUrl: 'https://kyc.example.org/start' }));
    renderApp('/app/kyc');
    expect(await screen.findByRole('heading', { name: 'Welcome to KYC Verification' })).toBeInTheDocument();
    const way = await screen.findByRole('link', { name: 'Verify Now' });
    expect(way).toHaveAttribute('href', 'https://kyc.example.org/start');
  });

  it('does not exist where no address is configured', async () => {
    const { at } = renderApp('/app/kyc');
    await waitFor(() => expect(at()).toBe('/app/home'));
  });

  it.each([true, false])(
    'is found in the settings where it is configured (%s), and only there',
    async (isConfigured) => {
      if (isConfigured) server.use(site({ kycUrl: 'https://kyc.example.org/start' }));
      server.use(
        http.get('*/api/auth/providers', () => answer({ local: true, registration: true, guests: false, mail: false })),
        http.get('*/api/auth/sessions', () => answer({ sessions: [] })),
      );
      renderApp('/app/setting/security');
      const region = await screen.findByRole('region', { name: 'Security' });
      await within(region).findByText('Where you are signed in');
      if (isConfigured) {
        const link = await within(region).findByRole('link', { name: 'Verify your identity' });
        expect(link).toHaveAttribute('href', '/app/kyc');
      } else {
        expect(within(region).queryByRole('link', { name: 'Verify your identity' })).toBeNull();
      }
    },
  );
});

describe('the heads of the public pages', () => {
  it('differ where the pages differ, and are as long as search engines show them', () => {
    const own = Object.values(PUBLIC_PAGES).filter(({ canonical }) => canonical === undefined);
    expect(new Set(own.map(({ title }) => title)).size).toBe(own.length);
    expect(new Set(own.map(({ description }) => description)).size).toBe(own.length);
    for (const { title, description } of own) {
      expect(title.length).toBeLessThanOrEqual(60);
      expect(description.length).toBeGreaterThanOrEqual(50);
      expect(description.length).toBeLessThanOrEqual(160);
    }
  });
});

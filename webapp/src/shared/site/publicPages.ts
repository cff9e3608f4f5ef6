import { TITLES } from './titles.ts';

/**
 * The public pages with their metadata for search engines and link previews. The build writes a document for each, and
 * the sitemap (scripts/publicPages.ts).
 */
export interface PublicPage {
  title: string;
  description: string;
  /** The files below src whose styles are inlined in the document. Those in the first chunk need not be listed. */
  modules: readonly string[];
  /** Signed-in users are redirected. */
  forVisitors?: true;
  /** The canonical path, if this is an alias. */
  canonical?: string;
}

const PUBLIC_LAYOUT = 'app/layouts/PublicLayout.tsx';
const AUTH_LAYOUT = 'app/layouts/AuthLayout.tsx';

const LANDING: PublicPage = {
  title: TITLES['/'],
  description:
    'Tic-Tac-Toe on boards of 3 to 6 cells a side: practice against an AI that never loses, play a friend, and climb the leaderboard of timed tournaments.',
  modules: [],
  forVisitors: true,
};

const TERMS: PublicPage = {
  title: TITLES['/terms'],
  description: 'The rules of playing here: accounts, fair play, events and prizes, the Pro plan, and how it ends.',
  modules: [PUBLIC_LAYOUT, 'features/public/TermsPage.tsx'],
};

const PRIVACY: PublicPage = {
  title: TITLES['/privacy-policy'],
  description: 'What this server keeps about you, why, for how long, who sees it, and how to take it away again.',
  modules: [PUBLIC_LAYOUT, 'features/public/PrivacyPage.tsx'],
};

/** By path. */
export const PUBLIC_PAGES: Readonly<Record<string, PublicPage>> = {
  '/': LANDING,
  '/hello': { ...LANDING, canonical: '/' },
  '/tournaments': {
    title: TITLES['/tournaments'],
    description:
      'Timed Tic-Tac-Toe tournaments: fifteen seconds a turn, opponents at your level, boards that grow as you climb. See what is on next.',
    modules: [PUBLIC_LAYOUT, 'features/public/TournamentsPage.tsx'],
  },
  '/login': {
    title: TITLES['/login'],
    description: 'Sign in to your account and go on where your games are waiting.',
    modules: [AUTH_LAYOUT, 'features/auth/LoginPage.tsx'],
    forVisitors: true,
  },
  '/register': {
    title: TITLES['/register'],
    description: 'Sign up to get started: practice, invite a friend, join tournaments. Free.',
    modules: [AUTH_LAYOUT, 'features/auth/RegisterPage.tsx'],
    forVisitors: true,
  },
  '/legal': {
    title: TITLES['/legal'],
    description: 'The terms, the privacy policy and the cookies of this server, and who runs it.',
    modules: [PUBLIC_LAYOUT, 'features/public/LegalPage.tsx'],
  },
  '/terms': TERMS,
  '/termsconditon': { ...TERMS, canonical: '/terms' },
  '/privacy-policy': PRIVACY,
  '/privacy': { ...PRIVACY, canonical: '/privacy-policy' },
  '/cookies': {
    title: TITLES['/cookies'],
    description: 'Every cookie and every note this site leaves in your browser, by name, and what each is for.',
    modules: [PUBLIC_LAYOUT, 'features/public/CookiesPage.tsx'],
  },
};

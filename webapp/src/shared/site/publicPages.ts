/**
 * The pages that anybody may read, and what search engines and link previews are told of them. The build makes a head
 * of its own for each, and the sitemap (scripts/publicPages.ts).
 */
export interface PublicPage {
  title: string;
  description: string;
  /** The file of the page's component, below src, so that its chunk is asked for with the document. */
  module: string;
  /** Another address of the same page, which is the one to remember. */
  canonical?: string;
}

const LANDING: PublicPage = {
  title: 'Morpion · Tic-Tac-Toe with friends and in tournaments',
  description:
    'Tic-Tac-Toe on boards of 3 to 6 cells a side: practice against an AI that never loses, play a friend, and climb the leaderboard of timed tournaments.',
  module: 'features/landing/LandingPage.tsx',
};

const TERMS: PublicPage = {
  title: 'Terms & Conditions · Morpion',
  description: 'The rules of playing here: accounts, fair play, events and prizes, the Pro plan, and how it ends.',
  module: 'features/public/TermsPage.tsx',
};

const PRIVACY: PublicPage = {
  title: 'Privacy Policy · Morpion',
  description: 'What this server keeps about you, why, for how long, who sees it, and how to take it away again.',
  module: 'features/public/PrivacyPage.tsx',
};

export const PUBLIC_PAGES = {
  '/': LANDING,
  '/hello': { ...LANDING, canonical: '/' },
  '/tournaments': {
    title: 'Tournaments · Morpion',
    description:
      'Timed Tic-Tac-Toe tournaments: fifteen seconds a turn, opponents at your level, boards that grow as you climb. See what is on next.',
    module: 'features/public/TournamentsPage.tsx',
  },
  '/login': {
    title: 'Welcome back · Morpion',
    description: 'Sign in to your account and go on where your games are waiting.',
    module: 'features/auth/LoginPage.tsx',
  },
  '/register': {
    title: 'Create Account · Morpion',
    description: 'Sign up to get started: practice, invite a friend, join tournaments. Free.',
    module: 'features/auth/RegisterPage.tsx',
  },
  '/legal': {
    title: 'Legal Information · Morpion',
    description: 'The terms, the privacy policy and the cookies of this server, and who runs it.',
    module: 'features/public/LegalPage.tsx',
  },
  '/terms': TERMS,
  '/termsconditon': { ...TERMS, canonical: '/terms' },
  '/privacy-policy': PRIVACY,
  '/privacy': { ...PRIVACY, canonical: '/privacy-policy' },
  '/cookies': {
    title: 'Cookies Policy · Morpion',
    description: 'Every cookie and every note this site leaves in your browser, by name, and what each is for.',
    module: 'features/public/CookiesPage.tsx',
  },
} as const satisfies Record<string, PublicPage>;

export type PublicPath = keyof typeof PUBLIC_PAGES;

/** The titles of the public pages. */
export const TITLES = {
  '/': 'Morpion · Tic-Tac-Toe with friends and in tournaments',
  '/tournaments': 'Tournaments · Morpion',
  '/login': 'Welcome back · Morpion',
  '/register': 'Create Account · Morpion',
  '/legal': 'Legal Information · Morpion',
  '/terms': 'Terms & Conditions · Morpion',
  '/privacy-policy': 'Privacy Policy · Morpion',
  '/cookies': 'Cookies Policy · Morpion',
} as const;

export type TitledPath = keyof typeof TITLES;

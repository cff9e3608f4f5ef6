/** What the page that sets a forgotten password tells /login, in the state of the navigation. */
export interface PasswordSet {
  passwordSetFor: string;
}

/** The email that a password was just set for. */
export function passwordSetFor(state: unknown): string | null {
  const email = (state as Partial<PasswordSet> | null)?.passwordSetFor;
  return typeof email === 'string' ? email : null;
}

/** What a page that sets a new password tells /login, in the state of the navigation. */
export interface PasswordSet {
  passwordSetFor: string;
}

/** The email or username that a password was just set for. */
export function passwordSetFor(state: unknown): string | null {
  const account = (state as Partial<PasswordSet> | null)?.passwordSetFor;
  return typeof account === 'string' ? account : null;
}

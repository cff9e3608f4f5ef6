/** Error texts for sign-ins that failed elsewhere, at a provider or in the second step, by the server's codes. */
const TEXTS: Record<string, string> = {
  'provider-denied': 'You did not allow the sign-in, so nothing was changed.',
  'provider-email-unverified': 'Your provider has not verified your email. Please verify it there, then try again.',
  'provider-not-allowed': 'Your account there is not allowed to sign in here. Please ask whoever runs this server.',
  'provider-flow-over': 'This sign-in was not started in this browser, or took too long. Please try again.',
  'sign-in-expired': 'This sign-in took too long or had too many wrong tries. Please sign in again.',
  'no-password':
    'This account is an admin’s, or becomes one by this sign-in, and has no password to prove that it is yours. Please set one with ‘Forgot your password?’ first.',
  unavailable: 'The provider cannot be reached just now. Please try again later, or sign in another way.',
  'registration-off': 'There is no account for this sign-in, and this server is not accepting new accounts.',
};

/** The text for a code. Unknown codes get a general text, since anybody can write a URL. */
export function providerFailure(code: string | null): string | null {
  if (code === null) return null;
  return (Object.hasOwn(TEXTS, code) ? TEXTS[code] : undefined) ?? 'Login failed';
}

/** What a sign-in that came back from the provider failed of, by the server's codes. */
const TEXTS: Record<string, string> = {
  'provider-denied': 'You did not allow the sign-in, so nothing was changed.',
  'provider-email-unverified': 'Your email is not verified there. Please verify it with your provider and try again.',
  'provider-flow-over': 'This sign-in was not begun in this browser, or took too long. Please try again.',
  'registration-off': 'There is no account for this sign-in, and this server takes no new ones.',
};

/** In words; codes that are not ours say no more than that it failed, since anybody can write an address. */
export function providerFailure(code: string | null): string | null {
  if (code === null) return null;
  return (Object.hasOwn(TEXTS, code) ? TEXTS[code] : undefined) ?? 'Login failed';
}

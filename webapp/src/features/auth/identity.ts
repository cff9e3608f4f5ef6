import type { Identity } from '@/api/account';

/** The unverified claims of the ID token (the server verifies it); null if it is not a token. */
export function identityOf(credential: string): Identity | null {
  const claims = claimsOf(credential);
  const text = (name: string) => (typeof claims?.[name] === 'string' ? claims[name] : '');
  const email = text('email');
  if (email === '') return null;
  return {
    email,
    firstName: text('given_name'),
    lastName: text('family_name'),
    credential,
  };
}

function claimsOf(token: string): Record<string, unknown> | null {
  try {
    const part = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
    const bytes = Uint8Array.from(atob(part), (each) => each.codePointAt(0) ?? 0);
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

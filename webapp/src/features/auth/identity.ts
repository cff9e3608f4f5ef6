import type { Identity } from '@/api/account';

/** What the ID token says of the person, unverified: the server reads the token for itself. Null if it is none. */
export function identityOf(credential: string): Identity | null {
  const claims = claimsOf(credential);
  const text = (name: string) => (typeof claims?.[name] === 'string' ? claims[name] : '');
  const email = text('email');
  if (email === '') return null;
  return {
    email,
    username: usernameFrom(email),
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

/** A username such as the rules allow (3 to 20 of A-Z a-z 0-9 _ . -), from the part before the @. */
function usernameFrom(email: string): string {
  const name = (email.split('@')[0] ?? '').replaceAll(/[^A-Za-z0-9_.-]/g, '').slice(0, 20);
  return name.length >= 3 ? name : `player.${name}`;
}

/** Passkeys of this browser: the calls of WebAuthn, with the server's JSON. */

/** What the browser gave for the server, or why it gave nothing. */
export type PasskeyResult = { credential: unknown; failure?: never } | { credential?: never; failure: string };

/** Why there is nothing to add or use here. */
export const NO_PASSKEYS_HERE =
  'This browser cannot use passkeys at this address. They need a recent browser, and a page that begins with https://.';

/** Whether this browser can use passkeys here: pages without HTTPS have none, and old browsers do not read JSON. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

/** Whether this browser suggests passkeys in a field, as it suggests emails. */
export async function suggestsPasskeys(): Promise<boolean> {
  return hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable());
}

/** Makes a passkey on this device, or on another that the user chooses. */
export function makePasskey(options: unknown): Promise<PasskeyResult> {
  return result(() => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      options as PublicKeyCredentialCreationOptionsJSON,
    );
    return navigator.credentials.create({ publicKey });
  });
}

/** Uses a passkey that the user has. */
export function getPasskey(
  options: unknown,
  how: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<PasskeyResult> {
  return result(() => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
    return navigator.credentials.get({ publicKey, ...how });
  });
}

async function result(ask: () => Promise<Credential | null>): Promise<PasskeyResult> {
  if (!hasPasskeys()) return { failure: NO_PASSKEYS_HERE };
  try {
    const credential = await ask();
    return credential === null
      ? { failure: NOTHING_CHOSEN }
      : { credential: (credential as PublicKeyCredential).toJSON() };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

const NOTHING_CHOSEN = 'No passkey was chosen. You can try again.';

function failureOf(error: unknown): string {
  switch ((error as DOMException | null)?.name) {
    case 'InvalidStateError':
      return 'This device already has a passkey for your account.';
    case 'SecurityError':
      return NO_PASSKEYS_HERE;
    case 'NotSupportedError':
      return 'This device cannot make the kind of passkey that is needed.';
    default:
      // The browser does not tell a refusal from a timeout.
      return NOTHING_CHOSEN;
  }
}

import { onTestFinished, vi } from 'vitest';

/** jsdom has no passkeys: this device has one, `credentialId`, and suggests it in fields only if told so. */
export function stubPasskeys({
  credentialId = 'device-key',
  suggests = false,
  fails = undefined as string | undefined,
} = {}) {
  const credential = { id: credentialId, toJSON: () => ({ id: credentialId, type: 'public-key' }) };
  const asked = (): Promise<typeof credential> =>
    fails === undefined ? Promise.resolve(credential) : Promise.reject(new DOMException('No.', fails));
  const get = vi.fn((options: CredentialRequestOptions) => {
    // A suggestion stays open until somebody chooses it.
    return options.mediation === 'conditional' && !suggests ? new Promise<never>(() => undefined) : asked();
  });
  const create = vi.fn(asked);
  const stub = Object.assign(() => undefined, {
    isConditionalMediationAvailable: () => Promise.resolve(suggests),
    parseCreationOptionsFromJSON: (options: unknown) => options,
    parseRequestOptionsFromJSON: (options: unknown) => options,
  });
  vi.stubGlobal('PublicKeyCredential', stub);
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get, create } });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'credentials');
  });
  return { get, create };
}

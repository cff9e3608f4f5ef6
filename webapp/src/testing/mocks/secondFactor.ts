/** Second factors, passkeys and proofs: docs/behaviour/accounts.md#second-factor. */

import type { components } from '@/api/schema';
import { composed, visibleError } from '@/shared/visible';
import type { Routes } from './http';
import { checkFields, conflict, invalid, notFound, Refusal } from './refusal';
import type { MockServer } from './mockServer';

type Schemas = components['schemas'];
type Method = Schemas['ProofMethod'];

/** The code that the mock's authenticator apps show. */
export const MOCK_TOTP = '135791';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const QR_CODE =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#fff" d="M0 0h9v9H0z"/><path d="M1 1h2v2H1zm5 0h2v2H6zM1 6h2v2H1zm3-5h1v1H4zm0 2h2v1H4zM1 4h1v1H1zm2 0h1v2H3zm3 1h2v1H6zM4 6h1v2H4zm2 1h1v1H6zm1 1h1V7H7z"/></svg>',
  );

interface Factor {
  totp: boolean;
  recoveryCodes: string[];
  passkeys: (Schemas['Passkey'] & { credentialId: string })[];
}

/** What the mock server knows about second factors. */
export class SecondFactors {
  readonly #factors = new Map<string, Factor>();
  /** The sign-in that waits for its second factor. */
  pending: { userId: string; keepGuestGames: boolean } | undefined;
  /** Whether an app is being set up. */
  isBegun = false;
  /** Whether the server is reached by a name. */
  hasName = true;
  /** Whether the signed-in user is linked to a provider. */
  hasProvider = false;
  /** Whether every account needs one. */
  isRequired = false;
  /** When the signed-in user last proved that it is them, in Unix milliseconds. */
  provedAt = Date.now();
  #codes = 0;

  of(userId: string): Factor {
    const known = this.#factors.get(userId) ?? { totp: false, recoveryCodes: [], passkeys: [] };
    this.#factors.set(userId, known);
    return known;
  }

  isSet(userId: string): boolean {
    const { totp, passkeys } = this.of(userId);
    return totp || passkeys.length > 0;
  }

  remove(userId: string): void {
    this.#factors.delete(userId);
  }

  ownerOf(credentialId: string): string | undefined {
    const isOwner = ({ passkeys }: Factor) => passkeys.some((each) => each.credentialId === credentialId);
    return [...this.#factors].find(([, factor]) => isOwner(factor))?.[0];
  }

  methods(userId: string): Method[] {
    const { totp, passkeys, recoveryCodes } = this.of(userId);
    const has = { totp, passkey: passkeys.length > 0, 'recovery-code': recoveryCodes.length > 0 };
    return (Object.keys(has) as (keyof typeof has)[]).filter((method) => has[method]);
  }

  newRecoveryCodes(userId: string): string[] {
    const codes = Array.from({ length: 10 }, () => `abcd-efgh-ijkm-${String((this.#codes += 1)).padStart(4, 'n')}`);
    this.of(userId).recoveryCodes = codes;
    return codes;
  }

  /** Adds a passkey, with recovery codes if it is the account's first factor. */
  addPasskey(userId: string, name: string, credential: unknown) {
    const passkey = { passkeyId: crypto.randomUUID(), name: name.trim(), createdAt: new Date().toISOString() };
    const codes = this.first(userId);
    this.of(userId).passkeys.push({ ...passkey, credentialId: idOf(credential) });
    return { passkey, ...codes };
  }

  /** The recovery codes, if this is the account's first factor. */
  first(userId: string): { recoveryCodes?: string[] } {
    return this.of(userId).recoveryCodes.length === 0 ? { recoveryCodes: this.newRecoveryCodes(userId) } : {};
  }
}

/** How long a proof counts, in milliseconds: shorter than the server's, so that mock mode shows the dialog. */
const PROOF_MS = 120_000;

/** Refuses unless the signed-in user has proved that it is them a short time ago. */
export function requireProof({ factors, user }: MockServer): void {
  if (user.isTempUser || Date.now() - factors.provedAt <= PROOF_MS) return;
  throw new Refusal(403, 'proof-required', 'Please confirm that it’s you, then continue.');
}

/** Refuses unless the password, if it is sent, is right, or a recent proof shows the owner. */
export function requireOwner(mock: MockServer, password: string | undefined): void {
  if (!password || !mock.user.hasPassword) return requireProof(mock);
  if (!mock.hasPassword(password)) throw invalid('password', 'The password is wrong.');
  mock.factors.provedAt = Date.now();
}

/** Refuses where the server asks for a second factor that the signed-in user does not have. */
export function requireFactor({ factors, user }: MockServer): void {
  if (!factors.isRequired || factors.isSet(user.userId)) return;
  throw new Refusal(403, 'second-factor-needed', 'Please set up a second factor first, in your settings.');
}

/** Keeps a sign-in until its second step. */
export function waitForFactor({ factors }: MockServer, userId: string, keepGuestGames: boolean): never {
  factors.pending = { userId, keepGuestGames };
  throw new Refusal(401, 'second-factor-required', 'Please enter your second factor.');
}

/** Signs in, and brings the games of the guest along. */
export function finishSignIn(mock: MockServer, userId: string, keepGuestGames: boolean) {
  const guest = mock.viewer?.isTempUser ? mock.viewer.userId : undefined;
  mock.signInAs(userId);
  mock.factors.provedAt = Date.now();
  const kept = keepGuestGames && guest !== undefined ? { guestGames: mock.adoptGuest(guest) } : {};
  return { isLogIn: true, user: mock.user, isNew: false, ...kept };
}

type SecondFactorOperation =
  | 'getSecondFactorOptions'
  | 'verifySecondFactor'
  | 'getProofOptions'
  | 'prove'
  | 'getSecondFactor'
  | 'beginTotp'
  | 'confirmTotp'
  | 'removeTotp'
  | 'renewRecoveryCodes'
  | 'getPasskeyOptions'
  | 'loginWithPasskey'
  | 'beginPasskey'
  | 'finishPasskey'
  | 'renamePasskey'
  | 'removePasskey';

export const secondFactor: Pick<Routes, SecondFactorOperation> = {
  getSecondFactorOptions: ({ mock: { factors } }) => {
    const { userId } = pendingOf(factors);
    return optionsFor(factors, userId, factors.methods(userId));
  },
  verifySecondFactor: ({ mock, body }) => {
    const { userId, keepGuestGames } = pendingOf(mock.factors);
    check(mock, userId, mock.factors.methods(userId), body);
    mock.factors.pending = undefined;
    return finishSignIn(mock, userId, keepGuestGames);
  },
  getProofOptions: ({ mock }) => optionsFor(mock.factors, mock.member.userId, proofMethods(mock)),
  prove: ({ mock, body }) => {
    check(mock, mock.member.userId, proofMethods(mock), body);
    mock.factors.provedAt = Date.now();
    return {};
  },
  getSecondFactor: ({ mock: { factors, member } }) => {
    const { totp, recoveryCodes, passkeys } = factors.of(member.userId);
    return {
      totp,
      recoveryCodesLeft: recoveryCodes.length,
      passkeys: passkeys.map(({ credentialId: _, ...passkey }) => passkey),
      passkeysAvailable: factors.hasName,
      required: factors.isRequired,
    };
  },
  beginTotp: ({ mock }) => {
    const { username } = mock.member;
    requireProof(mock);
    mock.factors.isBegun = true;
    return { secret: SECRET, uri: `otpauth://totp/Morpion:${username}?secret=${SECRET}`, qrCode: QR_CODE };
  },
  confirmTotp: ({ mock, body: { code } }) => {
    const { userId } = mock.member;
    if (!mock.factors.isBegun) throw new Refusal(410, 'setup-expired', 'This took too long. Please start again.');
    if (code !== MOCK_TOTP) throw invalid('code', "This code is wrong. Is your device's time right?");
    mock.factors.isBegun = false;
    const codes = mock.factors.first(userId);
    mock.factors.of(userId).totp = true;
    changed(mock);
    return codes;
  },
  removeTotp: ({ mock }) => {
    const factor = mock.factors.of(mock.member.userId);
    requireProof(mock);
    if (!factor.totp) throw conflict('no-second-factor', 'This account has no second factor.');
    factor.totp = false;
    changed(mock);
    return {};
  },
  renewRecoveryCodes: ({ mock }) => {
    const { userId } = mock.member;
    requireProof(mock);
    if (!mock.factors.isSet(userId)) throw conflict('no-second-factor', 'This account has no second factor.');
    return { recoveryCodes: mock.factors.newRecoveryCodes(userId) };
  },
  ...passkeyRoutes(),
};

function passkeyRoutes(): Pick<
  Routes,
  'getPasskeyOptions' | 'loginWithPasskey' | 'beginPasskey' | 'finishPasskey' | 'renamePasskey' | 'removePasskey'
> {
  return {
    getPasskeyOptions: () => ({ options: requestOptions([], 'required') }),
    loginWithPasskey: ({ mock, body: { credential, keepGuestGames = false } }) => {
      const owner = mock.factors.ownerOf(idOf(credential));
      if (owner === undefined) throw refusedPasskey();
      return finishSignIn(mock, owner, keepGuestGames);
    },
    beginPasskey: ({ mock }) => {
      if (!mock.factors.hasName) throw noName();
      requireProof(mock);
      const known = mock.factors.of(mock.member.userId).passkeys.map(({ credentialId }) => credentialId);
      return { options: creationOptions(mock.member, known) };
    },
    finishPasskey: ({ mock, body: { name, credential } }) => {
      checkName(name);
      const added = mock.factors.addPasskey(mock.member.userId, name, credential);
      changed(mock);
      return added;
    },
    renamePasskey: ({ mock, body: { passkeyId, name } }) => {
      requireProof(mock);
      const found = mock.factors.of(mock.member.userId).passkeys.find((each) => each.passkeyId === passkeyId);
      if (found === undefined) throw notFound('Passkey');
      checkName(name);
      found.name = name.trim();
      return {};
    },
    removePasskey: ({ mock, body: { passkeyId } }) => {
      requireProof(mock);
      const factor = mock.factors.of(mock.member.userId);
      const left = factor.passkeys.filter((each) => each.passkeyId !== passkeyId);
      if (left.length === factor.passkeys.length) throw notFound('Passkey');
      factor.passkeys = left;
      changed(mock);
      return {};
    },
  };
}

function pendingOf({ pending }: SecondFactors) {
  if (pending !== undefined) return pending;
  const text = 'This sign-in took too long or had too many wrong tries. Please sign in again.';
  throw new Refusal(410, 'sign-in-expired', text);
}

function proofMethods({ factors, member }: MockServer): Method[] {
  const own = member.hasPassword ? (['password'] as const) : [];
  const provider = factors.hasProvider ? (['provider'] as const) : [];
  return [...own, ...factors.methods(member.userId), ...provider];
}

function optionsFor(factors: SecondFactors, userId: string, methods: Method[]) {
  const known = factors.of(userId).passkeys.map(({ credentialId }) => credentialId);
  return { methods, ...(methods.includes('passkey') ? { passkeyOptions: requestOptions(known, 'preferred') } : {}) };
}

export const noName = () =>
  conflict(
    'passkeys-unavailable',
    'Passkeys need a server with a name. This one is reached by its IP address; server.public_url can name it.',
  );

export function creationOptions({ userId, username, displayName }: Schemas['User'], known: string[]): object {
  return {
    challenge: challenge(),
    rp: { name: 'Morpion' },
    user: { id: btoa(userId).replaceAll('=', ''), name: username, displayName },
    pubKeyCredParams: [
      { type: 'public-key', alg: -7 },
      { type: 'public-key', alg: -257 },
    ],
    excludeCredentials: known.map((id) => ({ type: 'public-key', id })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
  };
}

function requestOptions(known: string[], userVerification: string): object {
  return {
    challenge: challenge(),
    allowCredentials: known.map((id) => ({ type: 'public-key', id })),
    userVerification,
  };
}

function challenge(): string {
  return btoa(crypto.randomUUID()).replaceAll('=', '');
}

function idOf(credential: unknown): string {
  return String((credential as { id?: unknown } | null)?.id);
}

/** Refuses a wrong proof; a recovery code is used up. */
function check(mock: MockServer, userId: string, methods: Method[], proof: Schemas['Proof']): void {
  const factor = mock.factors.of(userId);
  const { password, totp, recoveryCode, passkey } = proof;
  if (password !== undefined) {
    if (!methods.includes('password') || !mock.hasPassword(password)) throw wrong('password');
  } else if (totp !== undefined) {
    if (!factor.totp || totp !== MOCK_TOTP) throw wrong('totp');
  } else if (recoveryCode !== undefined) {
    const left = factor.recoveryCodes.filter((each) => each !== recoveryCode.trim().toLowerCase());
    if (left.length === factor.recoveryCodes.length) throw wrong('recoveryCode');
    factor.recoveryCodes = left;
  } else {
    const used = factor.passkeys.find(({ credentialId }) => credentialId === idOf(passkey));
    if (used === undefined) throw refusedPasskey();
    used.lastUsedAt = new Date().toISOString();
  }
}

const wrong = (field: string) =>
  invalid(
    field,
    field === 'password' ? 'That password is wrong.' : 'That code is wrong or was used already.',
    'wrong-proof',
  );
const refusedPasskey = () => invalid('passkey', 'This passkey was not accepted.', 'passkey-refused');

export function checkName(name: string): void {
  const { length } = [...composed(name)];
  if (length === 0 || length > 40) throw invalid('name', 'A passkey needs a name of 1 to 40 characters.');
  checkFields({ name: visibleError(name, 'The name') });
}

/** Recovery codes go with the last factor. */
function changed(mock: MockServer): void {
  const { userId } = mock.user;
  const isSet = mock.factors.isSet(userId);
  if (!isSet) mock.factors.remove(userId);
  mock.update({ secondFactor: isSet });
}

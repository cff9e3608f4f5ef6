/** Account settings: sessions, recovery, email verification, the avatar, guests, deletion. */

import type { Session } from '@/api/account';
import type { components } from '@/api/schema';
import type { Routes } from './http';
import { checkFields, conflict, invalid, notFound, notSignedIn, Refusal } from './refusal';
import { checkName, creationOptions, noName, requireOwner } from './secondFactor';
import type { MockServer } from './mockServer';
import { newPasswordError } from './serverRules';

type Schemas = components['schemas'];

/** The code in every mail of the mock server; mock mode prints it in the console. */
export const MOCK_CODE = 246_810;

/** The token in the mock server's mails about a changed email. */
export const MOCK_UNDO = 'the-token-of-the-letter';

const PICTURE_TYPES = ['image/png', 'image/gif', 'image/jpeg'];
const PICTURE_MAX_BYTES = 5 * 1024 * 1024;

/** What the mock server stores about the account settings. */
export class AccountState {
  /** The sessions of the signed-in user: this one, and one on a phone. */
  sessions: Session[] = [session('This browser', true), session('Firefox on Android', false)];
  /** The email for which a code was requested; see `validated`. */
  requested: string | undefined;
  backup: Schemas['BackupStatus'] = { place: '/mnt/backups' };
  backups: Schemas['Backup'][] = [];
  /** Operators' tokens, without their secrets. */
  tokens: Schemas['OperatorToken'][] = [];
  validated: string | undefined;
  isEmailCodeOut = false;
  /** The new email that a code was sent to. */
  newEmail: string | undefined;
  /** What the mail about a changed email restores. */
  undo: { userId: string; email: string } | undefined;
  /** The link that an admin made last. */
  passwordLink: { token: string; userId: string; endsFactors: boolean } | undefined;
  readonly pictures = new Map<string, Blob>();
}

function session(device: string, isCurrent: boolean): Session {
  const now = new Date().toISOString();
  return {
    sessionId: crypto.randomUUID(),
    device,
    address: isCurrent ? '127.0.0.1' : '198.51.100.7',
    createdAt: now,
    lastUsedAt: now,
    expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    isCurrent,
  };
}

type AccountSettingsOperation =
  | 'playAsGuest'
  | 'beginPasskeyByLink'
  | 'useLinkForPasskey'
  | 'changePassword'
  | 'listSessions'
  | 'revokeSession'
  | 'revokeAllSessions'
  | 'requestVerificationCode'
  | 'validateVerificationCode'
  | 'updatePassword'
  | 'requestEmailCode'
  | 'verifyEmail'
  | 'requestEmailChange'
  | 'verifyEmailChange'
  | 'undoEmailChange'
  | 'checkPasswordLink'
  | 'usePasswordLink'
  | 'getCalendarStatus'
  | 'disconnectCalendar'
  | 'deleteAccount'
  | 'exportAccount'
  | 'uploadProfileImage'
  | 'getProfileImage'
  | 'removeProfileImage';

export const accountSettings: Pick<Routes, AccountSettingsOperation> = {
  playAsGuest: ({ mock }) => ({ isLogIn: true, user: mock.addGuest(), isNew: true }),
  changePassword: ({ mock, body: { currentPassword, newPassword } }) => {
    void mock.member;
    checkFields({ newPassword: newPasswordError(newPassword) });
    if (!mock.hasPassword(currentPassword)) throw invalid('currentPassword', 'The current password is wrong.');
    mock.update({ password: newPassword });
    mock.accountState.sessions = mock.accountState.sessions.filter(({ isCurrent }) => isCurrent);
    return {};
  },
  listSessions: ({ mock }) => {
    signedIn(mock);
    return { sessions: mock.accountState.sessions };
  },
  revokeSession: ({ mock, body: { sessionId } }) => {
    signedIn(mock);
    const ended = mock.accountState.sessions.find((each) => each.sessionId === sessionId);
    if (ended === undefined) throw notFound('Session');
    if (ended.isCurrent) mock.signOut();
    else mock.accountState.sessions = mock.accountState.sessions.filter((each) => each !== ended);
    return {};
  },
  revokeAllSessions: ({ mock, body: { includeCurrent } }) => {
    signedIn(mock);
    const { sessions } = mock.accountState;
    const kept = sessions.filter(({ isCurrent }) => isCurrent && !includeCurrent);
    mock.accountState.sessions = kept;
    if (includeCurrent) mock.signOut();
    return { revoked: sessions.length - kept.length };
  },
  requestVerificationCode: ({ mock, body: { email } }) => {
    mock.accountState.requested = email;
    return { data: { succeeded: true } };
  },
  validateVerificationCode: ({ mock: { accountState }, body: { email, code } }) => {
    if (accountState.requested !== email || code !== MOCK_CODE) throw wrongCode();
    accountState.requested = undefined;
    accountState.validated = email;
    return {};
  },
  updatePassword: ({ mock, body: { email, newPassword, openUnconfirmed } }) => {
    const { validated } = mock.accountState;
    if (validated === undefined || validated !== email)
      throw new Refusal(403, 'code-needed', 'Please enter the code from the email first.');
    checkFields({ newPassword: newPasswordError(newPassword) });
    mock.recover(email, newPassword, openUnconfirmed ?? false);
    mock.accountState.validated = undefined;
    return {};
  },
  requestEmailCode: ({ mock, body: { email } }) => {
    signedIn(mock);
    if (email !== undefined) mock.update({ email });
    mock.accountState.isEmailCodeOut = true;
    return {};
  },
  verifyEmail: ({ mock, body: { code } }) => {
    signedIn(mock);
    if (!mock.accountState.isEmailCodeOut || code !== MOCK_CODE) throw wrongCode();
    mock.accountState.isEmailCodeOut = false;
    mock.update({ emailVerified: true });
    return {};
  },
  requestEmailChange: ({ mock, body: { newEmail, password } }) => {
    signedIn(mock);
    requireOwner(mock, password);
    if (newEmail === mock.user.email) throw invalid('newEmail', 'This is your email already.');
    mock.accountState.newEmail = newEmail;
    return {};
  },
  verifyEmailChange: ({ mock, body: { code } }) => {
    signedIn(mock);
    const { newEmail } = mock.accountState;
    if (newEmail === undefined || code !== MOCK_CODE) throw wrongCode();
    mock.accountState.newEmail = undefined;
    mock.accountState.undo = { userId: mock.user.userId, email: mock.user.email };
    return { user: mock.update({ email: newEmail, emailVerified: true }) };
  },
  undoEmailChange: ({ mock, body: { token } }) => {
    const { undo } = mock.accountState;
    if (undo === undefined || token !== MOCK_UNDO) {
      throw new Refusal(404, 'link-over', 'This link was already used or has expired.');
    }
    mock.accountState.undo = undefined;
    mock.restoreEmail(undo.userId, undo.email);
    return {};
  },
  checkPasswordLink: ({ mock, body: { token } }) => {
    if (mock.accountState.passwordLink?.token !== token) return { takesPasskey: false };
    return { username: linkOwner(mock, token).username, takesPasskey: takesPasskey(mock) && mock.factors.hasName };
  },
  usePasswordLink: ({ mock, body: { token, newPassword } }) => {
    const { userId } = linkOwner(mock, token);
    checkFields({ newPassword: newPasswordError(newPassword) });
    useLinkUp(mock, userId, newPassword);
    return {};
  },
  beginPasskeyByLink: ({ mock, body: { token } }) => {
    if (!mock.factors.hasName) throw noName();
    const owner = linkOwner(mock, token);
    requirePasskeyTaken(mock);
    return { options: creationOptions(owner, []) };
  },
  useLinkForPasskey: ({ mock, body: { token, name, credential } }) => {
    const { userId } = linkOwner(mock, token);
    requirePasskeyTaken(mock);
    checkName(name);
    useLinkUp(mock, userId, '');
    const added = mock.factors.addPasskey(userId, name, credential);
    mock.setSecondFactor(userId, true);
    return added;
  },
  getCalendarStatus: ({ mock }) => {
    signedIn(mock);
    return { configured: false, connected: false };
  },
  disconnectCalendar: ({ mock }) => {
    signedIn(mock);
    return {};
  },
  deleteAccount: ({ mock, body: { password } }) => {
    requireOwner(mock, password);
    mock.removeAccount();
    return {};
  },
  exportAccount: ({ mock }) => ({ profile: mock.user, games: mock.games(mock.user.userId).length }),
  uploadProfileImage: ({ mock, body }) => {
    const { userId } = mock.user;
    const file = body instanceof FormData ? body.get('file') : null;
    if (!(file instanceof Blob)) throw new Refusal(400, 'malformed', 'There is no picture in this request.');
    if (!PICTURE_TYPES.includes(file.type)) {
      throw new Refusal(415, 'not-an-image', 'Only png, gif and jpeg pictures can be used.');
    }
    if (file.size > PICTURE_MAX_BYTES) throw new Refusal(413, 'image-too-large', 'The picture is larger than 5 MiB.');
    mock.accountState.pictures.set(userId, file);
    const profileUrl = `/api/backend/profile/image/${userId}/256?v=${Date.now()}`;
    mock.update({ profile: profileUrl });
    return { profileUrl };
  },
  getProfileImage: ({ mock, params: { user_id: userId = '' } }) => {
    const picture = mock.accountState.pictures.get(userId);
    if (picture === undefined) throw notFound('Picture');
    return new Response(picture, { headers: { 'Content-Type': picture.type } });
  },
  removeProfileImage: ({ mock }) => {
    mock.accountState.pictures.delete(mock.user.userId);
    mock.update({ profile: '' });
    return {};
  },
};

/** Whether the link may make a passkey: it would stand for a second factor that the account keeps. */
function takesPasskey({ accountState: { passwordLink }, factors }: MockServer): boolean {
  return passwordLink !== undefined && (passwordLink.endsFactors || !factors.isSet(passwordLink.userId));
}

function requirePasskeyTaken(mock: MockServer): void {
  if (takesPasskey(mock)) return;
  throw conflict('factor-kept', 'This account keeps its second factor, so the link sets only a password.');
}

/** With an empty password the account has none any more. */
function useLinkUp(mock: MockServer, userId: string, password: string): void {
  if (mock.accountState.passwordLink?.endsFactors === true) {
    mock.factors.remove(userId);
    mock.setSecondFactor(userId, false);
  }
  mock.accountState.passwordLink = undefined;
  mock.resetPassword(userId, password);
}

function linkOwner(mock: MockServer, token: string) {
  const { passwordLink } = mock.accountState;
  if (passwordLink === undefined || passwordLink.token !== token)
    throw new Refusal(404, 'link-over', 'This link was already used or has expired.');
  return mock.find(({ userId }) => userId === passwordLink.userId);
}

function signedIn(mock: MockServer): void {
  if (!mock.isSignedIn) throw notSignedIn();
}

function wrongCode(): Refusal {
  return invalid('code', 'The code is wrong or has expired.', 'wrong-code');
}

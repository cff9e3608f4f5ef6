/** What keeps an account: sessions, recovery, a proven email, the avatar, guests, and the way out. */

import type { Session } from '@/api/account';
import type { components } from '@/api/schema';
import { passwordError } from '@/shared/account/rules';
import type { Routes } from './http';
import { checkFields, invalid, notFound, notSignedIn, Refusal } from './refusal';
import type { World } from './world';

type Schemas = components['schemas'];

/** The code in every mail of the mock server, which mock mode tells a developer. */
export const MOCK_CODE = 246_810;

/** The token in the mock server's letters about a changed email. */
export const MOCK_UNDO = 'the-token-of-the-letter';

const PICTURE_TYPES = ['image/png', 'image/gif', 'image/jpeg'];
const PICTURE_MAX_BYTES = 5 * 1024 * 1024;

/** What the mock server keeps beside the accounts. */
export class Upkeep {
  /** Where the signed-in person is signed in: here, and on a phone of theirs. */
  sessions: Session[] = [session('This browser', true), session('Firefox on Android', false)];
  /** The email whose code was asked for, and then the one whose code was right. */
  requested: string | undefined;
  /** Operators' tokens, without their secrets. */
  tokens: Schemas['OperatorToken'][] = [];
  validated: string | undefined;
  isEmailCodeOut = false;
  /** The email that a code was sent to, to be the account's. */
  newEmail: string | undefined;
  /** What the letter about a changed email brings back. */
  undo: { userId: string; email: string } | undefined;
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
    isCurrent,
  };
}

type UpkeepOperation =
  | 'playAsGuest'
  | 'changePassword'
  | 'listSessions'
  | 'revokeSession'
  | 'requestVerificationCode'
  | 'validateVerificationCode'
  | 'updatePassword'
  | 'requestEmailCode'
  | 'verifyEmail'
  | 'requestEmailChange'
  | 'verifyEmailChange'
  | 'undoEmailChange'
  | 'getCalendarStatus'
  | 'disconnectCalendar'
  | 'deleteAccount'
  | 'exportAccount'
  | 'uploadProfileImage'
  | 'getProfileImage'
  | 'removeProfileImage';

export const upkeep: Pick<Routes, UpkeepOperation> = {
  playAsGuest: ({ world }) => ({ isLogIn: true, user: world.addGuest(), isNew: true }),
  changePassword: ({ world, body: { currentPassword, newPassword } }) => {
    void world.member;
    checkFields({ newPassword: passwordError(newPassword) });
    if (!world.hasPassword(currentPassword)) throw invalid('currentPassword', 'The current password is wrong.');
    world.update({ password: newPassword });
    world.upkeep.sessions = world.upkeep.sessions.filter(({ isCurrent }) => isCurrent);
    return {};
  },
  listSessions: ({ world }) => {
    signedIn(world);
    return { sessions: world.upkeep.sessions };
  },
  revokeSession: ({ world, body: { sessionId } }) => {
    signedIn(world);
    const ended = world.upkeep.sessions.find((each) => each.sessionId === sessionId);
    if (ended === undefined) throw notFound('Session');
    if (ended.isCurrent) world.signOut();
    else world.upkeep.sessions = world.upkeep.sessions.filter((each) => each !== ended);
    return {};
  },
  requestVerificationCode: ({ world, body: { email } }) => {
    world.upkeep.requested = email;
    return { data: { succeeded: true } };
  },
  validateVerificationCode: ({ world: { upkeep }, body: { email, code } }) => {
    if (upkeep.requested !== email || code !== MOCK_CODE) throw wrongCode();
    upkeep.requested = undefined;
    upkeep.validated = email;
    return {};
  },
  updatePassword: ({ world, body: { email, newPassword } }) => {
    const { validated } = world.upkeep;
    if (validated === undefined || validated !== email)
      throw new Refusal(403, 'code-needed', 'Please enter the code from the mail first.');
    world.upkeep.validated = undefined;
    world.setPassword(email, newPassword);
    return {};
  },
  requestEmailCode: ({ world, body: { email } }) => {
    signedIn(world);
    if (email !== undefined) world.update({ email });
    world.upkeep.isEmailCodeOut = true;
    return {};
  },
  verifyEmail: ({ world, body: { code } }) => {
    signedIn(world);
    if (!world.upkeep.isEmailCodeOut || code !== MOCK_CODE) throw wrongCode();
    world.upkeep.isEmailCodeOut = false;
    world.update({ emailVerified: true });
    return {};
  },
  requestEmailChange: ({ world, body: { newEmail, password } }) => {
    signedIn(world);
    world.prove(password);
    if (newEmail === world.user.email) throw invalid('newEmail', 'This is your email already.');
    world.upkeep.newEmail = newEmail;
    return {};
  },
  verifyEmailChange: ({ world, body: { code } }) => {
    signedIn(world);
    const { newEmail } = world.upkeep;
    if (newEmail === undefined || code !== MOCK_CODE) throw wrongCode();
    world.upkeep.newEmail = undefined;
    world.upkeep.undo = { userId: world.user.userId, email: world.user.email };
    return { user: world.update({ email: newEmail, emailVerified: true }) };
  },
  undoEmailChange: ({ world, body: { token } }) => {
    const { undo } = world.upkeep;
    if (undo === undefined || token !== MOCK_UNDO) {
      throw new Refusal(404, 'link-over', 'This link was used already or is too old.');
    }
    world.upkeep.undo = undefined;
    world.restoreEmail(undo.userId, undo.email);
    return {};
  },
  getCalendarStatus: ({ world }) => {
    signedIn(world);
    return { configured: false, connected: false };
  },
  disconnectCalendar: ({ world }) => {
    signedIn(world);
    return {};
  },
  deleteAccount: ({ world, body: { password } }) => {
    world.prove(password);
    world.removeAccount();
    return {};
  },
  exportAccount: ({ world }) => ({ profile: world.user, games: world.games(world.user.userId).length }),
  uploadProfileImage: ({ world, body }) => {
    const { userId } = world.user;
    const file = body instanceof FormData ? body.get('file') : null;
    if (!(file instanceof Blob)) throw new Refusal(400, 'malformed', 'There is no picture in this request.');
    if (!PICTURE_TYPES.includes(file.type)) {
      throw new Refusal(415, 'not-an-image', 'Only png, gif and jpeg pictures can be used.');
    }
    if (file.size > PICTURE_MAX_BYTES) throw new Refusal(413, 'image-too-large', 'The picture is larger than 5 MiB.');
    world.upkeep.pictures.set(userId, file);
    const profileUrl = `/api/backend/profile/image/${userId}/256?v=${Date.now()}`;
    world.update({ profile: profileUrl });
    return { profileUrl };
  },
  getProfileImage: ({ world, params: { user_id: userId = '' } }) => {
    const picture = world.upkeep.pictures.get(userId);
    if (picture === undefined) throw notFound('Picture');
    return new Response(picture, { headers: { 'Content-Type': picture.type } });
  },
  removeProfileImage: ({ world }) => {
    world.upkeep.pictures.delete(world.user.userId);
    world.update({ profile: '' });
    return {};
  },
};

function signedIn(world: World): void {
  if (!world.isSignedIn) throw notSignedIn();
}

function wrongCode(): Refusal {
  return invalid('code', 'The code is wrong or no longer good.', 'wrong-code');
}

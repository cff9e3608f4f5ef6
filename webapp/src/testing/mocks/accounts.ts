/** Signing in and out, profiles and search. */

import { emailError, nameError, usernameError } from '@/shared/account/rules';
import { composed } from '@/shared/visible';
import { become_bot } from './bots';
import type { ActionRoutes, Routes } from './http';
import { displayNameError, type reporters, seen } from './moderation';
import type { notifications } from './notifications';
import { checkFields, notBuilt, notYourself, Refusal } from './refusal';
import { randomName, type User } from './mockAccounts';
import type { MockServer } from './mockServer';
import { finishSignIn, requireOwner, waitForFactor } from './secondFactor';
import { newPasswordError, refusedName } from './serverRules';

type AccountOperation =
  | 'checkLogin'
  | 'login'
  | 'register'
  | 'logout'
  | 'refreshToken'
  | 'getProviders'
  | 'getSite'
  | 'getSetup'
  | 'setUp'
  | 'updateProfile'
  | 'searchUsers';

export const accounts: Pick<Routes, AccountOperation> = {
  checkLogin: ({ mock }) => {
    if (!mock.isSignedIn) return { isLogIn: false };
    const { userId, isTempUser } = mock.user;
    return { isLogIn: true, user: mock.user, ...(isTempUser ? { guestGames: mock.games(userId).length } : {}) };
  },
  login: ({ mock, body: { email, password, isGoogleAccount, keepGuestGames } }) => {
    if (isGoogleAccount) notBuilt();
    const owner = mock.ownerOf(email, password ?? '');
    if (owner === undefined) throw new Refusal(401, 'wrong-credentials', 'The email or the password is wrong.');
    if (owner.secondFactor) return waitForFactor(mock, owner.userId, keepGuestGames ?? false);
    return finishSignIn(mock, owner.userId, keepGuestGames ?? false);
  },
  register: ({ mock, body: { username = '', email, password = '', firstName, lastName, isGoogleAccount } }) => {
    if (isGoogleAccount) notBuilt();
    checkFields({
      email: emailError(email),
      password: newPasswordError(password),
      username: usernameError(username.trim()) ?? refusedName(username),
      firstName: nameError(firstName ?? ''),
      lastName: nameError(lastName ?? ''),
    });
    if (mock.viewer?.isTempUser) {
      mock.keepGuest({ username, email, password, firstName, lastName });
    } else {
      mock.addUser(username, email, password, { firstName, lastName });
      mock.signIn(username, password);
    }
    mock.accountState.isEmailCodeOut = true;
    return { isLogIn: true, user: mock.user, isNew: true };
  },
  logout: ({ mock }) => {
    mock.signOut();
    return {};
  },
  refreshToken: ({ mock }) => signedIn(mock, () => ({})),
  getSite: () => ({ operatorName: 'the mock server', operatorContact: 'operator@example.org' }),
  getProviders: ({ mock: { factors } }) => ({
    local: true,
    registration: true,
    guests: true,
    mail: true,
    passkeys: factors.hasName,
  }),
  getSetup: () => ({ open: false }),
  setUp: () => {
    const text = 'This setup link is no longer valid. Restart the server for a new one.';
    throw new Refusal(403, 'setup-closed', text);
  },
  updateProfile: ({ mock, body }) => {
    const { userId, username, displayName, firstName, lastName, profileVisibility, ...same } = body;
    const { email, isProUser, isTempUser, isAdmin } = mock.member;
    if (userId !== undefined && userId !== mock.user.userId) throw notYourself();
    const elsewhere = 'The email is changed in the settings, with a code.';
    const isOther = (named: unknown, own: unknown) => named !== undefined && named !== own;
    const notYours = (named: unknown, own: unknown) => (isOther(named, own) ? 'This cannot be changed here.' : null);
    checkFields({
      email: isOther(same.email?.toLowerCase(), email.toLowerCase()) ? elsewhere : null,
      isProUser: notYours(same.isProUser, isProUser),
      isTempUser: notYours(same.isTempUser, isTempUser),
      isAdmin: notYours(same.isAdmin, isAdmin),
    });
    return { user: update(mock, userId, given({ username, displayName, firstName, lastName, profileVisibility })) };
  },
  searchUsers: ({ mock, query }) => found(mock, query.get('username') ?? ''),
};

export const profiles: Omit<ActionRoutes<'userprofile'>, keyof typeof reporters | keyof typeof notifications> = {
  get_user_by_id: (mock, { userId }) =>
    shown(
      mock,
      signedIn(mock, () => mock.find((each) => each.userId === (userId ?? mock.user.userId))),
    ),
  find_user: (mock, { text }) =>
    shown(
      mock,
      signedIn(mock, () => mock.findByName(text)),
    ),
  search_user: (mock, { text, limit }) => found(mock, text, limit),
  search_user_profile: (mock, { text, limit, userId }) => {
    if (userId !== undefined && text === undefined) {
      const user = signedIn(mock, () => seen(mock.find((each) => each.userId === userId)));
      return { users: [user], user };
    }
    if (userId !== undefined && userId !== mock.user.userId) throw notYourself();
    return found(mock, text ?? '', limit);
  },
  create_profile: (mock, { userId, ...changes }) => ({ user: update(mock, userId, changes) }),
  update_user_profile: (mock, { userId, ...changes }) => ({ user: update(mock, userId, changes) }),
  delete_user_profile: (mock, { userId, password }) => {
    if (userId !== mock.user.userId) throw notYourself();
    requireOwner(mock, password);
    mock.removeAccount();
    return {};
  },
  become_bot,
  assign_random_display_name: (mock, { userId }) => {
    const displayName = randomName();
    if (userId !== undefined && userId !== mock.user.userId) throw notYourself();
    mock.update({ displayName });
    return { displayName };
  },
};

/** The response, for signed-in users only. */
function signedIn<T>(mock: MockServer, answer: () => T): T {
  return mock.user && answer();
}

function found(mock: MockServer, text: string, limit?: number) {
  return signedIn(mock, () => ({ users: mock.search(text, limit).map(seen) }));
}

/** Only the fields that are given. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function update(mock: MockServer, userId: string | undefined, changes: Parameters<MockServer['update']>[0]): User {
  if (userId !== undefined && userId !== mock.user.userId) throw notYourself();
  void mock.member;
  const texts = Object.entries(changes).filter((each): each is [string, string] => typeof each[1] === 'string');
  const wished: Parameters<MockServer['update']>[0] = Object.fromEntries(
    texts.map(([name, text]) => [name, composed(text)]),
  );
  // Names that stay are not checked.
  if (wished.username === mock.user.username) delete wished.username;
  if (wished.displayName === mock.user.displayName) delete wished.displayName;
  const { username, displayName, firstName, lastName } = wished;
  checkFields({
    username: username === undefined ? null : (usernameError(username) ?? refusedName(username)),
    displayName: displayName === undefined ? null : (displayNameError(displayName) ?? refusedName(displayName)),
    firstName: nameError(firstName ?? ''),
    lastName: nameError(lastName ?? ''),
  });
  if (username !== undefined) mock.rename(username);
  return mock.update(wished);
}

function shown(mock: MockServer, user: User) {
  const { userId } = mock.user;
  if (user.userId === userId) return { user };
  return { user: { ...seen(user), blockedByMe: mock.moderation.blockedBy(userId).includes(user.userId) } };
}

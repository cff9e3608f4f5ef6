/** Signing in and out, and people. */

import type { components } from '@/api/schema';
import { DISPLAY_NAME_MAX, emailError, NAME_MAX, passwordError, usernameError } from '@/shared/account/rules';
import { seat } from './game';
import type { ActionRoutes, Routes } from './http';
import { checkFields, notBuilt, notYourself, Refusal } from './refusal';
import { randomName, type User, type World } from './world';

type Schemas = components['schemas'];

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
  checkLogin: ({ world }) => {
    if (!world.isSignedIn) return { isLogIn: false };
    const { userId, isTempUser } = world.user;
    return { isLogIn: true, user: world.user, ...(isTempUser ? { guestGames: world.games(userId).length } : {}) };
  },
  login: ({ world, body: { email, password, isGoogleAccount, keepGuestGames } }) => {
    if (isGoogleAccount) notBuilt();
    const guest = world.viewer?.isTempUser ? world.viewer.userId : undefined;
    if (!world.signIn(email, password ?? '')) {
      throw new Refusal(401, 'wrong-credentials', 'The email or the password is wrong.');
    }
    const kept = keepGuestGames && guest !== undefined ? { guestGames: world.adoptGuest(guest) } : {};
    return { isLogIn: true, user: world.user, isNew: false, ...kept };
  },
  register: ({ world, body: { username = '', email, password = '', firstName, lastName, isGoogleAccount } }) => {
    if (isGoogleAccount) notBuilt();
    checkFields({
      email: emailError(email),
      password: passwordError(password),
      username: usernameError(username.trim()),
      firstName: tooLong(firstName),
      lastName: tooLong(lastName),
    });
    if (world.viewer?.isTempUser) {
      world.keepGuest({ username, email, password, firstName, lastName });
    } else {
      world.addUser(username, email, password, { firstName, lastName });
      world.signIn(email, password);
    }
    world.upkeep.isEmailCodeOut = true;
    return { isLogIn: true, user: world.user, isNew: true };
  },
  logout: ({ world }) => {
    world.signOut();
    return {};
  },
  refreshToken: ({ world }) => signedIn(world, () => ({})),
  getSite: () => ({ operatorName: 'the mock server', operatorContact: 'operator@example.org' }),
  getProviders: () => ({ local: true, registration: true, guests: true, mail: true }),
  getSetup: () => ({ open: false }),
  setUp: () => {
    const text = 'This setup link is no longer valid. Restart the server for a new one.';
    throw new Refusal(403, 'setup-closed', text);
  },
  updateProfile: ({ world, body: { userId, username, displayName, firstName, lastName, ...same } }) => {
    const { email, isProUser, isTempUser, isAdmin } = world.member;
    if (userId !== undefined && userId !== world.user.userId) throw notYourself();
    const elsewhere = 'The email is changed in the settings, with a code.';
    const isOther = (named: unknown, own: unknown) => named !== undefined && named !== own;
    const notYours = (named: unknown, own: unknown) => (isOther(named, own) ? 'This cannot be changed here.' : null);
    checkFields({
      email: isOther(same.email?.toLowerCase(), email.toLowerCase()) ? elsewhere : null,
      isProUser: notYours(same.isProUser, isProUser),
      isTempUser: notYours(same.isTempUser, isTempUser),
      isAdmin: notYours(same.isAdmin, isAdmin),
    });
    return { user: update(world, userId, given({ username, displayName, firstName, lastName })) };
  },
  searchUsers: ({ world, query }) => found(world, query.get('username') ?? ''),
};

export const profiles: ActionRoutes<'userprofile'> = {
  get_user_by_id: (world, { userId }) =>
    shown(
      world,
      signedIn(world, () => world.find((each) => each.userId === userId)),
    ),
  find_user: (world, { text }) =>
    shown(
      world,
      signedIn(world, () => world.findByName(text)),
    ),
  search_user: (world, { text, limit }) => found(world, text, limit),
  search_user_profile: (world, { text, limit, userId }) => {
    if (userId !== undefined && userId !== world.user.userId) throw notYourself();
    return found(world, text, limit);
  },
  create_profile: (world, { userId, ...changes }) => ({ user: update(world, userId, changes) }),
  update_user_profile: (world, { userId, ...changes }) => ({ user: update(world, userId, changes) }),
  delete_user_profile: (world, { userId, password }) => {
    if (userId !== world.user.userId) throw notYourself();
    world.prove(password);
    world.removeAccount();
    return {};
  },
  assign_random_display_name: (world, { userId }) => {
    const displayName = randomName();
    if (userId !== undefined && userId !== world.user.userId) throw notYourself();
    world.update({ displayName });
    return { displayName };
  },
};

/** The answer, for somebody who is signed in. */
function signedIn<T>(world: World, answer: () => T): T {
  return world.user && answer();
}

function found(world: World, text: string, limit?: number) {
  return signedIn(world, () => ({ users: world.search(text, limit).map(seen) }));
}

function tooLong(name: string | undefined): string | null {
  return (name ?? '').trim().length > NAME_MAX ? `A name can have at most ${NAME_MAX} characters.` : null;
}

function displayNameError(name: string): string | null {
  if (name === '') return 'Display name cannot be empty.';
  return [...name].length > DISPLAY_NAME_MAX ? `Display name can have at most ${DISPLAY_NAME_MAX} characters.` : null;
}

/** Only the fields that are there. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function update(world: World, userId: string | undefined, changes: Parameters<World['update']>[0]): User {
  if (userId !== undefined && userId !== world.user.userId) throw notYourself();
  void world.member;
  const texts = Object.entries(changes).filter((each): each is [string, string] => typeof each[1] === 'string');
  const wished: Parameters<World['update']>[0] = Object.fromEntries(texts.map(([name, text]) => [name, text.trim()]));
  const { username, displayName, firstName, lastName } = wished;
  checkFields({
    username: username === undefined ? null : usernameError(username),
    displayName: displayName === undefined ? null : displayNameError(displayName),
    firstName: tooLong(firstName),
    lastName: tooLong(lastName),
  });
  if (username !== undefined) world.rename(username);
  return world.update(wished);
}

function shown(world: World, user: User) {
  return { user: seen(user), ...(user.userId === world.user.userId ? { account: user } : {}) };
}

/** A person as others see them. */
function seen({ profile, isProUser, isTempUser, ...user }: User): Schemas['UserProfile'] {
  return { ...seat(user), profile, isProUser, isTempUser };
}

/** Signing in and out, and people. */

import type { components } from '@/api/schema';
import { seat } from './game';
import type { ActionRoutes, Routes } from './http';
import { invalid, notBuilt, notYourself, Refusal } from './refusal';
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
  refreshToken: ({ world }) => signedIn(world, {}),
  getSite: () => ({ operatorName: 'the mock server', operatorContact: 'operator@example.org' }),
  getProviders: () => ({ local: true, registration: true, guests: true, mail: true }),
  getSetup: () => ({ open: false }),
  setUp: () => {
    const text = 'This setup link is not good any more. Restart the server for a new one.';
    throw new Refusal(403, 'setup-closed', text);
  },
  updateProfile: ({ world, body: { userId, username, displayName, firstName, lastName, ...same } }) => {
    const { email, isProUser, isTempUser, isAdmin } = world.user;
    const unchangeable = { email, isProUser, isTempUser, isAdmin };
    for (const [field, value] of Object.entries(unchangeable)) {
      if (
        same[field as keyof typeof unchangeable] !== undefined &&
        same[field as keyof typeof unchangeable] !== value
      ) {
        throw invalid(field, 'This cannot be changed here.');
      }
    }
    return { user: update(world, userId, given({ username, displayName, firstName, lastName })) };
  },
  searchUsers: ({ world, query }) => signedIn(world, { users: world.search(query.get('username') ?? '').map(seen) }),
};

export const profiles: ActionRoutes<'userprofile'> = {
  get_user_by_id: (world, { userId }) =>
    shown(
      world,
      world.find((each) => each.userId === userId),
    ),
  find_user: (world, { text }) => shown(world, world.findByName(text)),
  search_user: (world, { text, limit }) => signedIn(world, { users: world.search(text, limit).map(seen) }),
  search_user_profile: (world, { text, limit }) => signedIn(world, { users: world.search(text, limit).map(seen) }),
  create_profile: (world, { userId, ...changes }) => ({ user: update(world, userId, changes) }),
  update_user_profile: (world, { userId, ...changes }) => ({ user: update(world, userId, changes) }),
  delete_user_profile: (world, { userId, password }) => {
    update(world, userId, {});
    world.prove(password);
    world.removeAccount();
    return {};
  },
  assign_random_display_name: (world, { userId }) => {
    const displayName = randomName();
    update(world, userId, { displayName });
    return { displayName };
  },
};

/** The answer, for somebody who is signed in. */
function signedIn<T>(world: World, answer: T): T {
  return world.user && answer;
}

/** Only the fields that are there. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function update(world: World, userId: string | undefined, changes: Parameters<World['update']>[0]): User {
  if (userId !== undefined && userId !== world.user.userId) throw notYourself();
  if (changes.username !== undefined) world.rename(changes.username);
  return world.update(changes);
}

function shown(world: World, user: User) {
  return { user: seen(user), ...(user.userId === world.user.userId ? { account: user } : {}) };
}

/** A person as others see them. */
function seen({ profile, isProUser, isTempUser, ...user }: User): Schemas['UserProfile'] {
  return { ...seat(user), profile, isProUser, isTempUser };
}

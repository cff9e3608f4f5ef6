/** Signing in and out, and people. */

import type { components } from '@/api/schema';
import type { ActionRoutes, Routes } from './http';
import { invalid, notBuilt, notFound, notYourself, Refusal } from './refusal';
import type { User, World } from './world';

type Schemas = components['schemas'];

const SESSION_ID = '00000000-0000-4000-8000-000000000001';

type AccountOperation =
  | 'checkLogin'
  | 'login'
  | 'register'
  | 'logout'
  | 'refreshToken'
  | 'getProviders'
  | 'changePassword'
  | 'listSessions'
  | 'revokeSession'
  | 'getSetup'
  | 'setUp'
  | 'updateProfile'
  | 'searchUsers';

export const accounts: Pick<Routes, AccountOperation> = {
  checkLogin: ({ world }) => (world.isSignedIn ? { isLogIn: true, user: world.user } : { isLogIn: false }),
  login: ({ world, body: { email, password, isGoogleAccount } }) => {
    if (isGoogleAccount) notBuilt();
    if (!world.signIn(email, password ?? '')) {
      throw new Refusal(401, 'wrong-credentials', 'The email or the password is wrong.');
    }
    return { isLogIn: true, user: world.user };
  },
  register: ({ world, body: { username, email, password = '', firstName, lastName, isGoogleAccount } }) => {
    if (isGoogleAccount) notBuilt();
    world.addUser(username, email, password, { firstName, lastName });
    world.signIn(email, password);
    return { isLogIn: true, user: world.user };
  },
  logout: ({ world }) => {
    world.signOut();
    return {};
  },
  refreshToken: ({ world }) => signedIn(world, {}),
  getProviders: () => ({ local: true, registration: true, guests: false, mail: false }),
  changePassword: ({ world, body: { currentPassword, newPassword } }) => {
    signedIn(world, {});
    if (!world.hasPassword(currentPassword)) throw invalid('currentPassword', 'The current password is wrong.');
    world.update({ password: newPassword });
    return {};
  },
  listSessions: ({ world }) => {
    const { createdAt } = world.user;
    const sessionId = SESSION_ID;
    return {
      sessions: [
        {
          sessionId,
          device: 'This browser',
          address: '127.0.0.1',
          createdAt,
          lastUsedAt: new Date().toISOString(),
          isCurrent: true,
        },
      ],
    };
  },
  revokeSession: ({ world, body: { sessionId } }) => {
    signedIn(world, {});
    if (sessionId !== SESSION_ID) throw notFound('Session');
    world.signOut();
    return {};
  },
  getSetup: () => ({ open: false }),
  setUp: () => {
    const text = 'This setup link is not good any more. Restart the server for a new one.';
    throw new Refusal(403, 'setup-closed', text);
  },
  updateProfile: ({ world, body: { userId, ...changes } }) => ({ user: update(world, userId, changes) }),
  searchUsers: ({ world, query }) => signedIn(world, { users: world.search(query.get('username') ?? '').map(seen) }),
};

export const profiles: ActionRoutes<'userprofile'> = {
  get_user_by_id: (world, { userId }) =>
    shown(
      world,
      world.find((each) => each.userId === userId),
    ),
  find_user: (world, { text }) =>
    shown(
      world,
      world.find(({ username }) => username === text),
    ),
  search_user: (world, { text, limit }) => signedIn(world, { users: world.search(text, limit).map(seen) }),
  search_user_profile: (world, { text, limit }) => signedIn(world, { users: world.search(text, limit).map(seen) }),
  create_profile: (world, { userId, ...changes }) => ({ user: update(world, userId, changes) }),
  update_user_profile: (world, { userId, ...changes }) => ({ user: update(world, userId, changes) }),
  delete_user_profile: notBuilt,
  assign_random_display_name: notBuilt,
};

/** The answer, for somebody who is signed in. */
function signedIn<T>(world: World, answer: T): T {
  return world.user && answer;
}

function update(world: World, userId: string | undefined, changes: Parameters<World['update']>[0]): User {
  if (userId !== undefined && userId !== world.user.userId) throw notYourself();
  return world.update(changes);
}

function shown(world: World, user: User) {
  return { user: seen(user), ...(user.userId === world.user.userId ? { account: user } : {}) };
}

/** A person as others see them. */
function seen({ userId, username, displayName, profile, isProUser, isTempUser }: User): Schemas['UserProfile'] {
  return { userId, username, displayName, profile, isProUser, isTempUser };
}

/** The accounts and the session: docs/behaviour/accounts.md. */

import type { components } from '@/api/schema';
import { folded } from '@/shared/visible';
import { small } from './mockGame';
import { conflict, invalid, notFound, notSignedIn, Refusal, suspended } from './refusal';

export type User = components['schemas']['User'];

interface Account extends Omit<User, 'hasPassword'> {
  password: string;
}

/** How long a username cannot be changed again, in milliseconds. */
const RENAMED_EVERY_MS = 30 * 24 * 60 * 60 * 1_000;

export class MockAccounts {
  protected readonly accounts: Account[] = [];
  /** Former usernames, with the ids of their users. */
  readonly #formerNames = new Map<string, string>();
  #signedIn: Account | undefined;

  get user(): User {
    if (this.#signedIn === undefined) throw notSignedIn();
    return own(this.#signedIn);
  }

  /** As `user`, but refuses guests. */
  get member(): User {
    const { user } = this;
    if (user.isTempUser) {
      const text = 'Guests cannot do this. Create an account first; your games come with you.';
      throw new Refusal(403, 'guest', text);
    }
    return user;
  }

  /** The signed-in user; undefined for visitors. */
  get viewer(): User | undefined {
    return this.#signedIn === undefined ? undefined : own(this.#signedIn);
  }

  get isSignedIn(): boolean {
    return this.#signedIn !== undefined;
  }

  /** All accounts but the signed-in one and those that are suspended. */
  get others(): User[] {
    return this.accounts
      .filter((each) => each !== this.#signedIn)
      .map(own)
      .filter(({ suspension }) => suspension === undefined);
  }

  /** Accounts with a suspension, also one that is over; the latest first. */
  get suspended(): User[] {
    const since = ({ suspension }: Account) => Date.parse(suspension?.at ?? '');
    return this.accounts
      .filter(({ suspension }) => suspension !== undefined)
      .toSorted((a, b) => since(b) - since(a))
      .map(own);
  }

  addUser(username: string, email: string, password: string, names: { firstName?: string; lastName?: string } = {}) {
    this.#checkFree(username, email);
    this.accounts.push({ ...newAccount(username), ...names, email, password });
  }

  /** Signs a visitor in as a guest with a random name. */
  addGuest(): User {
    const username = `guest_${Math.random().toString(36).slice(2, 8)}`;
    this.#signedIn = { ...newAccount(username), displayName: randomName(), isTempUser: true };
    this.accounts.push(this.#signedIn);
    return this.user;
  }

  /** Turns the signed-in guest into an account with the same id. */
  keepGuest(changes: Pick<Account, 'username' | 'email' | 'password' | 'firstName' | 'lastName'>): User {
    this.#checkFree(changes.username, changes.email);
    return this.update({ ...changes, isTempUser: false });
  }

  /** Refuses a username that another account has. */
  checkUsername(username: string, own: string | undefined): void {
    const others = this.accounts.filter(({ userId }) => userId !== own);
    if (others.some((each) => each.username.toLowerCase() === username.toLowerCase())) {
      const text = 'This username is taken. Please choose another.';
      throw Object.assign(conflict('username-taken', text), { fieldErrors: { username: text } });
    }
  }

  #checkFree(username: string, email: string): void {
    this.checkUsername(username, this.#signedIn?.userId);
    const others = this.accounts.filter((each) => each !== this.#signedIn && each.emailVerified);
    if (others.some((each) => each.email.toLowerCase() === email.toLowerCase())) {
      const text = 'This email belongs to another account. Please use another, or sign in.';
      throw Object.assign(conflict('email-taken', text), { fieldErrors: { email: text } });
    }
  }

  /** Whose email, or username, and password these are. */
  ownerOf(typed: string, password: string): User | undefined {
    const name = typed.trim().toLowerCase();
    const account = this.accounts.find((each) => [each.email, each.username].some((own) => own.toLowerCase() === name));
    return account?.password === password ? own(account) : undefined;
  }

  /** Signs in; false when the password is wrong. */
  signIn(email: string, password: string): boolean {
    const owner = this.ownerOf(email, password);
    if (owner !== undefined) this.signInAs(owner.userId);
    return owner !== undefined;
  }

  /** Refuses an account that is suspended. */
  signInAs(userId: string): void {
    const account = this.find((each) => each.userId === userId);
    if (account.suspension !== undefined) throw suspended(account.suspension);
    this.#signedIn = this.accounts.find((each) => each.userId === userId);
  }

  signOut(): void {
    this.#signedIn = undefined;
  }

  update(changes: Partial<Omit<Account, 'userId' | 'createdAt'>>): User {
    if (this.#signedIn === undefined) throw notSignedIn();
    return own(Object.assign(this.#signedIn, changes));
  }

  /** Sets a password as an admin does, which ends every session; with an empty one the account has none. */
  resetPassword(userId: string, password: string): void {
    const account = this.accounts.find((each) => each.userId === userId);
    Object.assign(account ?? {}, { password });
    if (account === this.#signedIn) this.signOut();
  }

  /** Sets a password by recovery, which verifies the email and ends every session. */
  recover(email: string, password: string, openUnconfirmed: boolean): void {
    const account = this.accounts.find((each) => each.email.toLowerCase() === email.toLowerCase());
    const isUnconfirmed = account !== undefined && !account.emailVerified && !account.isAdmin;
    if (isUnconfirmed && !openUnconfirmed) {
      const text = `The account ${account.username} was made with this email, but nobody confirmed that. If it is yours, open it: its sessions, second factor and connected services end. If it is not, you can make one of your own.`;
      throw conflict('unconfirmed-account', text);
    }
    Object.assign(account ?? {}, { password, emailVerified: true, ...(isUnconfirmed ? { secondFactor: false } : {}) });
    if (account === this.#signedIn) this.signOut();
  }

  /** Changes the username; the former one still finds the user. */
  rename(username: string): void {
    const { userId, email, username: before, usernameChangeableAt: again } = this.user;
    if (username === before) return;
    if (again !== undefined && Date.parse(again) > Date.now()) {
      const day = new Date(again).toLocaleDateString('en-GB', {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone: 'UTC',
      });
      const text = `You can change your username again on ${day}.`;
      throw Object.assign(conflict('username-cooldown', text), { fieldErrors: { username: text } });
    }
    this.#checkFree(username, email || userId);
    this.update({ usernameChangeableAt: new Date(Date.now() + RENAMED_EVERY_MS).toISOString() });
    this.#formerNames.delete(username.toLowerCase());
    if (before.toLowerCase() !== username.toLowerCase()) this.#formerNames.set(before.toLowerCase(), userId);
  }

  /** Finds a user by their current or a former username. */
  findByName(text: string): User {
    const name = text.toLowerCase();
    const former = this.#formerNames.get(name);
    return this.find((each) => each.username.toLowerCase() === name || each.userId === former);
  }

  restoreEmail(userId: string, email: string): void {
    const account = this.accounts.find((each) => each.userId === userId);
    Object.assign(account ?? {}, { email, emailVerified: true });
    if (account === this.#signedIn) this.signOut();
  }

  hasPassword(password: string): boolean {
    return this.#signedIn?.password === password;
  }

  find(matches: (user: User) => boolean): User {
    const account = this.accounts.find((each) => matches(own(each)));
    if (account === undefined) throw notFound('User');
    return own(account);
  }

  /** The account with this id; undefined once it is deleted. */
  accountOf(userId: string): User | undefined {
    const account = this.accounts.find((each) => each.userId === userId);
    return account === undefined ? undefined : own(account);
  }

  /** As `findByName`, undefined for nobody. */
  namedUser(text: string): User | undefined {
    const name = text.toLowerCase();
    const former = this.#formerNames.get(name);
    const account =
      this.accounts.find((each) => each.username.toLowerCase() === name) ??
      this.accounts.find((each) => each.userId === former);
    return account === undefined ? undefined : own(account);
  }

  /** Users whose name or email contains the text, sorted by username. */
  everybody(text: string): User[] {
    const wanted = folded(text.trim());
    return this.accounts
      .filter((each) => folded(`${each.username}\n${each.displayName}\n${each.email}`).includes(wanted))
      .toSorted((a, b) => a.username.localeCompare(b.username))
      .map(own);
  }

  /** Users whose username or display name contains the text, without the caller. */
  search(text: string, limit = 10): User[] {
    if (text.trim().length < 2) throw invalid('text', 'Type at least 2 characters');
    const wanted = folded(text.trim());
    return this.accounts
      .filter((each) => each !== this.#signedIn && folded(`${each.username}\n${each.displayName}`).includes(wanted))
      .slice(0, limit)
      .map(own);
  }

  setAdmin(userId: string, isAdmin: boolean): User {
    return this.change(userId, { isAdmin });
  }

  /** An admin changes an account. */
  change(userId: string, changes: { [K in keyof Account]?: Account[K] | undefined }): User {
    const account = this.accounts.find((each) => each.userId === userId);
    if (account === undefined) throw notFound('User');
    return own(Object.assign(account, changes));
  }

  setSecondFactor(userId: string, secondFactor: boolean): void {
    Object.assign(this.accounts.find((each) => each.userId === userId) ?? {}, { secondFactor });
  }

  protected drop(accountId: string): void {
    this.accounts.splice(
      this.accounts.findIndex(({ userId }) => userId === accountId),
      1,
    );
  }
}

/** Without a suspension that is over. */
function own({ password, suspension, ...user }: Account): User {
  const isInForce = suspension !== undefined && !(Date.parse(suspension.until ?? '') <= Date.now());
  const hasPassword = password !== '';
  return { ...user, ...small(user.profile), ...(isInForce ? { suspension } : {}), hasPassword };
}

function newAccount(username: string): Account {
  return {
    userId: crypto.randomUUID(),
    username,
    firstName: '',
    lastName: '',
    displayName: username,
    email: '',
    password: '',
    emailVerified: false,
    profile: '',
    isProUser: false,
    isTempUser: false,
    isAdmin: false,
    secondFactor: false,
    profileVisibility: 'members',
    createdAt: new Date().toISOString(),
  };
}

const FIRST = ['Quick', 'Patient', 'Clever', 'Merry', 'Bold', 'Quiet'];
const SECOND = ['Pen', 'Chalk', 'Owl', 'Fox', 'Heron', 'Badger'];

/** A random display name like the server's. */
export function randomName(): string {
  const any = (words: string[]) => words[Math.floor(Math.random() * words.length)] ?? '';
  return `${any(FIRST)} ${any(SECOND)} ${10 + Math.floor(Math.random() * 90)}`;
}

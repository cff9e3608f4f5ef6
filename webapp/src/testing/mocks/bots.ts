/** Accounts that are bots: docs/behaviour/programs.md#bots. */

import type { ActionRoutes } from './http';
import type { User } from './mockAccounts';
import { seat } from './mockGame';
import type { MockServer } from './mockServer';
import { paged } from './paging';
import { conflict, invalid, Refusal } from './refusal';
import { requireProof } from './secondFactor';

/** Those with a certain rating, the best first: people or bots. */
export function rankedAmong(mock: MockServer, bots: boolean): string[] {
  return mock.ratings.ranked.filter((userId) => (mock.accountOf(userId)?.isBot === true) === bots);
}

export const become_bot: ActionRoutes<'userprofile'>['become_bot'] = (mock, { username }) => {
  const { member } = mock;
  requireProof(mock);
  if (username.trim().toLowerCase() !== member.username.toLowerCase()) {
    throw invalid('username', 'Please type the username of this account.');
  }
  if (member.isBot === true) return { user: member };
  if (!member.emailVerified && member.mayHost !== true) {
    const text = 'Please verify your email before you make your account a bot.';
    throw new Refusal(403, 'email-not-verified', text);
  }
  if ((mock.ratings.of(member.userId)?.games ?? 0) > 0) {
    const text = 'Only an account that has never played a rated game can become a bot. Please use a new account.';
    throw conflict('rated-already', text);
  }
  const entered = mock.events
    .seen()
    .find(({ state, participants }) => !['ended', 'cancelled'].includes(state) && participants.has(member.userId));
  if (entered !== undefined) {
    const text = `You are signed up for '${entered.details.title}'. Please leave it or wait until it is over. You can then sign up as a bot.`;
    throw conflict('signed-up-for-event', text);
  }
  mock.audit('become_bot', member.userId, { username: member.username });
  return { user: mock.update({ isBot: true }) };
};

export const list_bots: ActionRoutes<'player'>['list_bots'] = (mock, page) => {
  const { user, ratings } = mock;
  const ranked = rankedAmong(mock, true);
  const isIn = ({ userId }: User) => ranked.includes(userId);
  const bots = mock.everybody('').filter(({ isBot, suspension }) => isBot === true && suspension === undefined);
  const best = ranked.flatMap((userId) => bots.find((bot) => bot.userId === userId) ?? []);
  const { items, pagination } = paged([...best, ...bots.filter((bot) => !isIn(bot))], page);
  const listed = items.flatMap((bot) => {
    const rating = ratings.of(bot.userId);
    const rank = isIn(bot) ? { rank: ranked.indexOf(bot.userId) + 1 } : {};
    if (rating === undefined) return [];
    return [
      { ...rank, ...seat(bot), rating, online: bot.userId === user.userId || isIn(bot), botSince: bot.createdAt },
    ];
  });
  return { bots: listed, pagination };
};

/** Two bots: one that is ranked, and a new one. */
export function seedBots(mock: MockServer): void {
  for (const [username, displayName, games] of [
    ['minimax', 'Minimax', 40],
    ['dicebot', 'Dice', 0],
  ] as const) {
    mock.addUser(username, `${username}@example.org`, crypto.randomUUID());
    const { userId } = mock.findByName(username);
    mock.change(userId, { displayName, isBot: true });
    if (games > 0) mock.ratings.set(userId, { value: 1_874, games });
  }
}

/** Personal tokens, by which programs act for their owners. */

import type { PersonalToken, ProgramScope } from '@/api/programs';
import { composed, visibleError } from '@/shared/visible';
import type { Routes } from './http';
import type { MockServer } from './mockServer';
import { checkFields, conflict, notFound } from './refusal';
import { requireProof } from './secondFactor';

const MOST = 20;
const NAME_MAX = 40;
const DAY = 86_400_000;
const SCOPES: readonly ProgramScope[] = ['read', 'play', 'event'];

function nameError(name: string): string | null {
  const { length } = [...composed(name)];
  if (length > NAME_MAX) return `The name can have at most ${NAME_MAX} characters.`;
  return visibleError(name, 'The name') ?? (length > 0 ? null : `A token needs a name of 1 to ${NAME_MAX} characters.`);
}

function tokensOf({ personalTokens, member }: MockServer): PersonalToken[] {
  return personalTokens.get(member.userId) ?? [];
}

export const personalTokens: Pick<Routes, 'listPersonalTokens' | 'createPersonalToken' | 'deletePersonalToken'> = {
  listPersonalTokens: ({ mock }) => ({ tokens: tokensOf(mock), most: MOST }),
  createPersonalToken: ({ mock, body: { name, scopes, expiresInDays = 90 } }) => {
    const tokens = tokensOf(mock);
    requireProof(mock);
    checkFields({
      name: nameError(name),
      scopes: scopes.length === 0 ? 'Please choose what the program may do.' : null,
      expiresInDays: expiresInDays >= 1 && expiresInDays <= 365 ? null : 'A token can last 1 to 365 days.',
    });
    if (tokens.length >= MOST) {
      throw conflict('too-many-tokens', `There are ${MOST} tokens already. Please delete one first.`);
    }
    const personalToken: PersonalToken = {
      tokenId: crypto.randomUUID(),
      name: composed(name),
      scopes: SCOPES.filter((scope) => scopes.includes(scope)),
      createdAt: new Date().toISOString(),
      expiresAt: new Date(Date.now() + expiresInDays * DAY).toISOString(),
    };
    mock.personalTokens.set(mock.member.userId, [personalToken, ...tokens]);
    return { token: `morpion_pat_${crypto.randomUUID().replaceAll('-', '')}`, personalToken };
  },
  deletePersonalToken: ({ mock, body: { tokenId } }) => {
    const tokens = tokensOf(mock);
    const left = tokens.filter((each) => each.tokenId !== tokenId);
    if (left.length === tokens.length) throw notFound('Token');
    mock.personalTokens.set(mock.member.userId, left);
    return {};
  },
};

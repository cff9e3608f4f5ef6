import type { Actions } from '@/api/generatedActions';

/** What the server has not shown: it does not exist, or nobody may see it here. */
export class NotShown extends Error {
  override readonly name = 'NotShown';
}

/**
 * Reads as a visitor, whoever is signed in to the browser: no cookie is sent, and none is taken.
 *
 * @throws {NotShown} For what visitors do not see; any other error may pass.
 */
export async function ask<R extends keyof Actions, A extends keyof Actions[R] & string>(
  resource: R,
  action: A,
  payload: Actions[R][A] extends { payload: infer P } ? P : never,
): Promise<Actions[R][A] extends { answer: infer T } ? T : never> {
  const query = new URLSearchParams({ payload: JSON.stringify(payload) });
  const response = await fetch(`/api/backend/${resource}/${action}?${query}`, { credentials: 'omit' });
  if (response.ok) return response.json() as never;
  if ([401, 403, 404, 422].includes(response.status)) throw new NotShown();
  throw new Error(`the server answered ${response.status}`);
}

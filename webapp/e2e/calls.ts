import { expect, type Page } from '@playwright/test';

/** The headers that prove a call to come from this browser's own pages. */
export async function ownHeaders(page: Page, origin: string): Promise<Record<string, string>> {
  const cookies = await page.context().cookies();
  const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  return { 'X-XSRF-TOKEN': decodeURIComponent(token), Origin: origin };
}

/** Calls an action of the API as the user who is signed in in this browser. */
export async function call<T>(page: Page, resource: string, action: string, payload: object): Promise<T> {
  const origin = new URL(page.url()).origin;
  const response = await page.request.post(`${origin}/api/backend/${resource}`, {
    headers: await ownHeaders(page, origin),
    data: { action, payload },
  });
  const answer = (await response.json()) as T & { succeeded: boolean };
  expect(answer, `${resource} ${action}`).toMatchObject({ succeeded: true });
  return answer;
}

/** Reads by the API, as `call` writes. */
export async function read<T>(page: Page, resource: string, action: string, payload: object): Promise<T> {
  const query = new URLSearchParams({ action, payload: JSON.stringify(payload) });
  const response = await page.request.get(`${new URL(page.url()).origin}/api/backend/${resource}?${query.toString()}`);
  const answer = (await response.json()) as T & { succeeded: boolean };
  expect(answer, `${resource} ${action}`).toMatchObject({ succeeded: true });
  return answer;
}

import { expect, type Page } from '@playwright/test';

/** Calls an action of the API as the user who is signed in in this browser. */
export async function call<T>(page: Page, resource: string, action: string, payload: object): Promise<T> {
  const cookies = await page.context().cookies();
  const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  const origin = new URL(page.url()).origin;
  const response = await page.request.post(`${origin}/api/backend/${resource}`, {
    headers: { 'X-XSRF-TOKEN': decodeURIComponent(token), Origin: origin },
    data: { action, payload },
  });
  const answer = (await response.json()) as T & { succeeded: boolean };
  expect(answer, `${resource} ${action}`).toMatchObject({ succeeded: true });
  return answer;
}

/** Mock mode: the mock server runs in the page's service worker. */

import { setupWorker } from 'msw/browser';
import { seedBots } from './bots';
import { mockHandlers } from './handlers';
import { seat } from './mockGame';
import { sampleRatings } from './playerPages';
import { MOCK_CODE } from './accountSettings';
import { MOCK_TOTP } from './secondFactor';
import { ATTIC_CODE } from './seedHosted';
import { DEMO, DEMO_ADMIN, DEMO_SUSPENDED, MockServer } from './mockServer';

export async function startMocks(): Promise<void> {
  const mock = new MockServer({ crowd: true });
  // Whose email is verified may host events.
  mock.change(mock.find(({ email }) => email === DEMO.email).userId, { emailVerified: true });
  sampleRatings(mock, mock.everybody('').map(seat));
  seedBots(mock);
  const worker = setupWorker(...mockHandlers(mock));
  await worker.start({ onUnhandledRequest: 'bypass', quiet: true });
  // eslint-disable-next-line no-console -- mock mode exists for whoever reads the console
  console.info(
    `Mock mode. Sign in as ${DEMO.email} with ${DEMO.password}, as ${DEMO_ADMIN.email} (an admin) or ${DEMO_SUSPENDED.email} (suspended) with the same, or register. A private event is entered with ${ATTIC_CODE}. Codes by mail are ${MOCK_CODE}, those of authenticator apps ${MOCK_TOTP}.`,
  );
}

import { mockHandlers } from './mocks/handlers';
import { DEMO, DEMO_ADMIN, MockServer } from './mocks/mockServer';
import { renderApp } from './renderApp';
import { server } from './server';

/** The mock's other users do nothing while a test runs. */
const IDLE_PACE = { join: 60_000, move: 60_000, invite: 60_000, others: 60_000, turn: 60_000 };

/** Renders the whole app at a path with its own stateful mock server. Ada is signed in, unless the options say otherwise. */
export function renderWithMockServer(path: string, { asVisitor = false, asAdmin = false } = {}) {
  const mock = new MockServer({ pace: IDLE_PACE });
  const { email, password } = asAdmin ? DEMO_ADMIN : DEMO;
  if (!asVisitor) mock.signIn(email, password);
  server.use(...mockHandlers(mock));
  return { mock, ...renderApp(path) };
}

/** Media queries for the width match as on a screen of this width. */
export function setScreenWidth(width: number): void {
  window.matchMedia = (query: string) => {
    const limit = Number(/max-width: (\d+)px/.exec(query)?.[1] ?? 0);
    return {
      matches: query.includes('prefers-reduced-motion') || width <= limit,
      media: query,
      onchange: null,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      addListener: () => undefined,
      removeListener: () => undefined,
      dispatchEvent: () => false,
    };
  };
}

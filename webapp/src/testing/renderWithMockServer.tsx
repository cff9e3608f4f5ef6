import { mockHandlers } from './mocks/handlers';
import { DEMO, MockServer } from './mocks/mockServer';
import { renderApp } from './renderApp';
import { server } from './server';

/** Nobody else does anything while a test runs. */
const IDLE_PACE = { join: 60_000, move: 60_000, invite: 60_000, others: 60_000, turn: 60_000 };

/** The whole app at a path, before a server of its own that remembers; Ada is signed in unless it is to be a visitor. */
export function renderWithMockServer(path: string, { asVisitor = false } = {}) {
  const mock = new MockServer({ pace: IDLE_PACE });
  if (!asVisitor) mock.signIn(DEMO.email, DEMO.password);
  server.use(...mockHandlers(mock));
  return { mock, ...renderApp(path) };
}

/** Says of every width question what a screen so wide would. */
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

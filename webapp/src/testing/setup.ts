import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { server } from './server';

// Pages come in chunks, and the first to be asked for is compiled while the test waits.
configure({ asyncUtilTimeout: 8_000 });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  // The server sets it with the first answer; without it every write would first ask for it.
  document.cookie = 'XSRF-TOKEN=token';
});
afterEach(() => {
  cleanup();
  server.resetHandlers();
});
afterAll(() => server.close());

// jsdom has no layout and no media: what is asked of them gets harmless answers.
window.matchMedia ??= (query: string) => ({
  // Nothing moves in tests.
  matches: query.includes('prefers-reduced-motion'),
  media: query,
  onchange: null,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  addListener: () => undefined,
  removeListener: () => undefined,
  dispatchEvent: () => false,
});
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Element.prototype.scrollIntoView ??= () => undefined;
window.scrollTo = () => undefined;
if (!('fonts' in document)) Object.assign(document, { fonts: new EventTarget() });

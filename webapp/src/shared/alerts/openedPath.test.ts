import { expect, it } from 'vitest';
import { openedPath } from './openedPath';

it('is the path of a pressed notification', () => {
  expect(openedPath({ type: 'OPENED', to: '/app/game/3f2c-1' })).toBe('/app/game/3f2c-1');
});

it.each([
  null,
  'OPENED',
  { to: '/app/home' },
  { type: 'OPENED' },
  { type: 'OPENED', to: 7 },
  { type: 'OPENED', to: 'https://example.org/app/' },
  { type: 'OPENED', to: '//example.org/app/' },
  { type: 'OPENED', to: '/app/../api/auth/logout' },
  { type: 'OPENED', to: 'javascript:alert(1)' },
  { type: 'OPENED', to: '/app/home?next=//example.org' },
])('is no path for %j', (data) => expect(openedPath(data)).toBeNull());

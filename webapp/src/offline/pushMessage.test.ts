import { expect, it } from 'vitest';
import { pushMessage } from './pushMessage';

const MESSAGE = { title: 'Your turn', body: 'bob has played.', tag: '3f2c-1', to: '/app/game/3f2c-1' };

it('reads what the server pushes, and no more of it', () => {
  expect(
    pushMessage(JSON.stringify({ ...MESSAGE, actions: [{ action: 'x' }], image: 'https://example.org/x' })),
  ).toEqual(MESSAGE);
  expect(pushMessage(JSON.stringify({ ...MESSAGE, body: undefined }))).toEqual({ ...MESSAGE, body: '' });
});

it.each([
  '',
  'Your turn',
  '7',
  'null',
  '[]',
  '{"title":"Your turn"}',
  JSON.stringify({ ...MESSAGE, title: '  ' }),
  JSON.stringify({ ...MESSAGE, title: 7 }),
  JSON.stringify({ ...MESSAGE, title: 'a'.repeat(301) }),
  JSON.stringify({ ...MESSAGE, tag: null }),
  JSON.stringify({ ...MESSAGE, to: 'https://example.org/app/' }),
  JSON.stringify({ ...MESSAGE, to: '//example.org/app/' }),
  JSON.stringify({ ...MESSAGE, to: '/api/auth/logout' }),
  JSON.stringify({ ...MESSAGE, to: 'javascript:alert(1)' }),
])('shows nothing for %s', (text) => expect(pushMessage(text)).toBeNull());

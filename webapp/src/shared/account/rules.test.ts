import { describe, expect, it } from 'vitest';
import { emailError } from './rules';

describe('emailError', () => {
  it.each(['ada@example.org', ' ada@example.org ', 'a.b+c@sub.example.co.uk', 'ada@exämple.org'])(
    'takes %j',
    (email) => {
      expect(emailError(email)).toBeNull();
    },
  );

  it.each([
    '',
    'ada',
    '@example.org',
    'ada@org',
    '.ada@example.org',
    'ada.@example.org',
    'a..b@example.org',
    'a@b@c.org',
  ])('refuses %j', (email) => {
    expect(emailError(email)).toBe('Please enter a valid email address.');
  });

  it('refuses what few mail servers take', () => {
    expect(emailError('ünï@example.org')).toContain('may not arrive');
  });
});

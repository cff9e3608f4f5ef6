import { describe, expect, it } from 'vitest';
import { codeError, codeOfHash, joinPath, typedCode } from './joinCode';

const CODE = 'ABCD-EFGH-JKMN-PQRS';

describe('a join code', () => {
  it.each([CODE, 'abcdefghjkmnpqrs', ' abcd efgh–jkmn—pqrs ', `https://chalk.example/join#${CODE}`, `/join#${CODE}`])(
    'is read from %j',
    (text) => {
      expect(typedCode(text)).toBe(CODE);
      expect(codeError(typedCode(text))).toBeNull();
    },
  );

  it.each(['', ' - ', 'https://chalk.example/join#'])('is missing in %j', (text) => {
    expect(codeError(typedCode(text))).toBe('Type the code that the host gave you.');
  });

  it.each(['ABCD-EFGH', `${CODE}-T`, 'ABCD-EFGH-JKMN-PQR!'])('cannot be %j', (text) => {
    expect(codeError(typedCode(text))).toBe('A join code has 16 letters and digits.');
  });

  it('is in the fragment of the link, which no server sees', () => {
    const link = new URL(joinPath('abcd-efgh-jkmn-pqrs'), 'https://chalk.example');
    expect(`${link.pathname}${link.search}`).toBe('/join');
    expect(codeOfHash(link.hash)).toBe(CODE);
  });

  it.each(['', '#', '#%'])('is not in the fragment %j', (hash) => expect(codeOfHash(hash)).toBe(''));
});

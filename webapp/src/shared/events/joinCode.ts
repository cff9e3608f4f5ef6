/** Join codes of private events: 16 letters and digits, shown in groups of four. */

const LETTERS = 16;
const GROUP = 4;

export const JOIN_PATH = '/join';

/** The code in what was typed, or pasted as a link: any case, with or without spaces and dashes. */
export function typedCode(text: string): string {
  const code = text.slice(text.lastIndexOf('#') + 1).replace(/[\s\p{Pd}]/gu, '');
  return grouped(code.toUpperCase());
}

/** What the address of a join link has after its `#`. */
export function codeOfHash(hash: string): string {
  try {
    return typedCode(decodeURIComponent(hash));
  } catch {
    return '';
  }
}

function grouped(code: string): string {
  const groups = Array.from({ length: Math.ceil(code.length / GROUP) }, (_, at) =>
    code.slice(at * GROUP, (at + 1) * GROUP),
  );
  return groups.join('-');
}

/** Why this cannot be a code: it would only use up a try. */
export function codeError(code: string): string | null {
  const letters = code.replaceAll('-', '');
  if (letters === '') return 'Type the code that the host gave you.';
  if (letters.length !== LETTERS || !/^[A-Z\d]+$/.test(letters))
    return `A join code has ${LETTERS} letters and digits.`;
  return null;
}

/** The page that enters with this code; a browser keeps what comes after `#` to itself. */
export const joinPath = (code: string) => `${JOIN_PATH}#${typedCode(code)}`;

/** The same as a link to send. */
export const joinLink = (code: string) => `${window.location.origin}${joinPath(code)}`;

/** The initials of the first and the last word of a name; one for a single word. */
export function initialsOf(name: string): string[] {
  const words = name.split(/[\s._-]+/).filter((word) => word !== '');
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  const initials = ends.map((word = '') => [...word][0]?.toUpperCase() ?? '');
  return initials.length > 0 ? initials : ['?'];
}

/** One of the two mark colours, always the same for a name. */
export function inkOf(name: string): 'x' | 'o' {
  let sum = 0;
  for (const letter of name) sum += letter.codePointAt(0) ?? 0;
  return sum % 2 === 0 ? 'x' : 'o';
}

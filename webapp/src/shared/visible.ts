/** Which names and titles can be seen, as the server decides it (appliance/rules/src/text.rs). */

/** The flag of a part of a country, such as Scotland's. */
const FLAG = String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}`;
/** All but those that are drawn as nothing. */
const DRAWN = String.raw`(?!\p{DI}|[\u{2800}\u{1D159}\u{FFFC}])[\p{L}\p{N}\p{P}\p{S}\p{ExtPict}]`;
/** A joiner may end a word behind a sign that takes a vowel away. */
const MARK = String.raw`\p{M}\p{Join_C}(?=\p{Zs}|$)|\p{VS}|(?!\p{DI})\p{M}`;
const PART = `(?:${FLAG}|${DRAWN})(?:${MARK})*`;
const LINE = new RegExp(String.raw`^(?:\p{Zs}|${PART}(?:\p{Join_C}${PART})*)*$`, 'u');

/** The text as it is stored. */
export function composed(text: string): string {
  return text.trim().normalize('NFC');
}

/** What is wrong with a text in which something cannot be seen. */
export function visibleError(text: string, what: string): string | null {
  return LINE.test(text.trim()) ? null : `${what} has a character that cannot be seen. Please type it again.`;
}

/** The form in which texts are searched: the same for all ways to type one. */
export function folded(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

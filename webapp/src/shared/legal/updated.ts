/** When each legal text last changed; a test compares the texts with that version. */
export const LEGAL_UPDATED = {
  terms: '2026-11-24',
  privacy: '2026-11-29',
  cookies: '2026-11-30',
} as const;

export const LAST_LEGAL_UPDATE = Object.values(LEGAL_UPDATED).reduce((last, day) => (day > last ? day : last));

export function updatedText(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return `Last updated: ${date.toLocaleDateString('en-US', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })}`;
}

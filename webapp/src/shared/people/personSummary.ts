/** What others see of a person, wherever one is on the wire. */
export interface PersonSummary {
  username: string;
  displayName?: string | undefined;
  /** Of the smallest picture; absent or empty without one. */
  profileUrl?: string | undefined;
}

export function nameOf({ username, displayName }: PersonSummary): string {
  return displayName === undefined || displayName === '' ? username : displayName;
}

/** A person as others see them, in any response or frame. */
export interface PersonSummary {
  username: string;
  displayName?: string | undefined;
  /** URL of the smallest picture; absent or empty without one. */
  profileUrl?: string | undefined;
  /** True for a bot, absent for people. */
  isBot?: boolean | undefined;
}

export function nameOf({ username, displayName }: PersonSummary): string {
  return displayName === undefined || displayName === '' ? username : displayName;
}

/** The username in what somebody typed, with or without an @. */
export const usernameIn = (text: string) => text.trim().replace(/^@/, '');

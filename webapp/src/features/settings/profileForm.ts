import type { User } from '@/api/account';

export interface ProfileNames {
  displayName: string;
  firstName: string;
  lastName: string;
}

/**
 * Save is enabled when the display name, or first and last name, differ from the stored ones; first plus last are
 * compared without regard to case.
 */
export function isChanged(typed: ProfileNames, stored: Pick<User, keyof ProfileNames>): boolean {
  const fullName = ({ firstName, lastName }: ProfileNames) => `${firstName.trim()} ${lastName.trim()}`.toLowerCase();
  return typed.displayName.trim() !== stored.displayName || fullName(typed) !== fullName(stored);
}

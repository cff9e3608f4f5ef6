import type { User } from '@/api/account';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';

/** The signed-in user, which the guard guarantees. */
export function useAccount(): User {
  const user = useAppSelector(selectUser);
  if (user === null) throw new Error('settings are for the signed-in');
  return user;
}

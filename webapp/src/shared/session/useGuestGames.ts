import { useCheckLoginQuery } from '@/api/account';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import { ifKnown } from '@/shared/ui/Loaded';

/** The number of games that a guest can take over into the account they sign in to. */
export function useGuestGames(): number {
  const isGuest = useAppSelector(selectUser)?.isTempUser ?? false;
  const answer = ifKnown(useCheckLoginQuery(undefined, { skip: !isGuest, refetchOnMountOrArgChange: true }));
  return isGuest ? (answer?.guestGames ?? 0) : 0;
}

import { Checkbox } from '@mantine/core';
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

interface KeepGuestGamesProps {
  games: number;
  isWanted: boolean;
  onWant: (isWanted: boolean) => void;
}

export function KeepGuestGames({ games, isWanted, onWant }: KeepGuestGamesProps) {
  return (
    <Checkbox
      label={games === 1 ? 'Keep the game I played as a guest' : `Bring the ${games} games I played as a guest along`}
      description="Otherwise they are deleted with the guest account."
      checked={isWanted}
      onChange={(event) => onWant(event.currentTarget.checked)}
    />
  );
}

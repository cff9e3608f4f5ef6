import { Checkbox } from '@mantine/core';

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

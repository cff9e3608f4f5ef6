import { Checkbox } from '@mantine/core';

interface KeepGuestGamesProps {
  games: number;
  isWanted: boolean;
  onWant: (isWanted: boolean) => void;
}

export function KeepGuestGames({ games, isWanted, onWant }: KeepGuestGamesProps) {
  return (
    <Checkbox
      label={
        games === 1 ? 'Bring the game I played as a guest along' : `Bring the ${games} games I played as a guest along`
      }
      description="Otherwise they are lost with the guest."
      checked={isWanted}
      onChange={(event) => onWant(event.currentTarget.checked)}
    />
  );
}

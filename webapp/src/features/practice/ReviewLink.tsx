import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { Level } from '@/engine';
import { practiceReplayPath } from '@/shared/practiceReplay';
import type { Game } from '@/shared/rules';

/** The way to the review of a game that is over. `level` is the AI's, where there was one. */
export function ReviewLink({ game, level }: { game: Game; level?: Level }) {
  return (
    <Button variant="default" component={Link} to={practiceReplayPath(game, level)}>
      See why
    </Button>
  );
}

import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { Level } from '@/engine';
import { practiceReplayPath } from '@/shared/practiceReplay';
import type { Game } from '@/shared/rules';

/** A link to the review of a finished game. `level` is the AI's, if it played. */
export function ReviewLink({ game, level }: { game: Game; level?: Level }) {
  return (
    <Button variant="default" component={Link} to={practiceReplayPath([game], level)}>
      See why
    </Button>
  );
}

import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { GamePlayer } from '@/realtime/protocol';
import { isSamePair, watchPath } from '@/shared/live/liveNow';
import { useLiveNow } from '@/shared/live/useLiveNow';
import { nameOf } from '@/shared/people/personSummary';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';

interface NextToWatchProps {
  gameId: string;
  players: readonly GamePlayer[];
}

/** What to watch after a game: the next one of the same two, else the best rated. */
export function NextToWatch(props: NextToWatchProps) {
  // The list is for those who are signed in.
  return useAppSelector(selectUser) === null ? null : <Next {...props} />;
}

function Next({ gameId, players }: NextToWatchProps) {
  const userId = useAppSelector(selectUser)?.userId;
  const list = useLiveNow(12);
  const others = (list?.games ?? []).filter(
    ({ game, board }) => game.gameId !== gameId && board.status === 'active' && game.isOwn !== true,
  );
  const again = others.find(({ game }) => isSamePair(game.players, players));
  const next = again ?? others[0];
  if (next === undefined) return null;
  return (
    <Button component={Link} to={watchPath(next.game, userId)}>
      {again === undefined ? `Watch ${next.game.players.map(nameOf).join(' – ')}` : 'Watch their next game'}
    </Button>
  );
}

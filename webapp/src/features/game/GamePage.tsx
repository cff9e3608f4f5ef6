import { useParams } from 'react-router';
import { LiveGamePage } from './LiveGamePage';

/** Remounted for each game, so that no state is carried over. */
export default function GamePage() {
  const { gameId = '' } = useParams();
  return <LiveGamePage key={gameId} gameId={gameId} />;
}

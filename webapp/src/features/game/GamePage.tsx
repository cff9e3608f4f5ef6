import { useParams } from 'react-router';
import { LiveGamePage } from './LiveGamePage';

/** A page of its own for each game: nothing of one is left when the next begins. */
export default function GamePage() {
  const { gameId = '' } = useParams();
  return <LiveGamePage key={gameId} gameId={gameId} />;
}

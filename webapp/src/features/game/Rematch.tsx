import { Button } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { errorText } from '@/api/base';
import { useCancelGameMutation } from '@/api/game';
import type { PersonSummary } from '@/shared/people/personSummary';
import { addRecentPerson } from '@/shared/recentPeople';
import { toast } from '@/shared/ui/toast';
import { usePlayAgain } from './usePlayAgain';
import type { RematchOffer } from './useRematchOffer';

/** How an offer stands, in words for one of the players. */
export function rematchText({ userId: by, state }: RematchOffer, userId: string, opponent: string): string {
  const isOwn = by === userId;
  switch (state) {
    case 'offered':
      return isOwn ? `${opponent} has not answered yet.` : `${opponent} wants to play again!`;
    case 'accepted':
      return 'The next game has begun.';
    case 'declined':
      return isOwn ? `${opponent} does not want to play again.` : 'You declined.';
    case 'withdrawn':
      return isOwn ? 'You withdrew your offer.' : `${opponent} withdrew the offer.`;
    case 'expired':
      return isOwn ? `${opponent} did not answer.` : 'The offer has expired.';
  }
}

interface RematchProps {
  gameId: string;
  userId: string;
  offer: RematchOffer | null;
  opponent: (PersonSummary & { userId: string }) | undefined;
}

/** Offers another game, or answers the offer that there is. */
export function Rematch({ gameId, userId, offer, opponent }: RematchProps) {
  const navigate = useNavigate();
  const { playAgain, isAsking } = usePlayAgain(gameId, (next) => {
    if (opponent !== undefined && next.initiatorUserId === userId) addRecentPerson(opponent);
    void navigate(`/app/game/${next.gameId}`);
  });
  const again = (label: string) => (
    <Button loading={isAsking} onClick={() => void playAgain()}>
      {label}
    </Button>
  );
  const isOwn = offer?.userId === userId;
  switch (offer?.state) {
    case 'offered':
      return (
        <>
          {isOwn ? <OpenNext gameId={offer.gameId}>Open the game</OpenNext> : again('Accept')}
          <CallOff gameId={offer.gameId} userId={userId} isOwn={isOwn} />
        </>
      );
    case 'accepted':
      return <OpenNext gameId={offer.gameId}>Go to the next game</OpenNext>;
    default:
      return again('Play Again');
  }
}

function OpenNext({ gameId, children }: { gameId: string; children: string }) {
  return (
    <Button component={Link} to={`/app/game/${gameId}`}>
      {children}
    </Button>
  );
}

/** Withdraws or declines an offer of a rematch. */
function CallOff({ gameId, userId, isOwn }: { gameId: string; userId: string; isOwn: boolean }) {
  const [cancel, { isLoading }] = useCancelGameMutation();
  const callOff = async () => {
    const { error } = await cancel({ gameId, userId });
    if (error !== undefined) toast.error(errorText(error, 'Request failed'));
  };
  return (
    <Button variant="default" loading={isLoading} onClick={() => void callOff()}>
      {isOwn ? 'Cancel Invitation' : 'Decline'}
    </Button>
  );
}

import { Button } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { errorText } from '@/api/base';
import { useCancelGameMutation, usePlayAgainMutation } from '@/api/game';
import type { PersonSummary } from '@/shared/people/personSummary';
import { addRecentPerson } from '@/shared/recentPeople';
import { toast } from '@/shared/ui/toast';
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
      return isOwn ? 'You took your offer back.' : `${opponent} took the offer back.`;
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
  const isOwn = offer?.userId === userId;
  switch (offer?.state) {
    case 'offered':
      return (
        <>
          {isOwn ? (
            <OpenNext gameId={offer.gameId}>Open the game</OpenNext>
          ) : (
            <PlayAgain gameId={gameId} userId={userId} opponent={opponent} label="Accept" />
          )}
          <CallOff gameId={offer.gameId} userId={userId} isOwn={isOwn} />
        </>
      );
    case 'accepted':
      return <OpenNext gameId={offer.gameId}>Go to the next game</OpenNext>;
    default:
      return <PlayAgain gameId={gameId} userId={userId} opponent={opponent} label="Play Again" />;
  }
}

function OpenNext({ gameId, children }: { gameId: string; children: string }) {
  return (
    <Button component={Link} to={`/app/game/${gameId}`}>
      {children}
    </Button>
  );
}

/** Creates the next game, or opens the one that the opponent created. */
function PlayAgain({ gameId, userId, opponent, label }: Omit<RematchProps, 'offer'> & { label: string }) {
  const navigate = useNavigate();
  const [playAgain, { isLoading }] = usePlayAgainMutation();
  const start = async () => {
    const { data, error } = await playAgain({ gameId });
    if (data === undefined) {
      toast.error(errorText(error, 'Failed to create game'));
      return;
    }
    if (opponent !== undefined && data.game.initiatorUserId === userId) addRecentPerson(opponent);
    await navigate(`/app/game/${data.game.gameId}`);
  };
  return (
    <Button loading={isLoading} onClick={() => void start()}>
      {label}
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

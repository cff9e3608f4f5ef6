import { Button } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { errorText } from '@/api/base';
import { useCancelGameMutation, usePlayAgainMutation } from '@/api/game';
import type { GameState } from '@/realtime/protocol';
import type { PostGameRedirect } from '@/shared/events/postGameRedirect';
import { nameOf, type PersonSummary } from '@/shared/people/personSummary';
import { addRecentPerson } from '@/shared/recentPeople';
import { selectUser } from '@/shared/session/sessionSlice';
import { toast } from '@/shared/ui/toast';
import { eventOf, type Outcome } from './liveGame';
import classes from './GamePage.module.css';
import { RatingResult } from './RatingResult';
import { useRematchOffer } from './useRematchOffer';
import { useAppSelector } from '@/shared/storeHooks';

const WORDS: Record<PostGameRedirect['to'], string> = {
  next: 'On to the next match…',
  room: 'Back to the event room…',
  event: 'Back to the event…',
};

interface EndPanelProps {
  state: GameState;
  outcome: Outcome;
  /** Where the page redirects shortly. */
  redirect: PostGameRedirect | null;
}

/** The result, and the actions after it. */
export function EndPanel({ state, outcome, redirect }: EndPanelProps) {
  const userId = useAppSelector(selectUser)?.userId ?? '';
  const opponent = state.players.find((player) => player.userId !== userId);
  const name = opponent === undefined ? 'Your opponent' : nameOf(opponent);
  const isPlayer = state.players.some((player) => player.userId === userId);
  const canPlayAgain = isPlayer && state.gameType !== 'event';
  const offer = useRematchOffer(state.gameId, canPlayAgain);
  const eventId = eventOf(state);
  return (
    <>
      <h2 className={classes.outcome} data-kind={outcome.kind}>
        {outcome.title}
      </h2>
      <p role={offer === null ? undefined : 'status'}>
        {offer === null
          ? outcome.detail
          : offer.userId === userId
            ? `${name} has not answered yet.`
            : `${name} wants to play again!`}
      </p>
      <RatingResult state={state} userId={userId} />
      {redirect !== null && <p>{WORDS[redirect.to]}</p>}
      <div className={classes.actions}>
        {canPlayAgain && <PlayAgain gameId={state.gameId} opponent={opponent} userId={userId} />}
        {offer !== null && <CallOff gameId={offer.gameId} userId={userId} isOwn={offer.userId === userId} />}
        <Button variant="default" component={Link} to={`/app/game/${state.gameId}/replay`}>
          See why
        </Button>
        {isPlayer && state.gameType === 'quick' && (
          <Button variant="default" component={Link} to="/app/play">
            Another opponent
          </Button>
        )}
        {state.gameType === 'invite' && canPlayAgain && offer === null && (
          <Button variant="default" component={Link} to="/app/practice">
            Back to practice
          </Button>
        )}
        {eventId !== null && (
          <Button variant="default" component={Link} to={`/app/events/view/${eventId}`}>
            Back to the event
          </Button>
        )}
      </div>
    </>
  );
}

interface PlayAgainProps {
  gameId: string;
  userId: string;
  opponent: (PersonSummary & { userId: string }) | undefined;
}

/** Creates the next game, or opens the one that the opponent created. */
function PlayAgain({ gameId, userId, opponent }: PlayAgainProps) {
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
      Play Again
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

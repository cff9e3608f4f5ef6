import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { GameState } from '@/realtime/protocol';
import type { PostGameRedirect } from '@/shared/events/postGameRedirect';
import { nameOf } from '@/shared/people/personSummary';
import { selectUser } from '@/shared/session/sessionSlice';
import { eventOf, type Outcome } from './liveGame';
import classes from './GamePage.module.css';
import { NextToWatch } from './NextToWatch';
import { RatingResult } from './RatingResult';
import { Rematch, rematchText } from './Rematch';
import { useRematchOffer } from './useRematchOffer';
import { useAppSelector } from '@/shared/storeHooks';

const WORDS: Record<PostGameRedirect['to'], string> = {
  next: 'Going to the next match…',
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
        {offer === null ? outcome.detail : rematchText(offer, userId, name)}
      </p>
      <RatingResult state={state} userId={userId} />
      {redirect !== null && <p>{WORDS[redirect.to]}</p>}
      <div className={classes.actions}>
        {canPlayAgain && <Rematch gameId={state.gameId} offer={offer} opponent={opponent} userId={userId} />}
        {!isPlayer && <NextToWatch gameId={state.gameId} players={state.players} />}
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
        {!isPlayer && (
          <Button variant="default" component={Link} to="/app/watch">
            Back to Live now
          </Button>
        )}
      </div>
    </>
  );
}

import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useNow } from '@/shared/events/countdown';
import { Logo } from '@/shared/illustrations';
import { BotBadge } from '@/shared/people/BotBadge';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { RatingText } from '@/shared/people/RatingText';
import { searchStopped, selectQuickMatch } from '@/shared/quickMatch/quickMatchSlice';
import { boardText, CLOCK_TEXTS, type Wish, wishText } from '@/shared/quickMatch/wish';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { elapsedText } from './elapsed';
import classes from './QuickMatchPage.module.css';

/** After this time of searching the AI is offered. */
const OFFER_AI_AFTER_MS = 30_000;

/** The search: how long it takes, how many wait and play, and what can be done meanwhile. */
export function Searching({ wish }: { wish: Wish }) {
  const dispatch = useAppDispatch();
  const { status, since, isStopping } = useAppSelector(selectQuickMatch);
  const now = useNow();
  const waited = since === null ? 0 : now - since;
  return (
    <section className={classes.search}>
      <Logo className={classes.logo} />
      <h2>Looking for an opponent</h2>
      <p className={classes.elapsed} role="timer" aria-label={`Waiting for ${Math.floor(waited / 1_000)} seconds`}>
        {elapsedText(waited)}
      </p>
      <p className={classes.hint}>{wishText(wish)}</p>
      <p className={classes.hint}>{status === null ? 'Asking the server…' : crowdText(status, wish.rated)}</p>
      {waited >= OFFER_AI_AFTER_MS && (
        <p className={classes.offer} role="status">
          Nobody yet. Play the AI meanwhile: the search continues.
          <Link to="/app/practice/ai" className={buttons.button}>
            Play the AI
          </Link>
        </p>
      )}
      <Button variant="default" disabled={isStopping} onClick={() => dispatch(searchStopped())}>
        {isStopping ? 'Stopping…' : 'Cancel'}
      </Button>
    </section>
  );
}

interface Crowd {
  waiting: number;
  playing: number;
  window: number;
}

function crowdText({ waiting, playing, window }: Crowd, rated: boolean): string {
  const others =
    waiting <= 1
      ? 'Nobody else is waiting'
      : waiting === 2
        ? 'One other player is waiting'
        : `${waiting - 1} others are waiting`;
  const range = rated ? ` Ratings up to ${window} apart.` : '';
  return `${others}, ${playing} ${playing === 1 ? 'plays' : 'play'}.${range}`;
}

type FoundGame = NonNullable<ReturnType<typeof selectQuickMatch>['found']>;

/** Whom the server found, for the moment until the game opens. */
export function Found({ found: { opponent, quickMatch } }: { found: FoundGame }) {
  return (
    <section className={classes.search} role="status">
      <PersonAvatar person={opponent} size={72} />
      <h2>
        {`You play ${nameOf(opponent)}`}
        <BotBadge person={opponent} />
      </h2>
      {opponent.rating !== undefined && (
        <p className={classes.rating}>
          <RatingText rating={opponent.rating} />
        </p>
      )}
      {quickMatch !== undefined && (
        <p className={classes.hint}>
          {`${boardText(quickMatch.boardSize)} · ${CLOCK_TEXTS[quickMatch.clock].label} · ${quickMatch.rated ? 'rated' : 'casual'}`}
        </p>
      )}
      {quickMatch?.casualBecause !== undefined && <p>{quickMatch.casualBecause}</p>}
    </section>
  );
}

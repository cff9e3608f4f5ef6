import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useEngineEvidenceQuery } from '@/api/admin';
import { errorText } from '@/api/base';
import type { components } from '@/api/schema';
import { dateTime } from '@/shared/events/times';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './EngineEvidence.module.css';
import { PositionBoard } from './PositionBoard';
import { LEVELS, percentText, secondsText, summary } from './scoreText';

type Evidence = components['schemas']['EngineEvidence'];
type Position = components['schemas']['EnginePosition'];

interface EngineEvidenceProps {
  userId: string;
  /** Whether the positions are shown on a press only, where the evidence is one thing among others. */
  isBrief?: boolean;
}

/** How the moves of an account compare with the solver's, and the positions it was made of. */
export function EngineEvidence({ userId, isBrief = false }: EngineEvidenceProps) {
  const [areShown, setShown] = useState(!isBrief);
  const { data, error, refetch } = useEngineEvidenceQuery(userId, { refetchOnMountOrArgChange: true });
  if (data === undefined) {
    return error === undefined ? (
      <p role="status">Loading the comparison...</p>
    ) : (
      <LoadFailure text={errorText(error, 'Failed to load the comparison')} onRetry={() => void refetch()} />
    );
  }
  const { evidence } = data;
  if (evidence === undefined) return <p>No rated game of this account was compared with the solver yet.</p>;
  return (
    <div className={classes.evidence}>
      <p>
        <strong className={classes.level} data-level={evidence.score.level}>
          {LEVELS[evidence.score.level]}
        </strong>{' '}
        {summary(evidence.score)}
      </p>
      <Facts evidence={evidence} />
      <p className={classes.caution}>
        A score is a hint and no proof: strong players find much, too. Look at the positions and the times before you
        decide anything.
      </p>
      {areShown || evidence.positions.length === 0 ? (
        <Positions positions={evidence.positions} />
      ) : (
        <Button variant="default" className={classes.show} onClick={() => setShown(true)}>
          Show the Hard Positions
        </Button>
      )}
    </div>
  );
}

function Facts({ evidence }: { evidence: Evidence }) {
  const { score, immediate, smallBoard, open, unknown, times } = evidence;
  return (
    <dl className={classes.facts}>
      {score.level !== 'too-few' && <Fact name="Score">{score.score.toFixed(1)} standard deviations</Fact>}
      <Fact name="Critical positions">
        {score.critical.found} of {score.critical.seen} found; {Math.round(score.expected)} are usual for this rating
      </Fact>
      <Fact name="Easy ones">
        {immediate.found} of {immediate.seen} lines completed or blocked, {smallBoard.found} of {smallBoard.seen} found
        on 3×3
      </Fact>
      <Fact name="Left out">
        {open} where most moves are right, {unknown} not solved
      </Fact>
      <Fact name="Rated games">{score.games}</Fact>
      {times.typicalMs !== undefined && <Fact name="Time for a move">{secondsText(times.typicalMs)} typically</Fact>}
      {times.spread !== undefined && (
        <Fact name="Spread of times">{times.spread.toFixed(2)}; people have 0.5 to 1.2, constant times have 0</Fact>
      )}
      {times.slowdown !== undefined && (
        <Fact name="Where it matters">takes {times.slowdown.toFixed(1)} times as long as elsewhere</Fact>
      )}
      <Fact name="Found within 1.5 s">
        {times.fast} of {score.critical.found}
      </Fact>
      <Fact name="Compared">{dateTime(score.updatedAt)}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Positions({ positions }: { positions: readonly Position[] }) {
  if (positions.length === 0) return <p>No hard position was found yet.</p>;
  return (
    <section>
      <h3>Hard positions that were found</h3>
      <p className={classes.legend}>
        The move played has a wash behind it; dots are the other moves that keep the position’s value.
      </p>
      <ul aria-label="Hard positions that were found" className={classes.positions}>
        {positions.map((position) => (
          <PositionEntry key={`${position.gameId} ${position.ply}`} position={position} />
        ))}
      </ul>
    </section>
  );
}

function PositionEntry({ position }: { position: Position }) {
  const { gameId, ply, symbol, keeping, board, expected, tookMs, at } = position;
  const free = board.flat().filter((content) => content === '').length;
  return (
    <li>
      <PositionBoard position={position} />
      <p>
        {symbol} found {keeping.length === 1 ? 'the only move' : `one of ${keeping.length} moves`} of {free} in{' '}
        {secondsText(tookMs)}; {percentText(expected)} of players do.
      </p>
      <Link to={`/app/game/${gameId}/replay?move=${ply}`} className={textLink.link}>
        Game of {dateTime(at)}
      </Link>
    </li>
  );
}

import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { StageRound } from '@/api/events';
import { nameOf } from '../people/personSummary';
import classes from './Bracket.module.css';
import { BracketColumns } from './BracketColumns';
import { bracketShape } from './bracketShape';
import { currentRound, playersOf, roundName } from './match';
import { Scrolled } from '@/shared/ui/Scrolled';

interface BracketProps {
  rounds: readonly StageRound[];
  expectedRounds: number;
  /** The viewer; null for a visitor. */
  userId: string | null;
}

/** The bracket of a knockout, in which one can follow a player. */
export function Bracket({ rounds, expectedRounds, userId }: BracketProps) {
  const [followed, setFollowed] = useState('');
  const [chosen, setChosen] = useState<number | null>(null);
  const shape = bracketShape(rounds, expectedRounds);
  const shown = chosen ?? currentRound(rounds)?.round ?? 1;
  return (
    <div className={classes.bracket}>
      <div className={classes.tools}>
        <NativeSelect
          label="Follow a player"
          className={classes.follow ?? ''}
          value={followed}
          onChange={({ currentTarget: { value } }) => setFollowed(value)}
          data={[{ value: '', label: 'Nobody' }, ...choices(rounds, userId)]}
        />
        {followed === '' && (
          <div className={classes.tabs} role="group" aria-label="Round to show">
            {shape.rounds.map(({ round: { round } }) => (
              <button key={round} type="button" aria-pressed={round === shown} onClick={() => setChosen(round)}>
                {roundName('knockout', round, expectedRounds)}
              </button>
            ))}
          </div>
        )}
      </div>
      {/* A large bracket scrolls in itself; on a phone it is never wider than the screen. */}
      <Scrolled label="Bracket" className={classes.sheet}>
        <BracketColumns
          shape={shape}
          expectedRounds={expectedRounds}
          userId={userId}
          followed={followed === '' ? null : followed}
          shown={shown}
        />
      </Scrolled>
    </div>
  );
}

/** All players by seed, the viewer first. */
function choices(rounds: readonly StageRound[], userId: string | null) {
  return playersOf(rounds)
    .toSorted((a, b) => Number(b.userId === userId) - Number(a.userId === userId))
    .map((player) => ({
      value: player.userId,
      label: player.userId === userId ? `You (seed ${player.seed})` : `${nameOf(player)} (seed ${player.seed})`,
    }));
}

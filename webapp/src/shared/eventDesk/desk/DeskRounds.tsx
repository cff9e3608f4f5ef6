import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { Event, StagePairing, StageRound } from '@/api/events';
import { currentRound, roundName } from '@/shared/stages/match';
import type { SignUps } from '../useSignUpsOf';
import classes from './Desk.module.css';
import { DeskMatch } from './DeskMatch';
import { inOrderOfNeed, progressText } from './deskRounds';
import { MAX_ROWS } from './maxRows';
import { mayReplay, ReplayMatch } from './ReplayMatch';
import { SetResult } from './SetResult';
import { StartRound } from './StartRound';

interface DeskRoundsProps {
  event: Event;
  rounds: readonly StageRound[];
  expectedRounds: number;
  people: SignUps;
}

const STATES: Record<StageRound['state'], string> = { planned: 'planned', playing: 'being played', ended: 'over' };

/** It is paired, and its games are not open yet. */
const isWaiting = ({ state, startsAt }: StageRound) => state === 'planned' && startsAt !== undefined;

/** A round with its matches: the one that is played, or an earlier one that is chosen. */
export function DeskRounds({ event, rounds, expectedRounds, people }: DeskRoundsProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  /** The match that is to be decided: it stays so when another round begins meanwhile. */
  const [asked, setAsked] = useState<{ round: number; board: number } | null>(null);
  /** The match that is to be played again. */
  const [replayed, setReplayed] = useState<{ round: number; pairing: StagePairing } | null>(null);
  const current = currentRound(rounds) ?? rounds[0];
  const shown = rounds.find(({ round }) => round === chosen) ?? current;
  if (shown === undefined || current === undefined) return null;
  const nameOfRound = (round: number) => {
    const name = roundName(event.format, round, expectedRounds);
    return event.format === 'knockout' ? name : `${name} of ${expectedRounds}`;
  };
  const matches = inOrderOfNeed(shown.pairings);
  return (
    <>
      <div className={classes.head}>
        <NativeSelect
          label="Round"
          value={String(shown.round)}
          onChange={(change) => {
            const round = Number(change.currentTarget.value);
            // The current round is followed when it changes.
            setChosen(round === current.round ? null : round);
          }}
          data={rounds.map(({ round, state }) => ({
            value: String(round),
            label: `${nameOfRound(round)} · ${STATES[state]}`,
          }))}
        />
        <p role="status">{progressText(shown)}</p>
        {event.eventState === 'started' && event.paused !== true && isWaiting(shown) && (
          <StartRound event={event} round={shown} />
        )}
      </div>
      <ul className={classes.matches} aria-label={`Matches of round ${shown.round}`}>
        {matches.slice(0, MAX_ROWS).map((pairing) => (
          <DeskMatch
            key={pairing.board}
            event={event}
            round={shown}
            pairing={pairing}
            signUps={people.signUps}
            onAsk={() => setAsked({ round: shown.round, board: pairing.board })}
            onReplay={
              mayReplay(event, rounds, shown.round, pairing)
                ? () => setReplayed({ round: shown.round, pairing })
                : undefined
            }
          />
        ))}
      </ul>
      {matches.length > MAX_ROWS && (
        <p className={classes.note}>
          The first {MAX_ROWS} of {matches.length} matches are shown; those that are open come first.
        </p>
      )}
      <ReplayMatch event={event} asked={replayed} onClose={() => setReplayed(null)} />
      <SetResult event={event} rounds={rounds} asked={asked} onClose={() => setAsked(null)} />
    </>
  );
}

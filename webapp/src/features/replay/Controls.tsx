import { ActionIcon } from '@mantine/core';
import classes from './Controls.module.css';
import { FirstIcon, LastIcon, NextIcon, PauseIcon, PlayIcon, PreviousIcon } from './icons';
import { type Speed, SPEEDS } from '@/shared/replay/playback';

interface ControlsProps {
  at: number;
  length: number;
  isPlaying: boolean;
  speed: Speed;
  onSeek: (to: number) => void;
  onStep: (by: 1 | -1) => void;
  onToggle: () => void;
  onSpeed: (speed: Speed) => void;
}

/** Controls to step or play through the moves. */
export function Controls({ at, length, isPlaying, speed, onSeek, onStep, onToggle, onSpeed }: ControlsProps) {
  return (
    <div className={classes.controls} role="group" aria-label="Replay">
      <ActionIcon aria-label="First move" disabled={at === 0} onClick={() => onSeek(0)}>
        <FirstIcon />
      </ActionIcon>
      <ActionIcon aria-label="Previous move" disabled={at === 0} onClick={() => onStep(-1)}>
        <PreviousIcon />
      </ActionIcon>
      <ActionIcon
        aria-label={isPlaying ? 'Pause' : 'Play'}
        className={classes.play}
        disabled={length === 0}
        onClick={onToggle}
      >
        {isPlaying ? <PauseIcon /> : <PlayIcon />}
      </ActionIcon>
      <ActionIcon aria-label="Next move" disabled={at === length} onClick={() => onStep(1)}>
        <NextIcon />
      </ActionIcon>
      <ActionIcon aria-label="Last move" disabled={at === length} onClick={() => onSeek(length)}>
        <LastIcon />
      </ActionIcon>
      <output className={classes.count} aria-label={`Move ${at} of ${length}`}>
        {at}/{length}
      </output>
      <select
        className={classes.speed}
        aria-label="Speed"
        value={speed}
        onChange={(event) => onSpeed(SPEEDS.find((each) => String(each) === event.target.value) ?? 1)}
      >
        {SPEEDS.map((each) => (
          <option key={each} value={each}>
            {each}×
          </option>
        ))}
      </select>
    </div>
  );
}

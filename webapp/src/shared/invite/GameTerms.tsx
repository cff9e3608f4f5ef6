import { SegmentedControl } from '@mantine/core';
import { useId } from 'react';
import { BOARD_SIZES } from './useInvite';
import { CLOCK_TEXTS, TIME_CONTROLS, type TimeControl } from '@/shared/quickMatch/wish';
import classes from './GameTerms.module.css';

interface GameTermsProps {
  boardSize: number;
  onBoardSize: (boardSize: number) => void;
  clock: TimeControl;
  onClock: (clock: TimeControl) => void;
}

/** The board and the clock of an invitation. */
export function GameTerms({ boardSize, onBoardSize, clock, onClock }: GameTermsProps) {
  const [sizeLabel, clockLabel] = [useId(), useId()];
  return (
    <>
      <div>
        <span id={sizeLabel} className={classes.label}>
          Board size
        </span>
        <SegmentedControl
          aria-labelledby={sizeLabel}
          fullWidth
          value={String(boardSize)}
          onChange={(value) => onBoardSize(Number(value))}
          data={BOARD_SIZES.map((size) => ({ value: String(size), label: `${size}×${size}` }))}
        />
        <p className={classes.hint}>{boardSize === 3 ? '3 in a row wins.' : '4 in a row wins.'}</p>
      </div>

      <div>
        <span id={clockLabel} className={classes.label}>
          Clock
        </span>
        <SegmentedControl
          aria-labelledby={clockLabel}
          fullWidth
          value={clock}
          onChange={(value) => onClock(value)}
          data={TIME_CONTROLS.map((control) => ({ value: control, label: CLOCK_TEXTS[control].label }))}
        />
        <p className={classes.hint}>{CLOCK_TEXTS[clock].detail}.</p>
      </div>
    </>
  );
}

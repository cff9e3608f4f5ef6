import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { ruledLines } from '@/shared/board';
import { BOARD_SIZES, type BoardSize, winLength } from '@/shared/rules';
import { Choice } from '@/shared/ui/Choice';
import classes from './PracticeSettings.module.css';

/** Labels of the board sizes. */
export const SIZE_LABELS: Record<BoardSize, string> = { 3: '3x3 (Classic)', 4: '4x4', 5: '5x5', 6: '6x6' };

interface PracticeSettingsProps {
  opened: boolean;
  onCancel: () => void;
  onApply: () => void;
  children: ReactNode;
}

/** A dialog whose changes take effect with Apply. */
export function PracticeSettings({ opened, onCancel, onApply, children }: PracticeSettingsProps) {
  return (
    <Modal title="Settings" opened={opened} onClose={onCancel} closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={classes.body}>
        {children}
        <div className={classes.actions}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button onClick={onApply}>Apply</Button>
        </div>
      </div>
    </Modal>
  );
}

export function BoardSizeChoice({ size, onChange }: { size: BoardSize; onChange: (size: BoardSize) => void }) {
  return (
    <Choice
      legend="Board Size"
      value={size}
      onChange={onChange}
      className={classes.sizes}
      options={BOARD_SIZES.map((each) => ({
        value: each,
        label: SIZE_LABELS[each],
        detail: `${winLength(each)} in a row`,
        drawing: <GridDrawing size={each} />,
      }))}
    />
  );
}

function GridDrawing({ size }: { size: number }) {
  return (
    <svg viewBox={`0 0 ${size * 100} ${size * 100}`} className={classes.grid} aria-hidden="true" focusable="false">
      {ruledLines(size).map((d) => (
        <path key={d} d={d} strokeWidth={size * 4} />
      ))}
    </svg>
  );
}

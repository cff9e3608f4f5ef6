import { Button, Modal } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { ruledLines } from '@/shared/board';
import { BOARD_SIZES, type BoardSize, winLength } from '@/shared/rules';
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

interface Option<T> {
  value: T;
  label: string;
  detail?: string;
  drawing?: ReactNode;
}

interface ChoiceProps<T> {
  legend: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly Option<T>[];
  className?: string | undefined;
  /** A note on the chosen option. */
  note?: string | undefined;
}

/** A choice between a few options. */
export function Choice<T extends string | number>(props: ChoiceProps<T>) {
  const { legend, value, onChange, options, className, note } = props;
  const name = useId();
  return (
    <fieldset className={classes.choice}>
      <legend>{legend}</legend>
      <div className={className ?? classes.options}>
        {options.map((option) => (
          <label key={option.value} className={classes.option}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="visually-hidden"
            />
            {option.drawing}
            <span>
              <span className={classes.optionLabel}>{option.label}</span>
              {option.detail !== undefined && <small>{option.detail}</small>}
            </span>
          </label>
        ))}
      </div>
      {note !== undefined && <p className={classes.note}>{note}</p>}
    </fieldset>
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

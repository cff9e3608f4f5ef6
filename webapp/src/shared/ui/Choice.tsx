import { type ReactNode, useId } from 'react';
import classes from './Choice.module.css';

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

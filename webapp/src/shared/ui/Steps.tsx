import classes from './Steps.module.css';

interface StepsProps {
  label: string;
  steps: readonly string[];
  /** The index of the present one. */
  at: number;
  /** Why it went no further, in place of the present step. */
  broken?: string | undefined;
}

/** Steps that follow each other, with the present one. */
export function Steps({ label, steps, at, broken }: StepsProps) {
  return (
    <ol className={classes.steps} aria-label={label}>
      {steps.map((step, index) => (
        <li
          key={step}
          className={classes.step}
          data-reached={index <= at || undefined}
          aria-current={index === at ? 'step' : undefined}
        >
          {step}
        </li>
      ))}
      {broken !== undefined && (
        <li className={classes.step} data-broken aria-current="step">
          {broken}
        </li>
      )}
    </ol>
  );
}

import classes from './Failure.module.css';

/** An error message; it stays mounted, so that screen readers announce changes. */
export function Failure({ text }: { text: string | null }) {
  return (
    <div role="alert" className={classes.alert}>
      {text !== null && <p className={classes.failure}>{text}</p>}
    </div>
  );
}

import classes from './Failure.module.css';

/** What went wrong, said where it went wrong; stays in the page, so that screen readers hear it change. */
export function Failure({ text }: { text: string | null }) {
  return (
    <div role="alert" className={classes.alert}>
      {text !== null && <p className={classes.failure}>{text}</p>}
    </div>
  );
}

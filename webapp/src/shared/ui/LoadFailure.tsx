import buttons from './buttons.module.css';
import { Failure } from './Failure';
import classes from './LoadFailure.module.css';

interface LoadFailureProps {
  text: string;
  /** Absent where another try cannot help. */
  onRetry?: (() => void) | undefined;
  /** Another try is under way. */
  isBusy?: boolean;
}

/** Says that something could not be loaded, with a retry button. */
export function LoadFailure({ text, onRetry, isBusy = false }: LoadFailureProps) {
  return (
    <div className={classes.failure}>
      <Failure text={text} />
      {onRetry && (
        <button type="button" className={buttons.button} onClick={onRetry} disabled={isBusy}>
          {isBusy ? 'Trying…' : 'Try again'}
        </button>
      )}
    </div>
  );
}

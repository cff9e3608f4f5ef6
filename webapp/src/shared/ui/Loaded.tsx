import type { ReactNode } from 'react';
import { isApiError, mayRetry } from '@/api/base';
import { failureText } from '../account/failure';
import { clockTime } from '../events/times';
import buttons from './buttons.module.css';
import classes from './Loaded.module.css';
import { LoadFailure } from './LoadFailure';

/** What the hook of a query returns. */
export interface Read<T> {
  /** The answer to the present arguments, or to the ones before. */
  data?: T | undefined;
  /** The answer to the present arguments. */
  currentData?: T | undefined;
  error?: unknown;
  isFetching: boolean;
  /** When the data came, in Unix milliseconds. */
  fulfilledTimeStamp?: number | undefined;
  refetch: () => unknown;
}

interface LoadedProps<T> {
  of: Read<T>;
  /** Said while it loads for the first time; or shown, where a line of text would move what is below. */
  loading: ReactNode;
  /** Said when it failed and the server gave no reason. */
  failure: string;
  /** Shown where there is nothing of this name, or nothing for this user. */
  missing?: ReactNode;
  /** The page before is shown while the next one loads. */
  keepsPage?: boolean;
  className?: string | undefined;
  children: (data: T) => ReactNode;
}

/**
 * A read has four faces, and this is the one place that decides which is shown: it loads; it failed, with another try
 * where that can help; it is here; it is here, but as of an earlier time, since reading it again failed. What is empty
 * is here: `children` say so.
 */
export function Loaded<T>({
  of: { data, currentData, error, isFetching, fulfilledTimeStamp, refetch },
  loading,
  failure,
  missing,
  keepsPage = false,
  className,
  children,
}: LoadedProps<T>) {
  const shown = currentData ?? (keepsPage && error === undefined ? data : undefined);
  if (missing !== undefined && isMissing(error)) return missing;
  if (shown === undefined && error === undefined) {
    if (typeof loading !== 'string') return loading;
    return (
      <p role="status" className={className}>
        {loading}
      </p>
    );
  }
  const retry = mayRetry(error) ? () => void refetch() : undefined;
  if (shown === undefined) {
    return <LoadFailure text={failureText(error, failure)} onRetry={retry} isBusy={isFetching} />;
  }
  return (
    <>
      {error !== undefined && (
        <p role="status" className={classes.stale}>
          As of {clockTime(fulfilledTimeStamp)}: it could not be loaded again.
          {retry && (
            <button type="button" className={buttons.button} onClick={retry} disabled={isFetching}>
              {isFetching ? 'Trying…' : 'Try again'}
            </button>
          )}
        </p>
      )}
      {children(shown)}
    </>
  );
}

/** There is nothing of this name. */
export function isMissing(error: unknown): boolean {
  return isApiError(error) && (error.status === 404 || error.status === 410);
}

/**
 * What a page shows once it is known, and does without otherwise: a badge, a hint, a link. Never a list, and nothing that
 * somebody waits for.
 */
export function ifKnown<R extends { data?: unknown }>({ data }: R): R['data'] {
  return data;
}

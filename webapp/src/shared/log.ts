/** A failure to report to the operator. */
export interface ProblemReport {
  level: 'error' | 'warning';
  message: string;
  /** The error that was thrown, or its description. */
  detail?: unknown;
  fileName?: string | undefined;
  /** The id of the failed request in the server's log, or the reference shown to the user. */
  requestId?: string | undefined;
}

type Listener = (problem: ProblemReport) => void;

const listeners = new Set<Listener>();

function tell(problem: ProblemReport): void {
  for (const listener of listeners) listener(problem);
}

/** Logs what is not shown to the user: to the browser's console and, for faults, to the server's log. */
export const log = {
  /** Not a fault of the app, or logged elsewhere: a refused request, a call that failed on the server. */
  note(message: string, detail?: unknown): void {
    // eslint-disable-next-line no-console -- the only place that may
    console.warn(message, ...(detail === undefined ? [] : [detail]));
  },

  warn(message: string, detail?: unknown): void {
    log.note(message, detail);
    tell({ level: 'warning', message, detail });
  },

  /** The app itself failed; the reference is shown to the user. */
  crash(message: string, detail: unknown, reference: string): void {
    tell({ level: 'error', message, detail, requestId: reference });
  },

  /** A call that failed on the server; the browser's console shows it already. */
  failedCall(message: string, requestId: string | undefined): void {
    tell({ level: 'error', message, requestId });
  },

  /** Listens to problem reports. Returns a function that stops it. */
  listen(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

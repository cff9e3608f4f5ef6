/** Something that went wrong, for whoever runs this server. */
export interface ProblemReport {
  level: 'error' | 'warning';
  message: string;
  /** What was thrown, or what describes it. */
  detail?: unknown;
  fileName?: string | undefined;
  /** The failing call's, under which the server's own log has it; or what a person was shown to refer to. */
  requestId?: string | undefined;
}

type Listener = (problem: ProblemReport) => void;

const listeners = new Set<Listener>();

function tell(problem: ProblemReport): void {
  for (const listener of listeners) listener(problem);
}

/** Where the app notes what went wrong without a word to the person: the browser's console and, for faults, the server's log. */
export const log = {
  /** What is no fault of the program, or known already: a request refused by the rules, a call the server failed. */
  note(message: string, detail?: unknown): void {
    // eslint-disable-next-line no-console -- the one place that may
    console.warn(message, ...(detail === undefined ? [] : [detail]));
  },

  warn(message: string, detail?: unknown): void {
    log.note(message, detail);
    tell({ level: 'warning', message, detail });
  },

  /** The program itself failed; the reference is what the person sees of it. */
  crash(message: string, detail: unknown, reference: string): void {
    tell({ level: 'error', message, detail, requestId: reference });
  },

  /** A call that the server could not answer: the browser's console says it already. */
  failedCall(message: string, requestId: string | undefined): void {
    tell({ level: 'error', message, requestId });
  },

  /** Hears of all trouble from now on; answers how to stop. */
  listen(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/**
 * Reports failures of this page to the server's log: docs/behaviour/logs.md#records-of-clients.
 *
 * In batches and without loops: failures here are not reported, the same problem is reported once a minute, and a
 * page that fails all the time stops reporting.
 */

import { log, type ProblemReport } from './log';
import { xsrfToken } from './xsrf';

/** How long problems are batched, in milliseconds. */
const GATHER = 3000;

/** When the same problem is reported again, in milliseconds. */
const AGAIN = 60_000;

/** Records per page and hour, and per batch; a batch must also fit into what a closing tab may send. */
const MOST_AN_HOUR = 100;
const MOST_AT_ONCE = 20;
const MOST_BYTES = 48 * 1024;

/** The most characters of a text. */
const LONGEST_MESSAGE = 1000;
const LONGEST_DETAIL = 4000;

export const LOG_URL = '/api/backend/logger';

interface Noted extends ProblemReport {
  at: number;
}

export class Reporter {
  private waiting: Noted[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly told = new Map<string, number>();
  private hour = { begun: 0, count: 0 };
  private readonly send: typeof fetch;

  constructor(send: typeof fetch = (...args) => fetch(...args)) {
    this.send = send;
  }

  /** Starts to listen. Returns a function that stops it. */
  listen(): () => void {
    const onError = (event: ErrorEvent) => {
      // A script that fails to load adds nothing to the failed call.
      if (event.error === undefined && event.message === '') return;
      this.note({
        level: 'error',
        message: event.message,
        detail: event.error,
        fileName: event.filename === '' ? undefined : `${event.filename}:${String(event.lineno)}`,
      });
    };
    const onRejection = (event: PromiseRejectionEvent) => {
      const { reason } = event as { reason: unknown };
      this.note({ level: 'error', message: `Unhandled rejection: ${textOf(reason)}`, detail: reason });
    };
    const onLeaving = () => {
      if (document.visibilityState === 'hidden') void this.flush();
    };
    const stopHearing = log.listen((problem) => this.note(problem));
    window.addEventListener('error', onError);
    window.addEventListener('unhandledrejection', onRejection);
    document.addEventListener('visibilitychange', onLeaving);
    return () => {
      stopHearing();
      window.removeEventListener('error', onError);
      window.removeEventListener('unhandledrejection', onRejection);
      document.removeEventListener('visibilitychange', onLeaving);
      clearTimeout(this.timer);
    };
  }

  note(problem: ProblemReport): void {
    const now = Date.now();
    const name = `${problem.level} ${problem.message}`;
    if (now - (this.told.get(name) ?? -Infinity) < AGAIN) return;
    if (now - this.hour.begun >= 3_600_000) this.hour = { begun: now, count: 0 };
    if (this.hour.count >= MOST_AN_HOUR) return;
    this.hour.count += 1;
    if (this.told.size > MOST_AN_HOUR) this.told.clear();
    this.told.set(name, now);
    this.waiting.push({ ...problem, at: now });
    this.timer ??= setTimeout(() => void this.flush(), GATHER);
  }

  private async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    // Waiting records are sent with the next problem.
    if (!navigator.onLine) return;
    while (this.waiting.length > 0) {
      const messages: unknown[] = [];
      let bytes = 0;
      while (messages.length < MOST_AT_ONCE && this.waiting[0] !== undefined) {
        const message = toWire(this.waiting[0]);
        bytes += JSON.stringify(message).length * 2;
        if (messages.length > 0 && bytes > MOST_BYTES) break;
        messages.push(message);
        this.waiting.shift();
      }
      try {
        await this.send(LOG_URL, {
          method: 'POST',
          credentials: 'same-origin',
          // Also when the tab closes: a beacon could not carry the CSRF header.
          keepalive: true,
          headers: { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': xsrfToken() ?? '' },
          body: JSON.stringify({ action: 'bulkLog', payload: { messages } }),
        });
      } catch {
        // Offline, nothing can be reported, and the connection is most likely the problem.
        return;
      }
    }
  }
}

function toWire({ level, message, detail, fileName, requestId, at }: Noted) {
  const date = new Date(at).toISOString();
  const stack = detail instanceof Error ? detail.stack : undefined;
  const described = detail === undefined || detail instanceof Error ? undefined : textOf(detail);
  const context = JSON.stringify({ page: window.location.pathname, detail: described, browser: navigator.userAgent });
  return {
    level,
    isError: level === 'error',
    platform: 'web',
    message: (detail instanceof Error && level !== 'error' ? `${message}: ${detail.message}` : message).slice(
      0,
      LONGEST_MESSAGE,
    ),
    context: context.slice(0, LONGEST_DETAIL),
    date,
    timestamp: date,
    ...(fileName === undefined ? {} : { fileName }),
    ...(stack === undefined ? {} : { stack: stack.slice(0, LONGEST_DETAIL) }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function textOf(value: unknown): string {
  if (value instanceof Error) return value.message;
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

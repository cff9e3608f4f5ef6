/** Where the app notes what went wrong without a word to the person: the browser's console. */
export const log = {
  warn(message: string, context?: unknown): void {
    // eslint-disable-next-line no-console -- the one place that may
    console.warn(message, ...(context === undefined ? [] : [context]));
  },
};

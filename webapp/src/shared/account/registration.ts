/** Shares the state of the registration call with the screen after it. */
export const REGISTRATION = { fixedCacheKey: 'registration' } as const;

/** The screen after registering has to know that it just happened: they share the state of one call. */
export const REGISTRATION = { fixedCacheKey: 'registration' } as const;

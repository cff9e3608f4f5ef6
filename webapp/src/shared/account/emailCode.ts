/** Registering asks for the code, and the screen after it has to know: they share the state of one call. */
export const EMAIL_CODE = { fixedCacheKey: 'email-code' } as const;

/** The page itself; tests watch it being loaded anew. */
export const page = { reload: () => window.location.reload() };

/** Reloads the page; tests replace it. */
export const page = { reload: () => window.location.reload() };

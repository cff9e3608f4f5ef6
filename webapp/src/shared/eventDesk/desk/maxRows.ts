/** The most matches or players that the desk shows at once. */
export const MAX_ROWS = 100;

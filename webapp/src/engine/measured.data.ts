/** Made by scripts/engine/levels.ts. See measured.ts. */
export const MEASURED_GAMES = 200;
const none = { careful: 0, perfect: 0 };
const level = { easy: none, medium: none, hard: none };
export const MEASURED_LOSSES = { 3: level, 4: level, 5: level, 6: level } as const;

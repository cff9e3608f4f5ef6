/** Made by scripts/engine/levels.ts. See measured.ts. */
export const MEASURED_GAMES = 200;
export const MEASURED_LOSSES = {
  '3': {
    easy: {
      careful: 163,
      perfect: 195,
    },
    medium: {
      careful: 40,
      perfect: 110,
    },
    hard: {
      careful: 4,
      perfect: 21,
    },
  },
  '4': {
    easy: {
      careful: 108,
      perfect: 141,
    },
    medium: {
      careful: 9,
      perfect: 49,
    },
    hard: {
      careful: 1,
      perfect: 2,
    },
  },
  '5': {
    easy: {
      careful: 139,
      perfect: 200,
    },
    medium: {
      careful: 25,
      perfect: 176,
    },
    hard: {
      careful: 3,
      perfect: 74,
    },
  },
  '6': {
    easy: {
      careful: 139,
      perfect: 200,
    },
    medium: {
      careful: 28,
      perfect: 200,
    },
    hard: {
      careful: 14,
      perfect: 200,
    },
  },
} as const;

/** How fast the hand is, in milliseconds. */

/** One stroke: an X takes two, an O one. Either mark stands within 180 to 260 ms. */
export const STROKE_MS = { X: 115, O: 240 } as const;
/** Between the strokes of an X. */
export const STROKE_GAP_MS = 15;
/** The line is struck through when the last mark stands. */
export const STRIKE_AFTER_MS = 300;
export const STRIKE_MS = 260;

/** Durations of drawing, in milliseconds. */

/** One stroke: an X takes two, an O one. Each mark is drawn within 180 to 260 ms. */
export const STROKE_MS = { X: 115, O: 240 } as const;
/** Between the strokes of an X. */
export const STROKE_GAP_MS = 15;
/** The line is struck through after the last mark is drawn. */
export const STRIKE_AFTER_MS = 300;
export const STRIKE_MS = 260;

/** A player who has not joined the game by then loses it (docs/behaviour/play.md#event-games), in milliseconds. */
export const COME_WITHIN_MS = 20_000;

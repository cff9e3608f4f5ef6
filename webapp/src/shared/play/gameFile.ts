/** Files of games that are over: docs/behaviour/programs.md#exports. */

export type GameFileFormat = 'ndjson' | 'notation';

/** The address of a file that the browser saves: the user's own games, or an event's. */
export function gameFileAddress(format: GameFileFormat, eventId?: string): string {
  const query = new URLSearchParams({ ...(eventId === undefined ? {} : { eventId }), format });
  return `/api/backend/game/export_games?${query.toString()}`;
}

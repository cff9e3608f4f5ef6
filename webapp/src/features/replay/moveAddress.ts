/** The move that the address of a replay names: `?move=12`. It counts the game's moves; without it, the end is meant. */

const MOVE = 'move';

export const moveIn = (params: URLSearchParams): string | null => params.get(MOVE);

export function withMove(params: URLSearchParams, move: number | null): URLSearchParams {
  const named = new URLSearchParams(params);
  if (move === null) named.delete(MOVE);
  else named.set(MOVE, String(move));
  return named;
}

/** The address of a replay at this move; null for the end. */
export function addressAt(link: string, move: number | null): string {
  const address = new URL(link);
  address.search = withMove(address.searchParams, move).toString();
  return address.href;
}

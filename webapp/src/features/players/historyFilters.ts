/** The filters of a player's games. They are kept in the URL, so that Back, reloading and a shared link preserve them. */

import type { HistoryFilter } from '@/api/players';
import { useSearchFilters } from '@/shared/useSearchFilters';

const TYPES = ['event', 'quick', 'invite'] as const satisfies readonly HistoryFilter['gameType'][];
const RESULTS = ['won', 'lost', 'drawn'] as const satisfies readonly HistoryFilter['result'][];
const BOARDS = ['3', '4', '5', '6'] as const;
const RATED = ['yes', 'no'] as const;

/** What is empty is any. */
export interface HistoryFilters {
  type: (typeof TYPES)[number] | '';
  result: (typeof RESULTS)[number] | '';
  board: (typeof BOARDS)[number] | '';
  rated: (typeof RATED)[number] | '';
  /** A username. */
  opponent: string;
  page: number;
}

const NAMES = ['type', 'result', 'board', 'rated', 'opponent'] as const;

function oneOf<T extends string>(words: readonly T[], text: string | null): T | '' {
  return words.find((word) => word === text) ?? '';
}

export function readFilters(params: URLSearchParams): HistoryFilters {
  return {
    type: oneOf(TYPES, params.get('type')),
    result: oneOf(RESULTS, params.get('result')),
    board: oneOf(BOARDS, params.get('board')),
    rated: oneOf(RATED, params.get('rated')),
    opponent: (params.get('opponent') ?? '').trim().slice(0, 40),
    page: Math.max(1, Math.trunc(Number(params.get('page'))) || 1),
  };
}

export function writeFilters(filters: Partial<HistoryFilters>): Record<string, string> {
  const { page = 1 } = filters;
  const set = NAMES.map((name) => [name, filters[name] ?? ''] as const).filter(([, value]) => value !== '');
  return { ...Object.fromEntries(set), ...(page === 1 ? {} : { page: String(page) }) };
}

export function useHistoryFilters() {
  const { filters, latest, show } = useSearchFilters(readFilters, writeFilters);
  const setFilters = (change: Partial<HistoryFilters>) =>
    show({ ...latest(), page: 1, ...change }, { replace: change.page === undefined });
  return { filters, setFilters };
}

/** All games of a player, with these filters. */
export function gamesPath(username: string, filters: Partial<HistoryFilters> = {}): string {
  const query = new URLSearchParams(writeFilters(filters)).toString();
  return `/app/players/${encodeURIComponent(username)}/games${query === '' ? '' : `?${query}`}`;
}

/** As the server takes them; the opponent by id. */
export function filterOf(
  { type, result, board, rated }: HistoryFilters,
  opponentId: string | undefined,
): HistoryFilter {
  return {
    ...(type === '' ? {} : { gameType: type }),
    ...(result === '' ? {} : { result }),
    ...(board === '' ? {} : { boardSize: Number(board) }),
    ...(rated === '' ? {} : { rated: rated === 'yes' }),
    ...(opponentId === undefined ? {} : { opponentId }),
  };
}

export function isFiltered(filters: HistoryFilters): boolean {
  return NAMES.some((name) => filters[name] !== '');
}

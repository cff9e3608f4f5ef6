import { isLevel } from '@/engine';
import { aiName } from '@/shared/levelNames';
import { inARow } from '@/shared/play/endReason';
import { codeOf, gamesFromCode } from '@/shared/practiceReplay';
import { type NotedGame, type NotedRound, readNotation, resultOf, tagsOf, writeNotation } from '@/shared/notation';
import type { Game } from '@/shared/rules';
import { type GameRecord, titleOf } from '@/shared/replay/record';

/**
 * A game from its URL; null if the URL has none. `notation` is the text that was pasted for it, if any, which also says who
 * played.
 */
export function practiceRecord(code: string, level: string | null, notation?: string): GameRecord | null {
  const rounds = gamesFromCode(code);
  const last = rounds?.at(-1);
  if (rounds === null || last === undefined) return null;
  const noted = notation === undefined ? undefined : readNotation(notation);
  if (typeof noted === 'object' && codeOfNoted(noted) === code) return { ...bare(rounds), ...told(noted, last) };
  const names = { X: 'Player X', O: isLevel(level) ? aiName(level) : 'Player O' };
  const text = writeNotation({
    tags: [['X', names.X], ['O', names.O], ...tagsOf(rounds.map(notedRound), resultOf(last.winner, last.isDraw))],
    rounds: rounds.map(notedRound),
    result: resultOf(last.winner, last.isDraw),
  });
  return {
    ...bare(rounds),
    names,
    winner: last.winner,
    title: last.turn === null ? titleOf(last.winner, last.isDraw, names) : 'Not over yet',
    detail: last.winner === null ? '' : `${inARow(last.size)}.`,
    notation: text,
  };
}

/** The code of a game that was read. */
export function codeOfNoted({ rounds }: NotedGame): string {
  return codeOf(rounds.map(({ boardSize, starter, moves }) => ({ size: boardSize, starter, moves })));
}

function notedRound({ size, starter, moves }: Game): NotedRound {
  return { boardSize: size, starter, moves };
}

/** What no account and no server knows. */
function bare(rounds: readonly Game[]) {
  return { gameId: null, userIds: [], people: { X: undefined, O: undefined }, rounds, endedAt: null };
}

/** What a text says of its game. */
function told(noted: NotedGame, last: Game): Pick<GameRecord, 'names' | 'winner' | 'title' | 'detail' | 'notation'> {
  const values = new Map(noted.tags);
  const names = { X: values.get('X') ?? 'Player X', O: values.get('O') ?? 'Player O' };
  const winner = noted.result === '1-0' ? 'X' : noted.result === '0-1' ? 'O' : null;
  const line = last.winner === null ? '' : `${inARow(last.size)}.`;
  const where = [values.get('Event'), values.get('Date')].filter((text) => text !== undefined && text !== '?');
  return {
    names,
    winner,
    title: titleOf(winner, noted.result === '1/2-1/2', names),
    detail: [line, where.length === 0 ? '' : `${where.join(', ')}.`].filter(Boolean).join(' '),
    notation: writeNotation(noted),
  };
}

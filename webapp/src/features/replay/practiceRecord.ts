import { isLevel } from '@/engine';
import { aiName } from '@/shared/levelNames';
import { inARow } from '@/shared/play/endReason';
import { gameFromNotation } from '@/shared/practiceReplay';
import { type GameRecord, titleOf } from '@/shared/replay/record';

/** A practice game from its URL; null if the URL has none. */
export function practiceRecord(notation: string, level: string | null): GameRecord | null {
  const game = gameFromNotation(notation);
  if (game === null) return null;
  const names = { X: 'Player X', O: isLevel(level) ? aiName(level) : 'Player O' };
  return {
    gameId: null,
    userIds: [],
    names,
    people: { X: undefined, O: undefined },
    rounds: [game],
    winner: game.winner,
    title: game.turn === null ? titleOf(game.winner, game.isDraw, names) : 'Not over yet',
    detail: game.winner === null ? '' : `${inARow(game.size)}.`,
    endedAt: null,
  };
}

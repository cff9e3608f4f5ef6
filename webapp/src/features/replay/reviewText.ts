import type { MoveLabel, ReviewedMove } from '@/engine';
import type { Line } from '@/shared/replay/playback';
import { type Game, type Mark, opposite } from '@/shared/rules';

type Names = Readonly<Record<Mark, string>>;

export const LABELS: Record<MoveLabel, string> = {
  'kept-win': 'Kept the win',
  'kept-draw': 'Kept the draw',
  'only-move': 'Only move',
  'threw-win': 'Threw the win',
  'threw-draw': 'Threw the draw',
  'lost-already': 'Lost already',
  unproven: 'Unproven',
};

/** The annotation sign of a move. */
export const SIGNS: Record<MoveLabel, string> = {
  'kept-win': '✓',
  'kept-draw': '✓',
  'only-move': '!',
  'threw-win': '??',
  'threw-draw': '?',
  'lost-already': '·',
  unproven: '~',
};

/** The review of a move in a sentence that claims no more than is proven. */
export function verdictText({ label, mark, ply, before, after }: ReviewedMove, names: Names): string {
  const [own, other] = [names[mark], names[opposite(mark)]];
  const end = after.plies === null ? null : ply - 1 + after.plies;
  const byMove = end === null ? '' : `, at the latest on move ${end}`;
  switch (label) {
    case 'kept-win':
      return after.plies === 1 ? `${own} wins with this move.` : `${own} can force the win${byMove}.`;
    case 'kept-draw':
      return 'With best play it stays a draw.';
    case 'only-move':
      return before.value === 'win' ? 'Nothing else kept the win.' : 'Everything else would have lost.';
    case 'threw-win':
      return after.value === 'draw'
        ? `${own} could have forced a win. Now it is a draw.`
        : `${own} could have forced a win. Now ${other} can${byMove}.`;
    case 'threw-draw':
      return `It was a draw. Now ${other} can force a win${byMove}.`;
    case 'lost-already':
      return `${other} wins whatever ${own} plays${byMove}.`;
    case 'unproven':
      return 'Its value could not be proven in the time given.';
  }
}

/** The result of best play from the empty board. */
export function openingText({ size, starter }: Game, worth: number | null | undefined, names: Names): string {
  const board = `${size}×${size}`;
  if (worth === undefined) return '';
  if (worth === null) return `What ${board} is worth could not be proven in the time given.`;
  if (worth === 0) return `With best play ${board} is a draw.`;
  const winner = worth > 0 ? 'X' : 'O';
  return winner === starter
    ? `On ${board} whoever starts can force a win: here ${names[winner]}.`
    : `With best play ${names[winner]} wins.`;
}

export function lineTitle({ kind, from }: Line): string {
  const after = from === 0 ? 'from the start' : `after move ${from}`;
  return { proof: `Best play ${after}`, better: `What was better ${after}`, own: `Your own try ${after}` }[kind];
}

/** The result of a line. `shown` is the position on the board. */
export function lineText({ worth }: Line, shown: Game, names: Names): string {
  if (shown.winner !== null) return `${names[shown.winner]} wins on move ${shown.moves.length}.`;
  if (shown.isDraw) return 'The board is full: a draw.';
  if (worth === undefined) return 'Looking for the answer…';
  if (worth === 0) return 'With best play a draw. Try to break it on the board.';
  if (worth === null) return 'Best play as far as it could be proven.';
  return `${names[worth > 0 ? 'X' : 'O']} wins with best play. Try to escape on the board.`;
}

/** The turning points of a game: moves that gave away a win or a draw. */
export function turningPoints(moves: readonly ReviewedMove[]): readonly ReviewedMove[] {
  return moves.filter(({ label }) => label === 'threw-win' || label === 'threw-draw');
}

/** The review in one sentence. */
export function summaryText(moves: readonly ReviewedMove[], isDone: boolean, names: Names): string {
  if (!isDone) return moves.length === 0 ? 'Looking at the moves…' : `Looked at ${moves.length} so far…`;
  if (moves.length === 0) return '';
  const unproven = moves.filter(({ label }) => label === 'unproven').length;
  const doubt = unproven === 0 ? '' : ` ${unproven === 1 ? 'One move' : `${unproven} moves`} could not be proven.`;
  const throws = turningPoints(moves);
  if (throws.length === 0)
    return `${unproven === 0 ? 'No mistakes were found.' : 'No proven mistakes were found.'}${doubt}`;
  const by = (['X', 'O'] as const).flatMap((mark) => {
    const count = throws.filter((move) => move.mark === mark).length;
    return count === 0 ? [] : [`${names[mark]} ${count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`}`];
  });
  return `Mistakes: ${by.join(', ')}.${doubt}`;
}

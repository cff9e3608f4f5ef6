import { useEffect, useRef, useState } from 'react';
import { type EngineClient, rowCol, type Solution } from '@/engine';
import { cellText, type Game, type RowCol } from '@/shared/rules';
import { positionOf } from './useOpponent';

export interface Hint {
  place: RowCol | null;
  text: string;
}

/** A hint for the current position: requested once, discarded with the next move. */
export function useHint(engine: EngineClient, game: Game): { hint: Hint | null; isAsking: boolean; ask: () => void } {
  const [asked, setAsked] = useState<{ game: Game; hint: Hint | null } | null>(null);
  const asking = useRef<AbortController | null>(null);
  useEffect(() => () => asking.current?.abort(), [game]);

  const ask = () => {
    const question = new AbortController();
    asking.current = question;
    setAsked({ game, hint: null });
    const answer = (hint: Hint) => {
      if (!question.signal.aborted) setAsked({ game, hint });
    };
    engine.solve(positionOf(game), { signal: question.signal }).then(
      (solution) => answer(hintFrom(solution, game)),
      () => answer({ place: null, text: 'No hint available. Please try again.' }),
    );
  };

  const current = asked?.game === game ? asked : null;
  return { hint: current?.hint ?? null, isAsking: current !== null && current.hint === null, ask };
}

/** The best move in words that claim no more than is proven. */
function hintFrom({ moves, best, value, proven, plies }: Solution, { size }: Game): Hint {
  const candidates = moves.filter(({ cell }) => best.includes(cell));
  // The nearest win, the most distant loss.
  const move = candidates.find((candidate) => plies !== null && candidate.plies === plies) ?? candidates[0] ?? moves[0];
  if (move === undefined) return { place: null, text: 'No hint available. Please try again.' };
  const place = rowCol(size, move.cell);
  const where = cellText(place);
  const text = {
    win: plies === 1 ? `${capital(where)} wins.` : `${capital(where)} leads to a win.`,
    draw: `${capital(where)} keeps the draw.`,
    loss: `The AI can win whatever you play; ${where} makes it hardest.`,
  }[value];
  return { place, text: proven ? text : `${capital(where)} looks best; it is not proven.` };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

import { useEffect, useState } from 'react';
import type { EngineClient, Level } from '@/engine';
import type { BoardSize, Game, Mark } from '@/shared/rules';
import { STORAGE_KEYS } from '@/shared/storage';
import { levelText, storedLevel, storeLevel } from './levels';
import { usePractice, winsByMark } from './practiceGame';
import type { Status } from './PracticeView';
import { useHint } from './useHint';
import { AI, HUMAN, useOpponent } from './useOpponent';

interface Setting {
  size: BoardSize;
  level: Level;
  starter: Mark;
}

export type AiPractice = ReturnType<typeof useAiPractice>;

/** State and actions of practice against the engine: what is shown of it is in AiPracticePage.tsx. */
export function useAiPractice(createEngine: () => EngineClient) {
  const [engine] = useState(createEngine);
  useEffect(() => () => engine.dispose(), [engine]);

  const [practice, dispatch] = usePractice(STORAGE_KEYS.practiceAi);
  const { game } = practice;
  const [level, setLevel] = useState(storedLevel);
  const [draft, setDraft] = useState<Setting | null>(null);
  const current: Setting = { size: game.size, level, starter: game.starter };
  const shown = draft ?? current;

  useOpponent({ engine, game, level, onMove: (place) => dispatch({ type: 'played', place }) });
  const { hint, isAsking, ask } = useHint(engine, game);
  const status = statusOf(game, level);
  const won = winsByMark(practice);
  const undone = movesToUndo(game);

  const apply = () => {
    setDraft(null);
    if (shown.size === current.size && shown.level === level && shown.starter === game.starter) return;
    setLevel(shown.level);
    storeLevel(shown.level);
    dispatch({ type: 'changed', size: shown.size, starter: shown.starter });
  };

  return { game, dispatch, level, hint, isAsking, ask, status, won, undone, draft, setDraft, current, shown, apply };
}

/** What is shown about the state of the game. */
function statusOf(game: Game, level: Level): Status {
  if (game.winner === HUMAN) return { title: 'You Won!', detail: 'Congratulations! You beat the AI!', end: 'won' };
  if (game.winner === AI) return { title: 'AI Won!', detail: 'The AI is unbeatable! Try again!', end: 'lost' };
  if (game.isDraw) return { title: "It's a Draw!", detail: 'You held the AI. One more?', end: 'draw' };
  const detail = game.size === 6 ? dare(game.starter) : levelText(level, game.size);
  return { title: game.turn === HUMAN ? 'Your Turn' : 'AI is thinking...', detail };
}

/** On 6×6 the first player wins with best play. */
export function dare(starter: Mark): string {
  return starter === HUMAN
    ? 'On 6×6 whoever starts can force a win. That is you: find it!'
    : 'On 6×6 whoever starts can force a win. This time that is the AI.';
}

/** Back to before the human's last move; 0 where there is none. */
function movesToUndo({ moves, board }: Game): number {
  const last = moves.findLastIndex(([row, col]) => board[row]?.[col] === HUMAN);
  return last === -1 ? 0 : moves.length - last;
}

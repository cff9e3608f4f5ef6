import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { EngineClient, type Level, LEVELS } from '@/engine';
import { Board } from '@/shared/board';
import { aiName, LEVEL_NAMES } from '@/shared/levelNames';
import type { BoardSize, Game, Mark } from '@/shared/rules';
import { AgainIcon } from '@/shared/ui/icons';
import { HintIcon, UndoIcon } from './icons';
import { levelText, storedLevel, storeLevel } from './levels';
import { usePractice, winsByMark } from './practiceGame';
import { BoardSizeChoice, Choice, PracticeSettings } from './PracticeSettings';
import { PracticeView, type Status } from './PracticeView';
import { ReviewLink } from './ReviewLink';
import { useHint } from './useHint';
import { AI, HUMAN, useOpponent } from './useOpponent';
import { lastMoveText, toBoardCell } from './moveText';

interface Setting {
  size: BoardSize;
  level: Level;
  starter: Mark;
}

/** Against the engine in its worker: docs/behaviour/play.md#practice. The human is X. */
export default function AiPracticePage({
  createEngine = () => new EngineClient(),
}: {
  createEngine?: () => EngineClient;
}) {
  const [engine] = useState(createEngine);
  useEffect(() => () => engine.dispose(), [engine]);

  const [practice, dispatch] = usePractice('morpion_practice_ai');
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

  return (
    <>
      <PracticeView
        title="AI Practice"
        seats={[
          { mark: HUMAN, name: 'You', isOnMove: game.turn === HUMAN, won: won[HUMAN] },
          { mark: AI, name: aiName(level), isOnMove: game.turn === AI, won: won[AI] },
        ]}
        status={hint === null ? status : { ...status, detail: hint.text }}
        game={game}
        onSettings={() => setDraft(current)}
        board={
          <Board
            size={game.size}
            cells={game.board}
            label={`Board of ${game.size} by ${game.size}`}
            winningLine={game.winningLine}
            lastMove={toBoardCell(game.moves.at(-1))}
            hint={toBoardCell(hint?.place ?? undefined)}
            turn={HUMAN}
            disabled={game.turn !== HUMAN}
            onPlay={(row, col) => dispatch({ type: 'played', place: [row, col] })}
            announcement={`${lastMoveText(game)} ${status.title} ${hint?.text ?? (status.end ? status.detail : '')}`}
          />
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<UndoIcon />}
              disabled={undone === 0}
              onClick={() => dispatch({ type: 'tookBack', moves: undone })}
            >
              Undo
            </Button>
            {game.turn === null ? (
              <ReviewLink game={game} level={level} />
            ) : (
              <Button
                variant="default"
                leftSection={<HintIcon />}
                disabled={game.turn !== HUMAN || isAsking}
                onClick={ask}
              >
                Hint
              </Button>
            )}
            <Button
              variant={game.turn === null ? 'filled' : 'default'}
              leftSection={<AgainIcon />}
              onClick={() => dispatch({ type: 'reset' })}
            >
              Reset
            </Button>
          </>
        }
      />
      <PracticeSettings opened={draft !== null} onCancel={() => setDraft(null)} onApply={apply}>
        <BoardSizeChoice size={shown.size} onChange={(size) => setDraft({ ...shown, size })} />
        <Choice
          legend="Level"
          value={shown.level}
          onChange={(chosen) => setDraft({ ...shown, level: chosen })}
          options={LEVELS.map((each) => ({ value: each, label: LEVEL_NAMES[each] }))}
          note={levelText(shown.level, shown.size)}
        />
        <Choice
          legend="Who starts"
          value={shown.starter}
          onChange={(starter) => setDraft({ ...shown, starter })}
          options={[
            { value: HUMAN, label: 'You' },
            { value: AI, label: 'The AI' },
          ]}
          note={shown.size === 6 ? dare(shown.starter) : undefined}
        />
      </PracticeSettings>
    </>
  );
}

/** What is said of the game as it stands. */
function statusOf(game: Game, level: Level): Status {
  if (game.winner === HUMAN) return { title: 'You Won!', detail: 'Congratulations! You beat the AI!', end: 'won' };
  if (game.winner === AI) return { title: 'AI Won!', detail: 'The AI is unbeatable! Try again!', end: 'lost' };
  if (game.isDraw) return { title: "It's a Draw!", detail: 'You held the AI. One more?', end: 'draw' };
  const detail = game.size === 6 ? dare(game.starter) : levelText(level, game.size);
  return { title: game.turn === HUMAN ? 'Your Turn' : 'AI is thinking...', detail };
}

/** On 6×6 the first player wins with best play. */
function dare(starter: Mark): string {
  return starter === HUMAN
    ? 'On 6×6 whoever starts can force a win. That is you: find it!'
    : 'On 6×6 whoever starts can force a win. This time that is the AI.';
}

/** Back to before the human's last move; 0 where there is none. */
function movesToUndo({ moves, board }: Game): number {
  const last = moves.findLastIndex(([row, col]) => board[row]?.[col] === HUMAN);
  return last === -1 ? 0 : moves.length - last;
}

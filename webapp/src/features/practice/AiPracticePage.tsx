import { Button } from '@mantine/core';
import { EngineClient, LEVELS } from '@/engine';
import { Board } from '@/shared/board';
import { aiName, LEVEL_NAMES } from '@/shared/levelNames';
import { AgainIcon, HintIcon } from '@/shared/ui/icons';
import { UndoIcon } from './icons';
import { levelText } from './levels';
import { lastMoveText, toBoardCell } from './moveText';
import { Choice } from '@/shared/ui/Choice';
import { BoardSizeChoice, PracticeSettings } from './PracticeSettings';
import { PracticeView } from './PracticeView';
import { ReviewLink } from './ReviewLink';
import { type AiPractice, dare, useAiPractice } from './useAiPractice';
import { AI, HUMAN } from './useOpponent';

/** Practice against the engine in its worker: docs/behaviour/play.md#practice. The human is X. */
export default function AiPracticePage({
  createEngine = () => new EngineClient(),
}: {
  createEngine?: () => EngineClient;
}) {
  const practice = useAiPractice(createEngine);
  const { game, dispatch, level, hint, status, won, setDraft, current } = practice;
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
        actions={<Actions practice={practice} />}
      />
      <Settings practice={practice} />
    </>
  );
}

function Actions({ practice }: { practice: AiPractice }) {
  const { game, dispatch, level, isAsking, ask, undone } = practice;
  return (
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
        <Button variant="default" leftSection={<HintIcon />} disabled={game.turn !== HUMAN || isAsking} onClick={ask}>
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
  );
}

function Settings({ practice }: { practice: AiPractice }) {
  const { draft, setDraft, shown, apply } = practice;
  return (
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
  );
}

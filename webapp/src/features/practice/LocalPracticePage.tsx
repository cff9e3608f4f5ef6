import { Button } from '@mantine/core';
import { useState } from 'react';
import { Board } from '@/shared/board';
import type { Game } from '@/shared/rules';
import { AgainIcon } from '@/shared/ui/icons';
import { STORAGE_KEYS } from '@/shared/storage';
import { UndoIcon } from './icons';
import { usePractice, winsByMark } from './practiceGame';
import { BoardSizeChoice, PracticeSettings } from './PracticeSettings';
import { PracticeView, type Status } from './PracticeView';
import { ReviewLink } from './ReviewLink';
import { lastMoveText, toBoardCell } from './moveText';

/** Practice of two people on one device. */
export default function LocalPracticePage() {
  const [practice, dispatch] = usePractice(STORAGE_KEYS.practiceLocal);
  const { game } = practice;
  const [chosen, setChosen] = useState<Game['size'] | null>(null);
  const status = statusOf(game);
  const won = winsByMark(practice);

  const apply = () => {
    if (chosen !== null && chosen !== game.size) dispatch({ type: 'changed', size: chosen, starter: 'X' });
    setChosen(null);
  };

  return (
    <>
      <PracticeView
        title="Local Practice"
        seats={(['X', 'O'] as const).map((mark) => ({
          mark,
          name: `Player ${mark}`,
          isOnMove: game.turn === mark,
          won: won[mark],
        }))}
        status={status}
        game={game}
        onSettings={() => setChosen(game.size)}
        board={
          <Board
            size={game.size}
            cells={game.board}
            label={`Board of ${game.size} by ${game.size}`}
            winningLine={game.winningLine}
            lastMove={toBoardCell(game.moves.at(-1))}
            turn={game.turn}
            disabled={game.turn === null}
            onPlay={(row, col) => dispatch({ type: 'played', place: [row, col] })}
            announcement={`${lastMoveText(game)} ${status.title}`}
          />
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<UndoIcon />}
              disabled={game.moves.length === 0}
              onClick={() => dispatch({ type: 'tookBack', moves: 1 })}
            >
              Undo
            </Button>
            {game.turn === null && <ReviewLink game={game} />}
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
      <PracticeSettings opened={chosen !== null} onCancel={() => setChosen(null)} onApply={apply}>
        <BoardSizeChoice size={chosen ?? game.size} onChange={setChosen} />
      </PracticeSettings>
    </>
  );
}

function statusOf({ turn, winner, size }: Game): Status {
  if (winner !== null) return { title: `${winner} Won!`, detail: 'Congratulations!', end: 'won' };
  if (turn === null) return { title: "It's a Draw!", detail: 'The board is full.', end: 'draw' };
  return { title: `${turn}'s Turn`, detail: `${size === 3 ? 3 : 4} in a row wins.` };
}

import type { Event } from '@/api/events';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { ExtendDialog } from './ExtendDialog';
import { ReopenDialog } from './ReopenDialog';
import type { Question, QuickActionsState } from './useQuickActions';

/** The dialogs that ask before a quick action. */
export function QuickActionQuestions({ event, actions }: { event: Event; actions: QuickActionsState }) {
  const { eventState, title, gamesInPlay } = event;
  const { question, closeQuestion, end, cancel, remove, conclude } = actions;
  const dialogOf = (what: Question, { run, isBusy }: QuickActionsState['end']) => ({
    opened: question === what,
    isBusy,
    onConfirm: run,
    onKeep: closeQuestion,
  });
  return (
    <>
      <ConfirmDialog title="End Event" confirm="End Event" keep="Keep Playing" {...dialogOf('end', end)}>
        <p>
          End <strong>{title}</strong> now? No more games are paired, and the winners are recorded.
        </p>
        {gamesInPlay > 0 && (
          <p>
            <strong>{underWay(gamesInPlay)}</strong> Their players have a minute to finish. After that, the player who
            used less time wins.
          </p>
        )}
      </ConfirmDialog>
      <ConfirmDialog title="Cancel Event" confirm="Cancel Event" keep="Keep Event" {...dialogOf('cancel', cancel)}>
        <p>
          Cancel <strong>{title}</strong>? Cancelled events cannot be undone.
        </p>
        {eventState === 'started' && (
          <p>
            {gamesInPlay > 0 && <strong>{underWay(gamesInPlay)} </strong>}
            Games under way become void, and nobody wins.
          </p>
        )}
      </ConfirmDialog>
      <ConfirmDialog title="Delete Draft" confirm="Delete Draft" keep="Keep Draft" {...dialogOf('delete', remove)}>
        <p>
          Delete <strong>{title}</strong>? This cannot be undone.
        </p>
      </ConfirmDialog>
      <ConfirmDialog title="Conclude Event" confirm="Conclude Event" keep="Not Yet" {...dialogOf('conclude', conclude)}>
        <p>
          The winners of <strong>{title}</strong> are taken from the standings as they are now, and everybody is told.
        </p>
      </ConfirmDialog>
      <ExtendDialog event={event} opened={question === 'extend'} onClose={closeQuestion} />
      <ReopenDialog event={event} opened={question === 'reopen'} onClose={closeQuestion} />
    </>
  );
}

function underWay(games: number): string {
  return games === 1 ? '1 game is under way.' : `${games} games are under way.`;
}

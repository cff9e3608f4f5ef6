import { useState } from 'react';
import { useNavigate } from 'react-router';
import {
  type Event,
  useCancelEventMutation,
  useConcludeEventMutation,
  useDeleteEventMutation,
  useDuplicateEventMutation,
  useEndEventMutation,
  useEventQuery,
  useStartEventMutation,
  useUpdateEventMutation,
} from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { log } from '@/shared/log';
import { toast } from '@/shared/ui/toast';
import { useDeskOf } from './deskOf';
import { publishErrors } from './eventForm';

/** What is asked before it is done. */
export type Question = 'end' | 'extend' | 'cancel' | 'delete' | 'reopen' | 'conclude';

export type QuickActionsState = ReturnType<typeof useQuickActions>;

/** State and actions of an event's quick actions: what is shown of it is in QuickActions.tsx. */
export function useQuickActions(event: Event) {
  const { eventId } = event;
  const { refetch } = useEventQuery(eventId);
  const navigate = useNavigate();
  const { list, pathOf } = useDeskOf();
  const [update, publishing] = useUpdateEventMutation();
  const [start, starting] = useStartEventMutation();
  const [end, ending] = useEndEventMutation();
  const [cancel, cancelling] = useCancelEventMutation();
  const [remove, removing] = useDeleteEventMutation();
  const [conclude, concluding] = useConcludeEventMutation();
  const [duplicate, duplicating] = useDuplicateEventMutation();
  const [question, setQuestion] = useState<Question | null>(null);
  const [missing, setMissing] = useState<string[]>([]);

  /** Shows the result; a refusal is also logged. */
  const settle = ({ error }: { error?: unknown }, done: string, failed: string): boolean => {
    setQuestion(null);
    if (error === undefined) toast.success(done);
    else {
      log.note(failed, error);
      toast.error(failureText(error, failed));
    }
    return error === undefined;
  };

  const publishNow = async () => {
    const errors = publishErrors(event);
    setMissing(errors);
    if (errors.length > 0) return;
    settle(await update({ eventId, eventState: 'published' }), 'Event published.', 'Failed to publish event');
  };
  const startNow = async () => settle(await start(eventId), 'Event started.', 'Failed to start event');
  const endNow = async () => settle(await end(eventId), 'Event ended.', 'Failed to end event');
  const cancelNow = async () => {
    if (settle(await cancel(eventId), 'Event cancelled.', 'Failed to cancel event')) await navigate(list.to);
  };
  const deleteNow = async () => {
    if (settle(await remove(eventId), 'Draft deleted.', 'Failed to delete event')) await navigate(list.to);
  };
  const concludeNow = async () => settle(await conclude(eventId), 'The winners are final.', 'Failed to conclude event');
  const duplicateNow = async () => {
    const { data, error } = await duplicate(eventId);
    if (settle({ error }, 'Draft created.', 'Failed to duplicate event') && data !== undefined)
      await navigate(pathOf(data.event.eventId));
  };

  return {
    /** What a publication still needs. */
    missing,
    question,
    ask: (what: Question) => {
      // The number of running games must be current when the question is asked; a draft has none.
      if (what !== 'delete') void refetch();
      setQuestion(what);
    },
    closeQuestion: () => setQuestion(null),
    publish: { run: () => void publishNow(), isBusy: publishing.isLoading },
    start: { run: () => void startNow(), isBusy: starting.isLoading },
    end: { run: () => void endNow(), isBusy: ending.isLoading },
    cancel: { run: () => void cancelNow(), isBusy: cancelling.isLoading },
    remove: { run: () => void deleteNow(), isBusy: removing.isLoading },
    conclude: { run: () => void concludeNow(), isBusy: concluding.isLoading },
    duplicate: { run: () => void duplicateNow(), isBusy: duplicating.isLoading },
  };
}

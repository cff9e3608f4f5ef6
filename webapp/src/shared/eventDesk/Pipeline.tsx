import type { EventState } from '@/api/events';
import { EVENT_STATE_LABELS } from '@/shared/events/eventState';
import { Steps } from '@/shared/ui/Steps';

const STATES: EventState[] = ['drafted', 'published', 'started', 'ended'];

/** The steps of an event from draft to winners, with the current one. */
export function Pipeline({ state }: { state: EventState }) {
  return (
    <Steps
      label="Status"
      steps={STATES.map((each) => EVENT_STATE_LABELS[each])}
      at={STATES.indexOf(state)}
      broken={state === 'cancelled' ? EVENT_STATE_LABELS.cancelled : undefined}
    />
  );
}

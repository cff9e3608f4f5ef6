import { ADMINS_DESK } from '@/shared/eventDesk/deskOf';
import { EventDesk } from '@/shared/eventDesk/EventDesk';

/** One event, for admins. */
export default function AdminEventPage() {
  return <EventDesk of={ADMINS_DESK} />;
}

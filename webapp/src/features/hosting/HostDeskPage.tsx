import { HOSTS_DESK } from '@/shared/eventDesk/deskOf';
import { EventDesk } from '@/shared/eventDesk/EventDesk';

/** A private event, for the member who hosts it. */
export default function HostDeskPage() {
  return <EventDesk of={HOSTS_DESK} />;
}

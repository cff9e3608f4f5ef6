import { useParams } from 'react-router';
import { selectUser } from '@/shared/session/sessionSlice';
import { EventRoom } from './EventRoom';
import { MISSING_USER_OR_EVENT } from './eventRoom';
import { RoomFailure } from './RoomFailure';
import { useAppSelector } from '@/shared/storeHooks';

/** The room's page, remounted for each event. */
export default function EventRoomPage() {
  const { eventId } = useParams();
  const userId = useAppSelector(selectUser)?.userId;
  if (eventId === undefined || userId === undefined) return <RoomFailure text={MISSING_USER_OR_EVENT} />;
  return <EventRoom key={eventId} eventId={eventId} userId={userId} />;
}

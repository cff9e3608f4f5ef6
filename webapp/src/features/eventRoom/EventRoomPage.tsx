import { useSelector } from 'react-redux';
import { useParams } from 'react-router';
import { selectUser } from '@/shared/session/sessionSlice';
import { EventRoom } from './EventRoom';
import { NOBODY_OR_NOWHERE } from './eventRoom';
import { RoomFailure } from './RoomFailure';

/** The waiting and matchmaking page of an event: a room of its own for each. */
export default function EventRoomPage() {
  const { eventId } = useParams();
  const userId = useSelector(selectUser)?.userId;
  if (eventId === undefined || userId === undefined) return <RoomFailure text={NOBODY_OR_NOWHERE} />;
  return <EventRoom key={eventId} eventId={eventId} userId={userId} />;
}

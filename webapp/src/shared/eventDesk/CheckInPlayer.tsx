import { Button } from '@mantine/core';
import { type Event, type Signup, useCheckInPlayerMutation } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { isCheckInOpen } from '@/shared/events/checkIn';
import { useNow } from '@/shared/events/countdown';
import { nameOf } from '@/shared/people/personSummary';
import { toast } from '@/shared/ui/toast';

/** Whether a player has checked in, and the press that does it for them or takes it back: the desk at the door. */
export function CheckInPlayer({ event, signUp }: { event: Event; signUp: Signup }) {
  const [checkIn, { isLoading }] = useCheckInPlayerMutation();
  const isOpen = isCheckInOpen(event, useNow());
  const { userId, checkedIn = false, status } = signUp;
  if (status === 'removed') return null;
  if (!isOpen) return checkedIn ? 'Here' : 'Not here yet';
  const name = nameOf(signUp);
  const press = async () => {
    const { error } = await checkIn({ eventId: event.eventId, userId, checkedIn: !checkedIn });
    if (error !== undefined) toast.error(failureText(error, 'Failed to check in'));
  };
  return (
    <Button
      size="compact-md"
      variant={checkedIn ? 'subtle' : 'default'}
      loading={isLoading}
      aria-pressed={checkedIn}
      aria-label={checkedIn ? `${name} is here. Undo check-in` : `Check in ${name}`}
      onClick={() => void press()}
    >
      {checkedIn ? 'Here' : 'Check in'}
    </Button>
  );
}

import type { Presence } from '@/api/events';
import { presenceText, usePresenceOf } from './presence';
import classes from './PresenceMark.module.css';

/** Whether a player is there; nothing while it is not known. `listed` is what the list said before anything was told. */
export function PresenceMark({ userId, listed }: { userId: string; listed?: Presence | undefined }) {
  const told = usePresenceOf(userId);
  const presence = told ?? listed;
  if (presence === undefined) return null;
  return (
    <span className={classes.mark} data-presence={presence}>
      {presenceText(presence)}
    </span>
  );
}

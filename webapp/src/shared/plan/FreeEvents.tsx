import { useFreeEventsQuery } from '@/api/subscription';
import { selectUser } from '@/shared/session/sessionSlice';
import classes from './FreeEvents.module.css';
import { useAppSelector } from '@/shared/storeHooks';
import { ifKnown } from '@/shared/ui/Loaded';

/** How much of the free plan is used; nothing for users it does not apply to. */
export function FreeEvents() {
  const user = useAppSelector(selectUser);
  const isCounted = user !== null && !user.isProUser && !user.isTempUser;
  const data = ifKnown(useFreeEventsQuery(undefined, { skip: !isCounted, refetchOnMountOrArgChange: true }));
  if (!isCounted || data?.freeEventsUsed === undefined || data.freeEventsLimit === undefined) return null;
  const { freeEventsUsed: used, freeEventsLimit: limit, freeEventsResetAt: resetAt } = data;
  const again = resetAt === undefined || used < limit ? ' this month' : `, again on ${day(resetAt)}`;
  return <p className={classes.free}>{`${used} of ${limit} free events used${again}.`}</p>;
}

function day(date: string): string {
  return new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
}

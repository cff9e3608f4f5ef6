import type { Suspension } from '@/api/account';
import type { PersonSummary } from '../people/personSummary';
import { dateTime } from '../events/times';

/** The person that an admin acts on. */
export interface Subject extends PersonSummary {
  userId: string;
  suspension?: Suspension | undefined;
}

/** For example `Suspended until Nov 21, 2026, 10:00 AM`. */
export function suspensionText({ until }: Suspension): string {
  return until === undefined ? 'Suspended indefinitely' : `Suspended until ${dateTime(until)}`;
}

import { skipToken } from '@reduxjs/toolkit/query';
import { type Event, useGetRoundsQuery } from '@/api/events';
import { ifKnown } from '../ui/Loaded';
import { stageRead } from './stageRead';

/** Formats of which all pairings follow from those who are there at the first one. */
const FIXED: readonly Event['format'][] = ['knockout', 'roundRobin'];

/** Whether nobody can enter a live event any more, since who meets whom is fixed; true too while that is not known. */
export function useIsFixed({ eventId, eventState, format }: Event): boolean {
  const mayBe = eventState === 'started' && FIXED.includes(format);
  const answer = ifKnown(useGetRoundsQuery(mayBe ? { eventId } : skipToken, stageRead(eventState)));
  return mayBe && answer?.rounds.length !== 0;
}

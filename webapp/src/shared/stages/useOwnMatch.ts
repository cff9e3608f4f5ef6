import { skipToken } from '@reduxjs/toolkit/query';
import { type Event, useGetRoundsQuery, useGetStandingsQuery } from '@/api/events';
import { ifKnown } from '../ui/Loaded';
import { isStageEvent } from './formats';
import { type OwnMatch, ownMatch, takesPart } from './ownMatch';
import { stageRead } from './stageRead';

/** Where a player stands in an event in stage rounds; null while that is not known, and for those who do not take part. */
export function useOwnMatch(event: Event, userId: string | null): OwnMatch | null {
  const { eventId, eventState } = event;
  const isOver = eventState === 'ended';
  const isOn = isStageEvent(event) && userId !== null && (isOver || eventState === 'started');
  const options = stageRead(eventState);
  const answer = ifKnown(useGetRoundsQuery(isOn ? { eventId } : skipToken, options));
  const [standing] = ifKnown(useGetStandingsQuery(isOn ? { eventId, userId } : skipToken, options))?.standings ?? [];
  if (!isOn || answer === undefined || !takesPart(answer.rounds, standing, userId)) return null;
  return ownMatch({ ...answer, format: event.format, isOver, standing, userId });
}

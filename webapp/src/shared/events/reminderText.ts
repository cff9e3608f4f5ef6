import type { ServerEvents } from '@/realtime/protocol';
import { dateTime } from './times';

type News = Pick<ServerEvents['eventNews'], 'news' | 'reason' | 'startTime' | 'endTime'>;

/** What became of an event, or of one's own part in it, as the server's pushes have it, with times of the viewer's zone. */
export function newsText({ news, reason = '', startTime, endTime }: News): string {
  const starts = startTime === undefined ? '' : ` It starts on ${dateTime(startTime)}.`;
  switch (news) {
    case 'cancelled':
      return reason === '' ? 'It was cancelled.' : `It was cancelled: ${reason}`;
    case 'moved':
      return `Its time has changed.${starts}${endTime === undefined ? '' : ` It ends on ${dateTime(endTime)}.`}`;
    case 'added':
      return `An organiser has signed you up.${starts}`;
    case 'removed':
      return 'An organiser has taken you out.';
    case 'invited':
      return `You are invited to this private event.${starts}`;
    case 'withdrawn':
      return `The director has withdrawn you: ${reason}`;
    case 'disqualified':
      return `The director has disqualified you: ${reason}`;
    case 'reinstated':
      return `You play again from the next round on. The director's reason: ${reason}`;
  }
}

/** Where news of an event lead: its page is not for those who are only invited. */
export function newsPath(eventId: string, news: News['news']): string {
  return news === 'invited' ? '/app/events' : `/app/events/view/${eventId}`;
}

/** When an event starts, in the words of the server's pushes. */
export function reminderText({ minutes, checkIn }: Pick<ServerEvents['eventReminder'], 'minutes' | 'checkIn'>): string {
  if (minutes === 0) return 'It has started. Come and play!';
  const starts = minutes === 1 ? 'It starts in a minute.' : `It starts in ${minutes} minutes.`;
  return checkIn === true ? `Check in now. ${starts}` : starts;
}

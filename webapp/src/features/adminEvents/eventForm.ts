import dayjs from 'dayjs';
import type { components } from '@/api/schema';
import type { Event, EventType } from '@/api/events';

type Schemas = components['schemas'];

/** Losses that eliminate unless the admin says otherwise (0 never does). */
export const DEFAULT_MAX_LOSSES = 3;

/** What an admin fills in; times as the pickers hold them, in the admin's own time zone. */
export interface EventFields {
  title: string;
  description: string;
  prize: string;
  eventType: EventType;
  startTime: string | null;
  endTime: string | null;
  maxLosses: number;
}

export const NEW_EVENT: EventFields = {
  title: '',
  description: '',
  prize: '',
  eventType: 'open',
  startTime: null,
  endTime: null,
  maxLosses: DEFAULT_MAX_LOSSES,
};

/** How the pickers write a moment. */
const PICKED = 'YYYY-MM-DD HH:mm:ss';

/** The moment in UTC, as the contract writes it; `picked` is in this browser's time zone. */
export function toUtc(picked: string): string {
  return dayjs(picked).toISOString().replace('.000Z', 'Z');
}

export function fieldsOf({ title, description, prize, eventType, startTime, endTime, maxLosses }: Event): EventFields {
  const picked = (iso: string | undefined) => (iso === undefined ? null : dayjs(iso).format(PICKED));
  return {
    title,
    description,
    prize: prize ?? '',
    eventType,
    startTime: picked(startTime),
    endTime: picked(endTime),
    maxLosses,
  };
}

/** Texts without what surrounds them, times in UTC; what is not filled in is absent. */
export function newEvent(fields: EventFields): Schemas['CreateEvent'] {
  const { eventType, startTime, endTime, maxLosses } = fields;
  const description = fields.description.trim();
  const prize = fields.prize.trim();
  return {
    title: fields.title.trim(),
    ...(description === '' ? {} : { description }),
    ...(prize === '' ? {} : { prize }),
    eventType,
    eventState: 'drafted',
    ...(startTime === null ? {} : { startTime: toUtc(startTime) }),
    ...(endTime === null ? {} : { endTime: toUtc(endTime) }),
    maxLosses,
  };
}

/** Only what differs, so that an edit never writes over what somebody else changed meanwhile. */
export function changesBetween(before: EventFields, after: EventFields): Omit<Schemas['UpdateEvent'], 'eventId'> {
  const changes: Omit<Schemas['UpdateEvent'], 'eventId'> = {};
  for (const text of ['title', 'description', 'prize'] as const) {
    if (after[text].trim() !== before[text]) changes[text] = after[text].trim();
  }
  for (const time of ['startTime', 'endTime'] as const) {
    const picked = after[time];
    if (picked !== null && picked !== before[time]) changes[time] = toUtc(picked);
  }
  if (after.eventType !== before.eventType) changes.eventType = after.eventType;
  if (after.maxLosses !== before.maxLosses) changes.maxLosses = after.maxLosses;
  return changes;
}

/** How long events often last, in minutes. */
export const DURATIONS = [30, 60, 120, 180];

/** `+30 min`, `+1 h`, `+1 h 30 min`. */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return `+${[hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')}`;
}

/** The picked time so many minutes later, as the pickers write it. */
export function endAfter(start: string, minutes: number): string {
  return dayjs(start).add(minutes, 'minute').format(PICKED);
}

type FieldErrors = Partial<Record<keyof EventFields, string>>;

export const END_AFTER_START = 'End time must be after start time.';

/** What keeps a form from being sent: docs/behaviour/events.md#fields. */
export function draftErrors({ title, startTime, endTime }: EventFields): FieldErrors {
  return {
    ...(title.trim() === '' ? { title: 'Event title is required.' } : {}),
    // Both are written alike and padded, so the text's order is the time's.
    ...(startTime !== null && endTime !== null && endTime <= startTime ? { endTime: END_AFTER_START } : {}),
  };
}

/** What an event still lacks before it can be published: docs/behaviour/events.md#fields. */
export function publishErrors({ title, startTime, endTime }: Event): string[] {
  const errors: string[] = [];
  if (title.trim() === '') errors.push('Event title is required to publish.');
  if (startTime === undefined) errors.push('Start time is required to publish.');
  if (endTime === undefined) errors.push('End time is required to publish.');
  if (startTime !== undefined && endTime !== undefined && Date.parse(endTime) <= Date.parse(startTime)) {
    errors.push(END_AFTER_START);
  }
  return errors;
}

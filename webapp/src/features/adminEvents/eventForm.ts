import type { components } from '@/api/schema';
import type { Event, EventType } from '@/api/events';
import { visibleError } from '@/shared/visible';
import { toUtc } from './localTime';

type Schemas = components['schemas'];

/** The default number of losses that eliminate a player (0: never). */
export const DEFAULT_MAX_LOSSES = 3;

/** The values of the form; times are instants in UTC, as the API has them: a local time may come twice, or never. */
export interface EventFields {
  title: string;
  description: string;
  prize: string;
  eventType: EventType;
  startTime: string | null;
  endTime: string | null;
  maxLosses: number;
  /** Players on one network are different people, the organiser says. */
  ratedOnOneNetwork: boolean;
}

export const NEW_EVENT: EventFields = {
  title: '',
  description: '',
  prize: '',
  eventType: 'open',
  startTime: null,
  endTime: null,
  maxLosses: DEFAULT_MAX_LOSSES,
  ratedOnOneNetwork: false,
};

export function fieldsOf(event: Event): EventFields {
  const { title, description, prize, eventType, startTime, endTime, maxLosses, ratedOnOneNetwork } = event;
  return {
    title,
    description,
    prize: prize ?? '',
    eventType,
    startTime: startTime ?? null,
    endTime: endTime ?? null,
    maxLosses,
    ratedOnOneNetwork,
  };
}

/** Trimmed texts and UTC times; empty fields are left out. */
export function newEvent(fields: EventFields): Schemas['CreateEvent'] {
  const { eventType, startTime, endTime, maxLosses, ratedOnOneNetwork } = fields;
  const description = fields.description.trim();
  const prize = fields.prize.trim();
  return {
    title: fields.title.trim(),
    ...(description === '' ? {} : { description }),
    ...(prize === '' ? {} : { prize }),
    eventType,
    eventState: 'drafted',
    ...(startTime === null ? {} : { startTime }),
    ...(endTime === null ? {} : { endTime }),
    maxLosses,
    ...(ratedOnOneNetwork ? { ratedOnOneNetwork } : {}),
  };
}

/** Only the changed fields, so that an edit does not overwrite concurrent changes. */
export function changesBetween(before: EventFields, after: EventFields): Omit<Schemas['UpdateEvent'], 'eventId'> {
  const changes: Omit<Schemas['UpdateEvent'], 'eventId'> = {};
  for (const text of ['title', 'description', 'prize'] as const) {
    if (after[text].trim() !== before[text]) changes[text] = after[text].trim();
  }
  for (const time of ['startTime', 'endTime'] as const) {
    const at = after[time];
    if (at !== null && at !== before[time]) changes[time] = at;
  }
  if (after.eventType !== before.eventType) changes.eventType = after.eventType;
  if (after.maxLosses !== before.maxLosses) changes.maxLosses = after.maxLosses;
  if (after.ratedOnOneNetwork !== before.ratedOnOneNetwork) changes.ratedOnOneNetwork = after.ratedOnOneNetwork;
  return changes;
}

/** Common durations of events, in minutes. */
export const DURATIONS = [30, 60, 120, 180];

/** `+30 min`, `+1 h`, `+1 h 30 min`. */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return `+${[hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')}`;
}

/** So many minutes after an instant. */
export function endAfter(start: string, minutes: number): string {
  return toUtc(Date.parse(start) + minutes * 60_000);
}

type FieldErrors = Partial<Record<keyof EventFields, string>>;

export const END_AFTER_START = 'End time must be after start time.';

/** Errors that prevent saving a draft: docs/behaviour/events.md#fields. */
export function draftErrors({ title, startTime, endTime }: EventFields): FieldErrors {
  const titleError = title.trim() === '' ? 'Event title is required.' : visibleError(title, 'Event title');
  return {
    ...(titleError === null ? {} : { title: titleError }),
    ...(startTime !== null && endTime !== null && Date.parse(endTime) <= Date.parse(startTime)
      ? { endTime: END_AFTER_START }
      : {}),
  };
}

/** What is missing before an event can be published: docs/behaviour/events.md#fields. */
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

/** The editable fields of an event and the rules for them: docs/behaviour/events.md#fields. */

import type { components } from '@/api/schema';
import { visibleError } from '@/shared/visible';
import { invalid } from './refusal';

type Schemas = components['schemas'];

export interface EventDetails {
  title: string;
  description?: string;
  prize?: string;
  eventType?: Schemas['EventType'];
  startTime?: string;
  endTime?: string;
  maxLosses?: number;
  ratedOnOneNetwork?: boolean;
}

export const DEFAULT_MAX_LOSSES = 3;
/** The year 10000. */
const TOO_FAR = 253_402_300_800_000;
const TITLE_MAX = 120;
const COPY = ' (copy)';
const DESCRIPTION_MAX = 4_000;
const PRIZE_MAX = 200;

/** The details as texts, for comparison. */
export function texts({
  title,
  description,
  prize,
  eventType,
  startTime,
  endTime,
  maxLosses,
  ratedOnOneNetwork,
}: EventDetails): Record<string, string> {
  const time = (text: string | undefined) => String(text === undefined ? '' : Date.parse(text));
  return {
    title,
    description: description ?? '',
    prize: prize ?? '',
    eventType: eventType ?? 'open',
    startTime: time(startTime),
    endTime: time(endTime),
    maxLosses: String(maxLosses ?? DEFAULT_MAX_LOSSES),
    ratedOnOneNetwork: String(ratedOnOneNetwork ?? false),
  };
}

/** The details without spaces around texts and with alike line ends; refuses missing or long texts and far times. */
export function checked(details: EventDetails): EventDetails {
  const trimmed = (text: string | undefined) => text?.trim().replace(/\r\n?/g, '\n') ?? '';
  const [title, description, prize] = [details.title, details.description, details.prize].map(trimmed) as [
    string,
    string,
    string,
  ];
  const limits = [
    ['title', 'Event title', title, TITLE_MAX],
    ['description', 'Description', description, DESCRIPTION_MAX],
    ['prize', 'Prize', prize, PRIZE_MAX],
  ] as const;
  if (title === '') throw invalid('title', 'Event title is required.', 'title-required');
  for (const [field, name, text, most] of limits) {
    if (text.length > most) throw invalid(field, `${name} may have at most ${most} characters.`, `${field}-too-long`);
    const unseen = field === 'description' ? null : visibleError(text, name);
    if (unseen !== null) throw invalid(field, unseen, `${field}-invisible`);
  }
  for (const [field, name, time] of [
    ['startTime', 'Start', details.startTime],
    ['endTime', 'End', details.endTime],
  ] as const) {
    if (time !== undefined && Date.parse(time) >= TOO_FAR) {
      const code = field === 'startTime' ? 'start-too-far' : 'end-too-far';
      throw invalid(field, `${name} time must be before the year 10000.`, code);
    }
  }
  return { ...details, title, description, prize };
}

/** What a published event must have: docs/behaviour/events.md#fields. */
export function publishable({ title, startTime, endTime }: EventDetails): void {
  if (title.trim() === '') throw titleToPublish();
  if (startTime === undefined) {
    throw invalid('startTime', 'Start time is required to publish.', 'publish-start-required');
  }
  if (endTime === undefined) throw invalid('endTime', 'End time is required to publish.', 'publish-end-required');
  if (Date.parse(endTime) <= Date.parse(startTime)) {
    throw invalid('endTime', 'End time must be after start time.', 'end-not-after-start');
  }
  if (Date.parse(endTime) <= Date.now()) {
    throw invalid('endTime', 'End time must be in the future.', 'end-in-the-past');
  }
}

export const titleToPublish = () => invalid('title', 'Event title is required to publish.', 'publish-title-required');

/** The details for a copy of an event, without times in the past. */
export function copied({ startTime, endTime, ...details }: EventDetails): EventDetails {
  const isAhead = endTime !== undefined && Date.parse(endTime) > Date.now();
  const times = isAhead ? { endTime, ...(startTime === undefined ? {} : { startTime }) } : {};
  // Of those who come to another event nobody has said anything.
  return {
    ...details,
    ratedOnOneNetwork: false,
    title: `${details.title.slice(0, TITLE_MAX - COPY.length).trimEnd()}${COPY}`,
    ...times,
  };
}

/** A time as the server formats it: without milliseconds if they are zero. */
export function wireTime(time: string): string {
  return time.replace('.000Z', 'Z');
}

import type { Series } from '@/api/series';
import { type EventFields, fieldsOf, NEW_EVENT, newEvent } from '@/shared/eventDesk/eventForm';
import { type Cadence, cadenceOf, ownTimeZone, ruleOf } from '@/shared/series/schedule';
import { visibleError } from '@/shared/visible';
import type { components } from '@/api/schema';

type Schemas = components['schemas'];

/** The fields of a series beside those of its events. */
export interface SeriesFields {
  name: string;
  description: string;
  /** In the time zone of the series: `2027-03-05T19:00`. */
  firstStart: string;
  timeZone: string;
  cadence: Cadence;
  /** Of the cadence `own`. */
  rule: string;
  durationMinutes: number | '';
  daysAhead: number | '';
  /** With commas or spaces between the places. */
  points: string;
}

export const NEW_SERIES = (): SeriesFields => ({
  name: '',
  description: '',
  firstStart: '',
  timeZone: ownTimeZone(),
  cadence: 'weekly',
  rule: '',
  durationMinutes: 120,
  daysAhead: 28,
  points: '10, 7, 5, 3, 2, 1',
});

export function seriesFieldsOf(series: Series): SeriesFields {
  const { name, description, firstStart, timeZone, rule, durationMinutes, daysAhead, points } = series;
  const cadence = cadenceOf(rule, firstStart);
  return {
    name,
    description,
    firstStart,
    timeZone,
    cadence,
    rule,
    durationMinutes,
    daysAhead,
    points: points.join(', '),
  };
}

export const templateFieldsOf = ({ template }: Series): EventFields =>
  template === undefined ? NEW_EVENT : fieldsOf(template);

/** The rule that is meant. */
export const meantRule = ({ cadence, rule, firstStart }: SeriesFields) =>
  cadence === 'own' ? rule.trim() : ruleOf(cadence, firstStart);

/** The points of the places; NaN for what is no number. */
export const pointsIn = (text: string) =>
  text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map(Number);

export function templateOf(fields: EventFields): Schemas['CreateEvent'] {
  const {
    eventState: _state,
    startTime: _start,
    endTime: _end,
    roundTimes: _times,
    isPrivate: _private,
    ...template
  } = newEvent(fields);
  return template;
}

/** What is sent of a series beside its template. */
export function plainFields(fields: SeriesFields): Omit<Schemas['CreateSeries'], 'template'> {
  return {
    name: fields.name.trim(),
    description: fields.description.trim(),
    firstStart: fields.firstStart,
    timeZone: fields.timeZone,
    rule: meantRule(fields),
    durationMinutes: fields.durationMinutes === '' ? 0 : fields.durationMinutes,
    daysAhead: fields.daysAhead === '' ? 0 : fields.daysAhead,
    points: pointsIn(fields.points),
  };
}

/** Only what was changed. */
export function seriesChanges(before: Series, fields: SeriesFields, template: EventFields) {
  const was = plainFields(seriesFieldsOf(before));
  const is = plainFields(fields);
  const isSame = (field: keyof typeof is) => JSON.stringify(is[field]) === JSON.stringify(was[field]);
  const changed = (Object.keys(is) as (keyof typeof is)[]).filter((field) => !isSame(field));
  const own = Object.fromEntries(changed.map((field) => [field, is[field]])) as Partial<typeof is>;
  const [old, present] = [templateOf(templateFieldsOf(before)), templateOf(template)];
  return { ...own, ...(JSON.stringify(old) === JSON.stringify(present) ? {} : { template: present }) };
}

type SeriesErrors = Partial<Record<keyof SeriesFields, string>>;

/** What the browser can tell before the server is asked. */
export function seriesErrors({
  name,
  firstStart,
  cadence,
  rule,
  points,
  durationMinutes,
  daysAhead,
}: SeriesFields): SeriesErrors {
  const nameError = name.trim() === '' ? 'The series needs a name.' : visibleError(name, 'The name');
  return {
    ...(nameError === null ? {} : { name: nameError }),
    ...(firstStart === '' ? { firstStart: 'Pick when the first event starts.' } : {}),
    ...(cadence === 'own' && rule.trim() === '' ? { rule: 'Write a rule, or choose one.' } : {}),
    ...(durationMinutes === '' ? { durationMinutes: 'Say how long an event lasts.' } : {}),
    ...(daysAhead === '' ? { daysAhead: 'Say how far ahead events are made.' } : {}),
    ...(pointsIn(points).some((each) => !Number.isInteger(each) || each < 0)
      ? { points: 'Points are whole numbers with commas between them.' }
      : {}),
  };
}

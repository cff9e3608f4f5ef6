/** Series of events: docs/behaviour/series.md. */

import { HttpResponse } from 'msw';
import type { components } from '@/api/schema';
import { composed, visibleError } from '@/shared/visible';
import { listed, told } from './entry';
import { calendarEntry, calendarFile } from './events';
import type { EventDetails } from './eventDetails';
import type { ActionRoutes, Routes } from './http';
import type { MockEvent } from './mockEvent';
import { MockEvent as TemplateEvent } from './mockEvent';
import type { MockServer } from './mockServer';
import { paged } from './paging';
import { adminsOnly, checkFields, conflict, invalid, notFound, notSignedIn } from './refusal';
import { datesOf, mustBeSchedule, type Schedule, scheduleErrors, storedRule } from './seriesDates';

type Schemas = components['schemas'];

const PAGE = 20;
const MOST_RUNNING = 100;
/** Events of a series that have not begun. */
const MOST_AHEAD = 20;
/** Events that a page shows of each kind. */
const SHOWN = 20;
const SHOWN_DATES = 5;
const MOST_PLACES = 64;
const MOST_POINTS = 1_000;
const NAME_MAX = 120;
const DESCRIPTION_MAX = 4_000;
const WEEK_MINUTES = 10_080;
const DAY_MS = 24 * 3_600_000;
const DEFAULT_POINTS = [10, 7, 5, 3, 2, 1];
const DEFAULT_DAYS_AHEAD = 28;

interface Plan extends Schedule {
  name: string;
  description: string;
  template: EventDetails;
  durationMinutes: number;
  points: number[];
  daysAhead: number;
}

interface Kept {
  readonly seriesId: string;
  plan: Plan;
  readonly createdAt: string;
  updatedAt: string;
  endedAt: string | undefined;
  /** Its events by their dates. */
  readonly made: Map<string, MockEvent>;
}

/** All series of one mock server. */
export class MockSeries {
  readonly #kept: Kept[] = [];
  readonly #mock: MockServer;

  constructor(mock: MockServer) {
    this.#mock = mock;
  }

  all(isEnded: boolean): Kept[] {
    const latest = ({ endedAt, createdAt }: Kept) => Date.parse(endedAt ?? createdAt);
    return this.#kept
      .filter(({ endedAt }) => (endedAt !== undefined) === isEnded)
      .toSorted((one, other) => latest(other) - latest(one));
  }

  find(seriesId: string): Kept {
    const found = this.#kept.find((each) => each.seriesId === seriesId);
    if (found === undefined) throw notFound('Series');
    this.#make(found);
    return found;
  }

  add(plan: Plan): Kept {
    const checkedPlan = checked(plan);
    if (this.all(false).length >= MOST_RUNNING) {
      throw conflict('too-many-series', 'As many series as this server takes make events. End one first.');
    }
    const now = new Date().toISOString();
    const made = new Map<string, MockEvent>();
    const kept: Kept = {
      seriesId: crypto.randomUUID(),
      plan: checkedPlan,
      createdAt: now,
      updatedAt: now,
      endedAt: undefined,
      made,
    };
    this.#kept.push(kept);
    this.#make(kept);
    return kept;
  }

  running(seriesId: string): Kept {
    const kept = this.find(seriesId);
    if (kept.endedAt !== undefined) throw conflict('series-ended', 'This series has ended; make a new one.');
    return kept;
  }

  update(kept: Kept, changes: Partial<Plan>): void {
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    kept.plan = checked({ ...kept.plan, ...given });
    kept.updatedAt = new Date().toISOString();
    this.#make(kept);
  }

  delete(kept: Kept): void {
    if (kept.made.size > 0) {
      throw conflict('series-has-events', 'This series has made events, so it stays. You can end it.');
    }
    this.#kept.splice(this.#kept.indexOf(kept), 1);
  }

  /** Makes the events that are due, one for a date whatever became of it. */
  #make(kept: Kept): void {
    if (kept.endedAt !== undefined) return;
    const { template, durationMinutes, daysAhead } = kept.plan;
    const until = Date.now() + daysAhead * DAY_MS;
    for (const { date, startsAt } of datesOf(kept.plan, Date.now(), MOST_AHEAD)) {
      const start = Date.parse(startsAt);
      if (start > until) break;
      if (kept.made.has(date)) continue;
      const endTime = new Date(start + durationMinutes * 60_000).toISOString();
      const event = this.#mock.events.add({ ...template, startTime: startsAt, endTime });
      event.seriesId = kept.seriesId;
      event.go('published');
      kept.made.set(date, event);
    }
  }
}

function checked(plan: Plan): Plan {
  const name = composed(plan.name);
  const isNamed = name !== '' && name.length <= NAME_MAX && visibleError(name, 'The name') === null;
  const description = plan.description.trim().replace(/\r\n?/g, '\n');
  const { points } = plan;
  const within = (value: number, most: number) => (value >= 1 && value <= most ? null : `From 1 to ${most}.`);
  checkFields({
    daysAhead: within(plan.daysAhead, 90),
    description: description.length > DESCRIPTION_MAX ? `At most ${DESCRIPTION_MAX} characters.` : null,
    durationMinutes: within(plan.durationMinutes, WEEK_MINUTES),
    ...scheduleErrors(plan),
    name: isNamed ? null : `A series needs a name of 1 to ${NAME_MAX} characters.`,
    points: pointsError(points),
  });
  // Refuses what no event may have.
  const template = new TemplateEvent(plan.template, () => 0).details;
  return { ...plan, name, description, rule: storedRule(plan.rule), template };
}

function pointsError(points: number[]): string | null {
  if (points.length === 0 || points.length > MOST_PLACES || points.some((each) => each > MOST_POINTS)) {
    return `Points for 1 to ${MOST_PLACES} places, each at most ${MOST_POINTS}.`;
  }
  if (points[0] === 0) return 'The first place is worth something.';
  const isSorted = points.every((each, at) => at === 0 || each <= (points[at - 1] ?? 0));
  return isSorted ? null : 'No place is worth more than a better one.';
}

function view(mock: MockServer, kept: Kept): Schemas['Series'] {
  const { seriesId, plan, createdAt, updatedAt, endedAt } = kept;
  const { template, ...rest } = plan;
  const nextDates = endedAt === undefined ? datesOf(plan, Date.now(), SHOWN_DATES) : [];
  const isAdmin = mock.viewer?.isAdmin === true;
  return {
    seriesId,
    ...rest,
    nextDates,
    createdAt,
    updatedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    // What its events are made from is no event of its own.
    ...(isAdmin
      ? { template: { ...told(mock, new TemplateEvent(template, () => 0)), _id: seriesId, eventId: seriesId } }
      : {}),
  };
}

function admin(mock: MockServer): void {
  if (mock.viewer === undefined) throw notSignedIn();
  if (!mock.viewer.isAdmin) throw adminsOnly();
}

/** The newest date first. */
const eventsOf = ({ made }: Kept) =>
  [...made.entries()].toSorted(([one], [other]) => other.localeCompare(one)).map(([, event]) => event);

const isOver = ({ state }: MockEvent) => state === 'ended' || state === 'cancelled';

function template(mock: MockServer, given: Schemas['CreateEvent']): EventDetails {
  const field = (['eventState', 'startTime', 'endTime', 'roundTimes', 'isPrivate'] as const).find(
    (each) => given[each] !== undefined,
  );
  if (field !== undefined) {
    throw invalid(`template.${field}`, 'The events of a series are public, and their times follow its rule.');
  }
  return listed(mock, given);
}

export const series: ActionRoutes<'series'> = {
  list_series: (mock, { ended = false, ...page }) => {
    const { items, pagination } = paged(mock.series.all(ended), page, PAGE);
    return { series: items.map((kept) => view(mock, kept)), pagination };
  },
  get_series: (mock, { seriesId }) => {
    const kept = mock.series.find(seriesId);
    mock.events.settle();
    const events = eventsOf(kept);
    const shown = (found: MockEvent[]) => found.slice(0, SHOWN).map((event) => event.viewFor(mock.viewer));
    return {
      series: view(mock, kept),
      upcoming: shown(events.filter((event) => !isOver(event)).toSorted((one, other) => one.startsAt - other.startsAt)),
      past: shown(events.filter(isOver)),
    };
  },
  get_series_table: (mock, { seriesId, ...page }) => {
    const kept = mock.series.find(seriesId);
    mock.events.settle();
    const counted = eventsOf(kept).filter((event) => event.state === 'ended' && event.isConcluded);
    const { items, pagination } = paged(tableOf(counted, kept.plan.points), page, PAGE);
    return { rows: items, countedEvents: counted.length, pagination };
  },
  preview_series: (mock, schedule) => {
    admin(mock);
    mustBeSchedule(schedule);
    return { dates: datesOf(schedule, Date.now(), SHOWN_DATES) };
  },
  create_series: (mock, { template: given, description = '', points = DEFAULT_POINTS, daysAhead, ...plan }) => {
    admin(mock);
    const details = template(mock, given);
    const days = daysAhead ?? DEFAULT_DAYS_AHEAD;
    const kept = mock.series.add({ ...plan, description, points, daysAhead: days, template: details });
    return { series: view(mock, kept) };
  },
  update_series: (mock, { seriesId, template: given, ...changes }) => {
    admin(mock);
    const kept = mock.series.running(seriesId);
    mock.series.update(kept, {
      ...(changes as Partial<Plan>),
      ...(given === undefined ? {} : { template: template(mock, given) }),
    });
    return { series: view(mock, kept) };
  },
  end_series: (mock, { seriesId }) => {
    admin(mock);
    const kept = mock.series.running(seriesId);
    kept.endedAt = new Date().toISOString();
    return { series: view(mock, kept) };
  },
  delete_series: (mock, { seriesId }) => {
    admin(mock);
    mock.series.delete(mock.series.find(seriesId));
    return {};
  },
};

/** The table of concluded events: points, then first places, second ones and so on. */
function tableOf(events: MockEvent[], points: number[]): Schemas['SeriesTableRow'][] {
  const rows = new Map<string, { row: Schemas['SeriesTableRow']; places: number[] }>();
  for (const { player, place } of events.flatMap(placesOf)) {
    const worth = points[place - 1] ?? 0;
    if (worth === 0) continue;
    const { userId, username, displayName, profileUrl } = player;
    const none = { rank: 0, userId, username, displayName, points: 0, events: 0, firsts: 0 };
    const start = {
      row: { ...none, ...(profileUrl === undefined ? {} : { profileUrl }) },
      places: points.map(() => 0),
    };
    const found = rows.get(userId) ?? start;
    found.row.points += worth;
    found.row.events += 1;
    if (place === 1) found.row.firsts += 1;
    found.places[place - 1] = (found.places[place - 1] ?? 0) + 1;
    rows.set(userId, found);
  }
  const merit = ({ row, places }: { row: Schemas['SeriesTableRow']; places: number[] }) => [row.points, ...places];
  const compare = (one: number[], other: number[]) => {
    const at = one.findIndex((value, index) => value !== other[index]);
    return at === -1 ? 0 : (other[at] ?? 0) - (one[at] ?? 0);
  };
  const sorted = [...rows.values()].toSorted(
    (one, other) => compare(merit(one), merit(other)) || one.row.userId.localeCompare(other.row.userId),
  );
  return sorted.map((each, at) => {
    const rank = sorted.findIndex((first) => compare(merit(first), merit(each)) === 0) + 1;
    return { ...each.row, rank: rank === 0 ? at + 1 : rank };
  });
}

/** Who took part, and at which place. */
function placesOf(event: MockEvent): { player: Schemas['Player']; place: number }[] {
  const played = event.participants
    .leaderboard()
    .filter(({ wins, losses, isRemoved }) => wins + losses > 0 && isRemoved !== true);
  if (event.stage === undefined) return played.map((player, at) => ({ player, place: at + 1 }));
  return event.stage.standings().flatMap(({ userId, rank, disqualified }) => {
    const player = played.find((each) => each.userId === userId);
    return player === undefined || disqualified ? [] : [{ player, place: rank }];
  });
}

/** The events of a series as an iCalendar file. */
export const seriesCalendar: Pick<Routes, 'getSeriesCalendar'> = {
  getSeriesCalendar: ({ mock, params }) => {
    const kept = mock.series.find(params.series_id ?? '');
    const text = calendarFile(eventsOf(kept).flatMap((event) => calendarEntry(event.view())));
    return new HttpResponse(text, { headers: { 'Content-Type': 'text/calendar; charset=utf-8' } });
  },
};

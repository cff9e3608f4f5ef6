/** The actions of events, sign-ups and players. */

import { HttpResponse } from 'msw';
import type { components } from '@/api/schema';
import { folded } from '@/shared/visible';
import { list_bots, rankedAmong } from './bots';
import { seat } from './mockGame';
import { entry, listed, mustBePerson, told } from './entry';
import { acting } from './games';
import { mustBeBoard } from './eventDetails';
import {
  byCode,
  checkText,
  directed,
  host,
  hosting,
  mustBeHosted,
  mustBeReplanned,
  mustDirect,
  mustHavePlace,
} from './hosting';
import type { ActionRoutes, Routes } from './http';
import { invitations, ownInvitations } from './invitations';
import { paged } from './paging';
import type { playerPages } from './playerPages';
import { hasPresence, presenceOf } from './presence';
import { adminsOnly, conflict, invalid, notFound, Refusal } from './refusal';
import { mustHaveReason } from './serverRules';
import type { MockEvent } from './mockEvent';
import { mustBeMember } from './mockEvents';
import type { User } from './mockAccounts';
import type { MockServer } from './mockServer';
import type { ActReceipt, Stage } from './stages';

type Schemas = components['schemas'];

/** The default number of events on a page. */
const PAGE = 20;
/** The largest value for level, wins and losses. */
const MOST = 1_000_000;

export const events: ActionRoutes<'event'> = {
  ...hosting,
  ...invitations,
  get_event_by_id: (mock, { eventId }) => ({ event: told(mock, mock.events.event(eventId)) }),
  list_events: ({ events, viewer }, { filter = {}, ...page }) => {
    const own = filter.signedUp === true ? events.seen() : events.all();
    const found = filter.hosted === true ? events.hostedBy(viewer?.userId ?? '') : own.filter(matching(filter, viewer));
    const { items, pagination } = paged(found, page, PAGE);
    return { events: items.map((event) => event.viewFor(viewer)), pagination };
  },
  verify_event: (mock, { eventId }) => {
    const event = directed(mock, eventId);
    const games = mock.gamesOf(eventId).filter(({ status }) => status === 'completed').length;
    const { corrections } = event;
    const vouched = event.vouch === undefined ? {} : { vouched: event.vouch };
    const acts = event.stage?.acts ?? [];
    const players = event.participants.seats.length;
    return { ...vouched, agrees: true, games, players, differences: [], corrections, acts };
  },
  get_rounds: ({ events }, { eventId, userId }) => {
    const { stage } = events.event(eventId);
    return { rounds: stage?.rounds(userId) ?? [], expectedRounds: stage?.expectedRounds ?? 0 };
  },
  get_standings: ({ events, viewer }, { eventId, userId }) => {
    const event = events.event(eventId);
    const directs = viewer?.isAdmin === true || (viewer !== undefined && event.host?.userId === viewer.userId);
    const mayKnow = (of: string) => directs || of === viewer?.userId;
    return { standings: event.stage?.standings(userId, mayKnow) ?? [] };
  },
  create_event: (mock, { eventState = 'drafted', isPrivate = !mock.user.isAdmin, ...plan }) => {
    if (!isPrivate) admin(mock);
    if (eventState !== 'drafted') throw invalid('eventState', 'A new event is a draft; publish it afterwards.');
    const details = listed(mock, plan);
    mustBeBoard(plan.boardSize, plan.format);
    const event = isPrivate ? host(mock, details) : mock.events.add(details);
    // The server tells the token of the calendar file in later answers only.
    const { calendarToken: _token, ...made } = told(mock, vouched(mock, event));
    return { event: made };
  },
  update_event: (mock, { eventId, eventState, ...changes }) => {
    const event = directed(mock, eventId);
    const wanted = listed(mock, changes);
    mustBeBoard(changes.boardSize, changes.format ?? event.details.format);
    if (!mock.user.isAdmin) {
      const publishes = eventState === 'published' && event.state === 'drafted';
      mustBeHosted(changes);
      mustBeReplanned(event, changes, publishes);
      if (publishes) mustHavePlace(mock);
    }
    mock.events.update(event, wanted, eventState);
    return { event: told(mock, vouched(mock, event)) };
  },
  delete_event: (mock, { eventId }) => {
    mock.events.delete(directed(mock, eventId));
    return {};
  },
  join_event: (mock, { eventId, userId }) => {
    const { userId: self } = acting(mock, userId);
    const event = mock.events.event(eventId);
    mock.events.join(event, mock.user);
    return { requiresUpgrade: false, player: event.participants.player(self) };
  },
  start_event: (mock, { eventId }) => {
    const event = directed(mock, eventId);
    mock.events.start(event);
    return { event: told(mock, event) };
  },
  end_event: (mock, { eventId }) => {
    const event = directed(mock, eventId);
    mock.events.end(event);
    return { event: told(mock, event) };
  },
  cancel_event: (mock, { eventId }) => {
    const event = directed(mock, eventId);
    mock.events.cancel(event);
    return { event: told(mock, event) };
  },
  reopen_event: (mock, { eventId, reason }) => {
    const event = managed(mock, eventId);
    mustHaveReason(reason);
    mock.events.reopen(event);
    return { event: told(mock, event) };
  },
  conclude_event: (mock, { eventId }) => {
    const event = managed(mock, eventId);
    mock.events.conclude(event);
    return { event: told(mock, event) };
  },
  duplicate_event: (mock, { eventId }) => ({
    event: told(mock, mock.events.add(managed(mock, eventId).copy())),
  }),
  announce: (mock, { eventId, message }) => {
    const event = directed(mock, eventId);
    if (!mock.user.isAdmin) checkText('message', message);
    mock.events.announce(event, message);
    return { event: told(mock, event) };
  },
  remove_participant: (mock, { eventId, userId, reason }) => {
    const event = directed(mock, eventId);
    mustHaveReason(reason);
    event.correct(userId, { isRemoved: true }, receipt(mock, 'removal', reason));
    mock.events.showOut(event, userId);
    mock.events.withdrawRemoved(event, userId);
    return { player: event.participants.player(userId) };
  },
  set_result: (mock, { eventId, round, board, winnerUserId, reason }) =>
    ruled(mock, eventId, reason, (stage, by) => stage.rule(round, board, winnerUserId, by)),
  replay_match: (mock, { eventId, round, board, gameId, reason }) =>
    ruled(mock, eventId, reason, (stage, by, event) => {
      event.mustBeUnderWay();
      stage.replay(round, board, gameId, by);
    }),
  start_round: (mock, { eventId, round }) => {
    const event = directed(mock, eventId);
    mock.events.startRound(event, round);
    return { event: told(mock, event) };
  },
  withdraw_player: (mock, payload) =>
    playerRuled(mock, payload, 'withdrawn', (stage, by) => stage.withdraw(payload.userId, by)),
  disqualify_player: (mock, payload) =>
    playerRuled(mock, payload, 'disqualified', (stage, by) => stage.disqualify(payload.userId, by)),
  reinstate_player: (mock, payload) =>
    playerRuled(mock, payload, 'reinstated', (stage, by, event) => {
      event.participants.mustNotBeRemoved(payload.userId);
      stage.reinstate(payload.userId, by);
    }),
  check_in_player: (mock, { eventId, userId, checkedIn = true }) => {
    const event = directed(mock, eventId);
    mock.events.checkInPlayer(event, userId, checkedIn, mock.user.username);
    return { event: told(mock, event) };
  },
  extend_event: (mock, { eventId, endTime }) => {
    const event = directed(mock, eventId);
    if (!mock.user.isAdmin) mustBeReplanned(event, { endTime });
    mock.events.extend(event, endTime);
    return { event: told(mock, event) };
  },
  pause_event: (mock, { eventId }) => {
    const event = directed(mock, eventId);
    mock.events.pause(event, true);
    return { event: told(mock, event) };
  },
  resume_event: (mock, { eventId }) => {
    const event = directed(mock, eventId);
    mock.events.pause(event, false);
    return { event: told(mock, event) };
  },
};

/** A director's act in a tournament, with a reason. */
function ruled(
  mock: MockServer,
  eventId: string,
  reason: string,
  act: (stage: Stage, by: ActReceipt, event: MockEvent) => void,
): { event: Schemas['Event'] } {
  mustDirect(mock, eventId);
  mustHaveReason(reason);
  const event = mock.events.event(eventId);
  const by = { by: mock.user.username, reason: reason.trim() };
  mock.events.direct(event, (stage) => act(stage, by, event));
  return { event: told(mock, event) };
}

/** As `ruled`, to a player, who reads why. */
function playerRuled(
  mock: MockServer,
  { eventId, userId, reason }: Schemas['WithdrawPlayer'],
  news: Schemas['EventNews']['news'],
  act: (stage: Stage, by: ActReceipt, event: MockEvent) => void,
): { event: Schemas['Event'] } {
  mustDirect(mock, eventId);
  mustHaveReason(reason);
  if (!mock.user.isAdmin) checkText('reason', reason);
  const answer = ruled(mock, eventId, reason, act);
  mock.events.tellPlayer(mock.events.event(eventId), userId, news, reason.trim());
  return answer;
}

export const signups: ActionRoutes<'eventSignUp'> = {
  ...byCode,
  ...ownInvitations,
  ...entry,
  list_signups_for_event: (mock, { eventId, ...page }) => {
    const { isAdmin } = mock.user;
    const event = mock.events.event(eventId);
    if (isAdmin) mock.auditRead('read_signups', eventId, { page: page.page ?? 1, title: event.view().title });
    const all = event.participants.seats.map((each) => event.signupOf(each.userId));
    const { items, pagination } = paged(all, page);
    const directs = (isAdmin || event.host?.userId === mock.user.userId) && hasPresence(event);
    const told = items.map((signup) =>
      directs ? { ...signup, presence: presenceOf(mock, event, signup.userId) } : signup,
    );
    return { signups: told.map((signup) => (isAdmin ? withEmail(mock, signup) : signup)), pagination };
  },
  list_signups_for_user: (mock, { userId, ...page }) => {
    const { userId: self } = acting(mock, userId);
    const own = mock.events.seen().filter((event) => event.participants.has(self));
    const { items, pagination } = paged(own, page);
    return { signups: items.map((event) => event.signupOf(self)), pagination };
  },
  get_user_sign_up_status: (mock, { eventId, userId }) => {
    const { userId: self } = acting(mock, userId);
    const event = mock.events.event(eventId);
    if (!event.participants.has(self)) return { isSignedUp: false };
    const { checkedIn } = event.signupOf(self);
    return { isSignedUp: true, ...(checkedIn === undefined ? {} : { checkedIn }) };
  },
  get_signup_by_event_and_user: (mock, { eventId, userId }) => {
    const { userId: self } = acting(mock, userId);
    return { signup: mock.events.event(eventId).signupOf(self) };
  },
  sign_up: (mock, { eventId, userId }) => {
    acting(mock, userId);
    return { signup: mock.events.signUp(mock.events.event(eventId), mock.user) };
  },
  check_in: (mock, { eventId, userId, checkedIn = true }) => {
    const self = acting(mock, userId);
    return { signup: mock.events.checkIn(mock.events.event(eventId), self.userId, checkedIn) };
  },
  remove_signup: (mock, { eventId, userId }) => {
    const self = acting(mock, userId);
    mock.events.event(eventId).remove(self.userId);
    return {};
  },
};

export const players: Omit<ActionRoutes<'player'>, keyof typeof playerPages> = {
  get_player: (mock, { userId, eventId }) => {
    const { isAdmin } = mock.user;
    const player = mock.events.event(eventId ?? lastEventOf(mock, userId)).participants.player(userId);
    return { player: isAdmin ? withEmail(mock, player) : player };
  },
  getPlayersByEvent: (mock, { eventId, ...page }) => mock.user && leaderboard(mock, eventId, page),
  check_player_for_event: (mock, { eventId, userId }) => {
    const { userId: self } = acting(mock, userId);
    const event = mock.events.event(eventId);
    const player = event.participants.has(self) ? { player: event.participants.player(self) } : {};
    const takenOut = event.participants.takenOut(self);
    return {
      isEliminated: event.participants.isEliminated(self),
      ...player,
      ...(takenOut === undefined ? {} : { takenOut }),
    };
  },
  get_leaderboard: (mock, { eventId, ...page }) => leaderboard(mock, eventId, page),
  list_bots,
  get_rating_list: (mock, page) => {
    const { ratings, user } = mock;
    const { items, pagination } = paged(rankedAmong(mock, user.isBot === true), page);
    const rankOf = (userId: string) => rankedAmong(mock, mock.accountOf(userId)?.isBot === true).indexOf(userId) + 1;
    const own = ratings.of(user.userId);
    const rank = own?.provisional === false ? { rank: rankOf(user.userId) } : {};
    const players = items.flatMap((userId) => {
      const rating = ratings.of(userId);
      return rating === undefined
        ? []
        : [{ rank: rankOf(userId), ...seat(mock.find((each) => each.userId === userId)), rating }];
    });
    return {
      players,
      ...(own === undefined ? {} : { own: { ...rank, rating: own } }),
      pagination,
    };
  },
  create_player: (mock, { eventId, userId, username = '' }) => {
    admin(mock);
    const name = username.trim().toLowerCase();
    if (userId === undefined && name === '') throw invalid('username', 'Name a player.');
    const person = mock.find((each) =>
      userId === undefined ? each.username.toLowerCase() === name : each.userId === userId,
    );
    mustBeMember(person);
    const event = mock.events.event(eventId);
    mustBePerson(event, person);
    mock.events.enrol(event, seat(person));
    return { player: event.participants.player(person.userId) };
  },
  import_players: (mock, { eventId, csv, preview = false }) => {
    admin(mock);
    const event = mock.events.event(eventId);
    const seen = new Set<string>();
    const players = namesOf(csv).map(({ line, name }): Schemas['ImportedPlayer'] => {
      const person = mock.everybody('').find(({ username }) => username.toLowerCase() === name.toLowerCase());
      if (person === undefined) return { line, username: name.slice(0, 40), status: 'notFound' };
      const { userId, username, displayName } = person;
      const told = { line, username, userId, displayName };
      if (seen.has(userId)) return { ...told, status: 'repeated' };
      seen.add(userId);
      if (event.participants.has(userId)) return { ...told, status: 'alreadyIn' };
      try {
        mustBeMember(person);
        return { ...told, status: 'found' };
      } catch (error) {
        return { ...told, status: 'refused', reason: error instanceof Refusal ? error.message : '' };
      }
    });
    const complete = players.every(({ status }) => status !== 'notFound' && status !== 'refused');
    if (preview || !complete) return { players, added: 0, complete };
    const wanted = players.filter(({ status }) => status === 'found');
    for (const player of wanted) {
      mock.events.enrol(event, seat(mock.find(({ userId }) => userId === player.userId)));
      player.status = 'added';
    }
    return { players, added: wanted.length, complete };
  },
  update_player: (mock, { eventId, userId, updates, reason }) => {
    admin(mock);
    const by = receipt(mock, 'standing', reason);
    const { level, wins, losses, isEliminated } = updates;
    checkCount('level', level, 1);
    checkCount('wins', wins, 0);
    checkCount('losses', losses, 0);
    const event = mock.events.event(eventId ?? lastEventOf(mock, userId));
    const change = { level, wins, losses: event.lossesFor(userId, losses, isEliminated) };
    event.correct(userId, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)), by);
    return { player: event.participants.player(userId) };
  },
  set_event: (mock, { eventId, userId }) => ({ player: managed(mock, eventId).participants.player(userId) }),
  clear_event: (mock) => {
    admin(mock);
    return {};
  },
  record_result: (mock, { eventId, userId, didWin, reason }) => {
    admin(mock);
    const by = receipt(mock, 'result', reason);
    const event = mock.events.event(eventId ?? lastEventOf(mock, userId));
    event.mustBeCorrectable();
    const { level, wins, losses } = event.participants.player(userId);
    event.correct(userId, didWin ? { level: level + 1, wins: wins + 1 } : { losses: losses + 1 }, by);
    return { player: event.participants.player(userId) };
  },
  join_event_room: (mock, { eventId, userId, socketId }) => {
    acting(mock, userId);
    const event = mock.events.event(eventId);
    return socketId === undefined ? mock.events.visitRoom(event, mock.user) : mock.events.enterRoom(event, mock.user);
  },
  leave_event_room: (mock, { eventId, userId }) => {
    acting(mock, userId);
    mock.events.leaveRoom(eventId);
    return {};
  },
};

/** The usernames of a list, by line: the mock reads lists of one kind, without quotes. */
function namesOf(csv: string): { line: number; name: string }[] {
  if (/[\0\ufffd]/.test(csv)) {
    throw invalid('csv', "The file is not UTF-8 text. Save it as 'CSV UTF-8' and try again.");
  }
  const rows = csv
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((text, at) => ({ line: at + 1, cells: text.split(/[,;\t]/).map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const heading = rows[0]?.cells.findIndex((cell) => /^(username|user name|user|player|name)$/i.test(cell)) ?? -1;
  const named = rows.slice(heading < 0 ? 0 : 1).map(({ line, cells }) => ({
    line,
    name: (cells[Math.max(heading, 0)] ?? '').replace(/^['@]+/, '').trim(),
  }));
  if (named.length === 0) throw invalid('csv', 'The list has no players.');
  return named;
}

/** A table for spreadsheets, as the server writes it. */
function csvFile(name: string, rows: readonly (readonly (string | number | undefined)[])[]) {
  const cell = (value: string | number | undefined) => {
    const text = String(value ?? '').replace(/^(?=[=+\-@\t\r\n＝＋－＠])/, "'");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const text = rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
  return new HttpResponse(`\ufeff${text}`, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  });
}

const yes = (is: boolean) => (is ? 'yes' : '');

/** Tables of events as files. */
export const eventFiles: Pick<Routes, 'getEventStandingsFile' | 'getEventResultsFile' | 'getEventSwissFile'> = {
  getEventStandingsFile: ({ mock, params }) => {
    const event = mock.user && mock.events.event(params.event_id ?? '');
    const name = `standings-${event.eventId}.csv`;
    const { stage } = event;
    if (stage === undefined) {
      return csvFile(name, [
        ['rank', 'username', 'name', 'level', 'wins', 'losses', 'out'],
        ...event.participants
          .leaderboard()
          .map((each) => [
            each.rank,
            each.username,
            each.displayName,
            each.level,
            each.wins,
            each.losses,
            yes(each.isEliminated),
          ]),
      ]);
    }
    const rows = stage.standings(undefined, () => false);
    const breaks = rows.some(({ tieBreaks }) => tieBreaks !== undefined)
      ? (['buchholzCut1', 'buchholz', 'sonnebornBerger', 'wins', 'headToHead'] as const)
      : [];
    return csvFile(name, [
      ['rank', 'seed', 'username', 'name', 'points', ...breaks, 'withdrawn', 'disqualified'],
      ...rows.map((row) => [
        row.rank,
        row.seed,
        row.username,
        row.displayName,
        row.points,
        ...breaks.map((each) => row.tieBreaks?.[each]),
        yes(row.withdrawn),
        yes(row.disqualified),
      ]),
    ]);
  },
  getEventResultsFile: ({ mock, params }) => {
    const event = mock.user && mock.events.event(params.event_id ?? '');
    const name = `results-${event.eventId}.csv`;
    const { stage } = event;
    if (stage === undefined) {
      const over = mock.gamesOf(event.eventId).filter(({ isOver }) => isOver);
      return csvFile(name, [
        ['game', 'made', 'ended', 'x', 'o', 'winner', 'reason', 'rounds', 'rated'],
        ...over.map((game) => {
          const { gameId, createdAt, endedAt, players, winner, reason, rounds, rated } = game.replay();
          const of = (mark?: string) => players.find(({ symbol }) => symbol === mark)?.username;
          return [gameId, createdAt, endedAt, of('X'), of('O'), of(winner), reason, rounds.length, yes(rated === true)];
        }),
      ]);
    }
    return csvFile(name, [
      ['round', 'board', 'player1', 'player2', 'winner', 'reason', 'games'],
      ...stage
        .rounds()
        .flatMap(({ round, pairings }) =>
          pairings.map(({ board, players, winnerUserId, reason, games }) => [
            round,
            board,
            players[0]?.username,
            players[1]?.username,
            players.find(({ userId }) => userId === winnerUserId)?.username,
            reason,
            games.map(({ gameId }) => gameId).join(' '),
          ]),
        ),
    ]);
  },
  getEventSwissFile: ({ mock, params }) => {
    const { eventId, stage, stages } = mock.user && mock.events.event(params.event_id ?? '');
    if (stage === undefined || stages?.format !== 'swiss' || stages.matchGames !== 1) {
      throw conflict('no-report', 'Only a Swiss with one game per match has a report, once it has started.');
    }
    // The mock has the head of a report alone: nobody pairs by it.
    return new HttpResponse(`012 ${eventId}\n092 Individual: Swiss-System\n`, {
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    });
  },
};

/** An event's lines of an iCalendar file. */
export function calendarEntry({ eventId, title, eventState, startTime, endTime }: Schemas['Event']): string[] {
  const stamp = (time = '') => time.replace(/[-:]|\.\d+/g, '');
  return [
    'BEGIN:VEVENT',
    `UID:${eventId}@morpion`,
    `DTSTAMP:${stamp(startTime)}`,
    `DTSTART:${stamp(startTime)}`,
    `DTEND:${stamp(endTime)}`,
    `SUMMARY:${title}`,
    `STATUS:${eventState === 'cancelled' ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
  ];
}

export const calendarFile = (entries: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Morpion//Mock//EN', ...entries, 'END:VCALENDAR', ''].join('\r\n');

/** The event as an iCalendar file; a private one with its token for whoever has that. */
export const calendar: Pick<Routes, 'getEventCalendar'> = {
  getEventCalendar: ({ mock, query, params }) => {
    const token = query.get('token');
    const eventId = params.event_id ?? '';
    const withToken = mock.events.known(eventId);
    if (token !== null && (withToken?.calendarToken === undefined || withToken.calendarToken !== token)) {
      throw notFound('Event');
    }
    const event = token === null ? mock.events.event(eventId) : withToken;
    if (event === undefined) throw notFound('Event');
    const text = calendarFile(calendarEntry(event.view()));
    return new HttpResponse(text, { headers: { 'Content-Type': 'text/calendar; charset=utf-8' } });
  },
};

/** Cancelled events are archived: they are listed only on request. */
function matching({ eventState, eventType, text = '', signedUp }: Schemas['EventFilter'], viewer: User | undefined) {
  const states = eventState === undefined ? undefined : [eventState].flat();
  const wanted = folded(text.trim());
  return (event: MockEvent) => {
    const { title, description, eventType: type } = event.view();
    return (
      (signedUp !== true || (isOpen(event) && event.participants.isIn(viewer?.userId))) &&
      (states === undefined ? event.state !== 'cancelled' : states.includes(event.state)) &&
      (eventType === undefined || type === eventType) &&
      folded(`${title}\n${description}`).includes(wanted)
    );
  };
}

/** Keeps the receipt of an organiser's word as long as the word is. */
function vouched(mock: MockServer, event: MockEvent): MockEvent {
  const receipt = event.vouch ?? { at: new Date().toISOString(), by: mock.user.username };
  event.vouch = event.isRatedOnOneNetwork ? receipt : undefined;
  return event;
}

const isOpen = ({ state }: MockEvent) => state === 'published' || state === 'started';

function leaderboard(mock: MockServer, eventId: string, page: { page?: number; limit?: number }) {
  const isAdmin = mock.viewer?.isAdmin === true;
  const { items, pagination } = paged(mock.events.event(eventId).participants.leaderboard(), page);
  return { players: items.map((player) => (isAdmin ? withEmail(mock, player) : player)), pagination };
}

function withEmail<T extends { userId: string }>(mock: MockServer, person: T): T & { email: string } {
  return { ...person, email: mock.find(({ userId }) => userId === person.userId).email };
}

function admin(mock: MockServer): void {
  if (!mock.user.isAdmin) throw adminsOnly();
}

function managed(mock: MockServer, eventId: string): MockEvent {
  admin(mock);
  return mock.events.event(eventId);
}

function lastEventOf({ events }: MockServer, userId: string): string {
  const last = events.lastJoinedBy(userId);
  if (last === undefined) throw notFound('Player');
  return last.eventId;
}

function receipt(mock: MockServer, what: Schemas['CorrectionKind'], reason?: string) {
  if (reason !== undefined) mustHaveReason(reason);
  return { by: mock.user.username, what, ...(reason === undefined ? {} : { reason: reason.trim() }) };
}

/** Refuses values outside the range. */
function checkCount(field: string, value: number | undefined, least: number): void {
  if (value === undefined || (value >= least && value <= MOST)) return;
  throw invalid(`updates.${field}`, `Between ${least} and ${MOST}.`);
}

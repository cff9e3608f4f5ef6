/** Sample events in stage rounds: of each format one to come, one in its second round, and one that is over. */

import type { components } from '@/api/schema';
import type { EventDetails } from './eventDetails';
import type { MockEvent } from './mockEvent';
import type { MockEvents } from './mockEvents';
import type { Seat } from './mockGame';
import type { Stage } from './stages';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type StagePairing = components['schemas']['StagePairing'];
type Plan = EventDetails & Required<Pick<EventDetails, 'format'>>;

const COMING: Plan[] = [
  { title: 'Chalkboard Knockout', format: 'knockout', thirdPlace: true, description: 'Lose once, and you cheer.' },
  {
    title: 'Sunday Swiss',
    format: 'swiss',
    rounds: 5,
    checkInMinutes: 30,
    description: 'Five rounds, and nobody is out.',
  },
  { title: 'Round Table', format: 'roundRobin', doubleRounds: true, boardSize: 4, description: 'Everybody, twice.' },
];
const LIVE: Plan[] = [
  { title: 'Town Hall Knockout', format: 'knockout', thirdPlace: true, description: 'Eight players, three rounds.' },
  { title: 'Paper Swiss', format: 'swiss', matchGames: 1, description: 'One game a match, four rounds.' },
  { title: 'Club Championship', format: 'roundRobin', boardSize: 4, description: 'Everybody plays everybody.' },
];
const OVER: Plan[] = [
  { title: 'Harvest Knockout', format: 'knockout', thirdPlace: true, matchGames: 1, description: 'Eight came.' },
  { title: 'Lamplight Swiss', format: 'swiss', rounds: 3, description: 'Three rounds by lamplight.' },
  { title: 'Kitchen Table League', format: 'roundRobin', matchGames: 1, description: 'Six friends and a table.' },
];

/** `demo` is the user of most sessions, and in all of them but the round robins that have begun. */
export function seedStages(events: MockEvents, demo: Seat, others: Seat[]): void {
  const now = Date.now();
  const add = (plan: Plan, start: number, end: number, seats: Seat[]) => {
    const at = (offset: number) => new Date(now + offset).toISOString();
    const event = events.add({ ...plan, startTime: at(start), endTime: at(end) });
    // Some have times in the past, which the server would refuse to publish.
    event.state = 'published';
    for (const each of seats) event.signUp(each);
    return event;
  };
  const fieldOf = ({ format }: Plan) => (format === 'roundRobin' ? others.slice(0, 6) : [...others, demo]);
  for (const [number, plan] of COMING.entries()) {
    add(plan, (number + 2) * DAY, (number + 2) * DAY + 2 * HOUR, [...others.slice(0, 5), demo]);
  }
  for (const plan of LIVE) {
    const event = add(plan, -25 * MINUTE, 4 * HOUR, plan.format === 'roundRobin' ? others : fieldOf(plan));
    const stage = begin(event);
    if (stage === undefined) continue;
    playRound(event, stage, demo, now - 20 * MINUTE);
    // One match of the second round is over, and the others are still to be played.
    stage.pairNext(now - 2 * MINUTE);
    const isOthers = ({ bye, players }: StagePairing) => !bye && players.every(({ userId }) => userId !== demo.userId);
    playMatch(event, stage, demo, stage.rounds()[1]?.pairings.find(isOthers)?.board ?? 0);
  }
  for (const [number, plan] of OVER.entries()) {
    const event = add(plan, -(number + 3) * DAY, -(number + 3) * DAY + 2 * HOUR, fieldOf(plan));
    const stage = begin(event);
    if (stage === undefined) continue;
    for (let round = 0; playRound(event, stage, demo, event.startsAt + round * 12 * MINUTE); round += 1) {
      const [left] = others.slice(3);
      if (plan.format === 'swiss' && round === 1 && left !== undefined) stage.withdraw(left.userId);
    }
    event.go('ended');
    event.conclude();
  }
}

function begin(event: MockEvent): Stage | undefined {
  event.go('started');
  for (const each of event.participants.seats) event.join(each);
  return event.beginRounds(() => 0);
}

/** Pairs a round and plays all its matches; false at the end. */
function playRound(event: MockEvent, stage: Stage, demo: Seat, startsAt: number): boolean {
  if (!stage.pairNext(startsAt)) return false;
  for (const { board } of stage.rounds()[stage.number - 1]?.pairings ?? []) playMatch(event, stage, demo, board);
  return true;
}

/** Mostly the better seed wins; `demo` always does. In some matches both win a game, and a third decides. */
function playMatch(event: MockEvent, stage: Stage, demo: Seat, board: number): void {
  const { number } = stage;
  for (let games = 0; ; games += 1) {
    const due = stage.due(Date.now()).find(({ match }) => match.board === board);
    if (due === undefined) return;
    const { match, seats } = due;
    const [first, second] = match.players as [Seat, Seat];
    const isUpset = (number * 3 + board * 5) % 7 === 1;
    const best = [first, second].find(({ userId }) => userId === demo.userId) ?? (isUpset ? second : first);
    const isLost = games === 1 && (number + board) % 3 === 0;
    const winner = isLost ? seats.find((each) => each !== best) : best;
    const loser = seats.find((each) => each !== winner);
    if (winner === undefined || loser === undefined) return;
    const gameId = crypto.randomUUID();
    match.games.push({ gameId, winner: undefined });
    event.participants.record(winner, loser);
    stage.gameOver(gameId, winner.userId);
  }
}

import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Event, StagePairing, StageRound } from '@/api/events';
import type { Game } from '@/realtime/protocol';
import { expectAccessible } from '@/testing/axe';
import { FakeSocket } from '@/testing/FakeSocket';
import { passTime, useFakeTimers } from '@/testing/fakeTimers';
import { carl } from '@/testing/liveGames';
import { renderApp } from '@/testing/renderApp';
import { actions, answer, bob, failure, gameWithBob, server, someEvent, visitor, wholePage } from '@/testing/server';
import { BEGUN, bye, entrant, pairing, played, stageEvent, stageRound, standing } from '@/testing/stageRounds';
import { PAGE_MS } from './usePages';

const [adam, bea, cleo, dan] = [entrant('Adam', 1), entrant('Bea', 2), entrant('Cleo', 3), entrant('Dan', 4)];

let event: Event;
let rounds: StageRound[];
let expectedRounds: number;
let games: Game[];

beforeEach(() => {
  event = stageEvent();
  rounds = [stageRound(1, [pairing(1, [adam, dan], [adam, null]), pairing(2, [bea, cleo])], BEGUN)];
  expectedRounds = 2;
  games = [];
  const player = { ...bob, eventId: 'e1', level: 4, wins: 3, losses: 0, isEliminated: false, rank: 1 };
  const calls = [
    actions('event', {
      get_event_by_id: () => answer({ event: event as never }),
      get_rounds: () => answer({ rounds: rounds as never, expectedRounds }),
      get_standings: () =>
        answer({ standings: [standing(cleo, 1, 2.5), standing(bea, 2, 2, { withdrawn: true })] as never }),
    }),
    actions('player', {
      get_leaderboard: () =>
        answer({
          players: [player, { ...player, ...carl, rank: 2, level: 2, isEliminated: true }] as never,
          pagination: wholePage,
        }),
    }),
    actions('game', { spectatable_games: () => answer({ games: games as never, pagination: wholePage }) }),
  ];
  server.use(...visitor, ...calls.flatMap(({ handlers }) => handlers));
});

async function open() {
  const app = renderApp('/screen/e1');
  expect(await screen.findByRole('heading', { name: 'Chalk Cup', level: 1 })).toBeInTheDocument();
  return app;
}

/** The rows of a list with this heading. */
const rowsOf = async (title: string) =>
  within(await screen.findByRole('region', { name: title }))
    .getAllByRole('listitem')
    .map((row) => row.textContent);

describe('the big screen', () => {
  it('is for visitors, has no navigation and nothing to press, and is not for search engines', async () => {
    const { at } = await open();
    expect(at()).toBe('/screen/e1');
    expect(await screen.findByRole('region', { name: 'Bracket' })).toBeInTheDocument();
    for (const role of ['navigation', 'link', 'button']) expect(screen.queryByRole(role)).not.toBeInTheDocument();
    expect(document.title).toBe('Chalk Cup · Morpion');
    expect(document.querySelector('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
    await expectAccessible();
  });

  it('of a small knockout is its bracket, with the round and how many matches are left', async () => {
    await open();
    const bracket = within(await screen.findByRole('region', { name: 'Bracket' }));
    expect(bracket.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['Semi-finals', 'Final']);
    expect(bracket.getByText('Live')).toBeInTheDocument();
    expect(screen.getByText('Knockout · Semi-finals')).toBeInTheDocument();
    expect(screen.getByText('2 matches to go')).toBeInTheDocument();
  });

  it('of a large knockout has the matches of the round, and from the quarter-finals on the bracket', async () => {
    const field = Array.from({ length: 16 }, (_, at) => entrant(`P${at + 1}`, at + 1));
    const pairs = (players: typeof field): StagePairing[] =>
      players.filter((_, at) => at % 2 === 0).map((first, at) => pairing(at + 1, [first, players[2 * at + 1]!]));
    rounds = [stageRound(1, pairs(field), BEGUN)];
    expectedRounds = 4;
    await open();
    expect(await rowsOf('Matches of Round of 16')).toHaveLength(8);
    const first = pairs(field).map((each) => ({ ...each, winnerUserId: each.players[0]!.userId, reason: 'played' }));
    const winners = field.filter((_, at) => at % 2 === 0);
    rounds = [stageRound(1, first as StagePairing[], BEGUN), stageRound(2, pairs(winners), BEGUN)];
    act(() => FakeSocket.last.receive('roundPaired', { eventId: 'e1', round: 2 }));
    const bracket = within(await screen.findByRole('region', { name: 'Bracket' }));
    expect(bracket.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
      'Quarter-finals',
      'Semi-finals',
      'Final',
    ]);
  });

  it('of a Swiss has the matches of the round beside the first of the table', async () => {
    event = stageEvent({ format: 'swiss' });
    rounds = [
      stageRound(1, [played(1, [adam, dan], [adam, adam])], BEGUN),
      stageRound(2, [pairing(1, [adam, bea], [bea, null]), played(2, [cleo, dan], [dan, dan]), bye(3, cleo)], BEGUN),
    ];
    expectedRounds = 5;
    await open();
    expect(await rowsOf('Matches of Round 2')).toEqual(['Board 1Adam0–1Bea', 'Board 2Cleo0–2Dan', 'Board 3Cleo–Bye']);
    expect(await rowsOf('Standings')).toEqual(['1Cleo2.5', '2Bea2']);
    expect(screen.getByText('Swiss · Round 2 of 5')).toBeInTheDocument();
    expect(screen.getByText('1 match to go')).toBeInTheDocument();
  });

  it('counts down to the round that was paired', async () => {
    useFakeTimers();
    const ahead = stageRound(2, [pairing(1, [adam, bea])], new Date(Date.now() + 20_000).toISOString());
    rounds = [stageRound(1, [played(1, [adam, dan], [adam, adam])], BEGUN), { ...ahead, state: 'planned' }];
    await open();
    expect(await screen.findByRole('timer')).toHaveAccessibleName(/^Final begins in 0:(19|20)$/);
    await passTime(21_000);
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
    expect(screen.getByText('1 match to go')).toBeInTheDocument();
  });

  it('turns the pages of a list that does not fit', async () => {
    useFakeTimers();
    event = stageEvent({ format: 'swiss' });
    const many = Array.from({ length: 13 }, (_, at) => pairing(at + 1, [entrant(`A${at + 1}`, 1), entrant('B', 2)]));
    rounds = [stageRound(1, many, BEGUN)];
    await open();
    expect(await rowsOf('Matches of Round 1')).toHaveLength(11);
    expect(screen.getByText('Page 1 of 2')).toBeInTheDocument();
    await passTime(PAGE_MS);
    expect(screen.getByText('Page 2 of 2')).toBeInTheDocument();
    expect(await rowsOf('Matches of Round 1')).toEqual(['Board 12A12–B', 'Board 13A13–B']);
    await passTime(PAGE_MS);
    expect(screen.getByText('Page 1 of 2')).toBeInTheDocument();
  });

  it.each<[Partial<Event>, string]>([
    [{ paused: true }, 'Paused'],
    [{ eventState: 'ended', concluded: false }, 'The event has endedResults to come'],
    [{ eventState: 'ended', concluded: true, winners: [{ ...adam, level: 1, wins: 2 }] }, 'WinnerAdam'],
    [{ eventState: 'ended', concluded: true }, 'WinnerNobody'],
  ])('with %j says %s', async (over, text) => {
    event = { ...event, ...over };
    await open();
    const value = await screen.findByText((_text, element) => element?.tagName === 'P' && element.textContent === text);
    expect(value).toBeInTheDocument();
  });

  it('before the start says what it is, when, and how many have signed up', async () => {
    const startTime = new Date(Date.now() + 10 * 60_000).toISOString();
    event = stageEvent({ format: 'roundRobin', eventState: 'published', startTime, signupCount: 12 });
    await open();
    expect(screen.getByRole('timer')).toHaveAccessibleName(/^Starts in (10:00|9:5\d)$/);
    expect(screen.getByText('12 players have signed up')).toBeInTheDocument();
    expect(screen.getByText('Everybody plays everybody else, and the most points win.')).toBeInTheDocument();
  });

  it('of an arena is its leaderboard and the games under way', async () => {
    event = someEvent({ endTime: new Date(Date.now() + 5 * 60_000).toISOString(), participantCount: 2 });
    games = [gameWithBob({ gameId: 'g5', players: [bob, carl], eventId: 'e1', boardSize: 4 })];
    await open();
    expect(await rowsOf('Leaderboard')).toEqual(['1bobLevel 4', '2CarlLevel 2']);
    expect(await rowsOf('Live games')).toEqual(['4×4bob–Carl']);
    expect(screen.getByText('Arena · 2 players')).toBeInTheDocument();
    expect(screen.getByRole('timer')).toHaveAccessibleName(/^Ends in (5:00|4:5\d)$/);
    await expectAccessible();
  });

  it('of an arena without a game says so, and after the end has no games', async () => {
    event = someEvent();
    const { unmount } = await open();
    expect(await screen.findByText('Nobody is playing right now.')).toBeInTheDocument();
    unmount();
    event = someEvent({ eventState: 'ended' });
    await open();
    expect(await screen.findByRole('region', { name: 'Leaderboard' })).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Live games' })).not.toBeInTheDocument();
  });

  it('says that there is no such event, or that it could not be loaded', async () => {
    server.use(...actions('event', { get_event_by_id: () => failure(404) }).handlers);
    const { unmount } = renderApp('/screen/e1');
    expect(await screen.findByRole('heading', { name: 'Event not found.' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See all events' })).toHaveAttribute('href', '/app/events');
    unmount();
    server.use(...actions('event', { get_event_by_id: () => failure(503) }).handlers);
    renderApp('/screen/e1');
    expect(await screen.findByText('Failed to load event')).toBeInTheDocument();
  });

  it('follows the event: visitors are connected, too', async () => {
    await open();
    await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
    rounds = [stageRound(1, [played(1, [adam, dan], [adam, adam]), pairing(2, [bea, cleo])], BEGUN)];
    act(() => FakeSocket.last.receive('standingsChanged', { eventId: 'e1' }));
    expect(await screen.findByText('1 match to go')).toBeInTheDocument();
  });
});

import { notifications } from '@mantine/notifications';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event, Signup, StageRound, StageStanding } from '@/api/events';
import { expectAccessible } from '@/testing/axe';
import { FakeSocket } from '@/testing/FakeSocket';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, failure, server, wholePage } from '@/testing/server';
import { aSignUp, anEvent } from '../testing/anEvent';
import { aMatch, aPlayer, aRound, aRow } from '../testing/aRound';
// Imported here, so that loading does not count towards the time-out of the first test.
import '../EventDesk';

let event: Event;
let rounds: StageRound[];
let standings: StageStanding[];
let signUps: Signup[];
let calls: ReturnType<typeof actions>['calls'];
/** Acts that do not succeed, with their responses. */
let refusals: Record<string, () => Response>;

const at = (minutes: number) => new Date(Date.UTC(2027, 0, 2, 10, minutes)).toISOString();
const board = (number: number, a: number, b: number) => aMatch(number, { players: [aPlayer(a), aPlayer(b)] });

/** An act that changes the event. */
const acts =
  (action: string, change: (before: Event) => Event = (before) => before) =>
  () => {
    const refusal = refusals[action];
    if (refusal !== undefined) return refusal();
    event = change(event);
    return answer({ event: event as never });
  };

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  notifications.clean();
  event = anEvent({ eventState: 'started', format: 'swiss', boardSize: 3, matchGames: 2, maxLosses: 0 });
  signUps = [1, 2, 3, 4].map((number) => aSignUp(number, { status: number === 4 ? 'registered' : 'active' }));
  rounds = [
    aRound(1, {
      state: 'ended',
      startsAt: at(0),
      pairings: [{ ...board(1, 1, 2), winnerUserId: 'u1', reason: 'played' }],
    }),
    aRound(2, {
      state: 'playing',
      startsAt: at(15),
      pairings: [{ ...board(1, 1, 3), games: [{ gameId: 'g1' }] }, board(2, 2, 4)],
    }),
  ];
  standings = [aRow(1, { points: 1 }), aRow(2), aRow(3), aRow(4, { withdrawn: true })];
  refusals = {};
  const ofEvent = actions('event', {
    get_event_by_id: () => answer({ event: event as never }),
    get_rounds: () => refusals.get_rounds?.() ?? answer({ rounds: rounds as never, expectedRounds: 3 }),
    get_standings: () => refusals.get_standings?.() ?? answer({ standings: standings as never }),
    set_result: acts('set_result'),
    replay_match: acts('replay_match'),
    start_round: acts('start_round'),
    withdraw_player: acts('withdraw_player'),
    disqualify_player: acts('disqualify_player'),
    reinstate_player: acts('reinstate_player'),
    pause_event: acts('pause_event', (running) => ({ ...running, paused: true })),
    resume_event: acts('resume_event', ({ paused: _paused, ...others }) => others),
  });
  calls = ofEvent.calls;
  server.use(
    http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada, isAdmin: true } })),
    http.post('*/api/auth/secure/token/refresh', () => answer({})),
    ...ofEvent.handlers,
    ...actions('eventSignUp', {
      list_signups_for_event: () => answer({ signups: signUps as never, pagination: wholePage }),
    }).handlers,
    ...actions('game', {
      get_games_by_event: () => answer({ games: [], pagination: wholePage }),
      spectatable_games: () => answer({ games: [], pagination: wholePage }),
    }).handlers,
  );
});

async function openDesk() {
  const app = renderApp('/app/admin/events/e1');
  const desk = within(await screen.findByRole('region', { name: 'Director’s Desk' }));
  return { ...app, desk };
}

const written = () => calls.filter(({ action }) => !/^(get|list|verify)/.test(action));
const matches = (round: number) =>
  within(screen.getByRole('list', { name: `Matches of round ${round}` })).getAllByRole('listitem');

describe('the desk', () => {
  it('shows the matches of the current round, what holds it up first', async () => {
    const { desk } = await openDesk();
    await desk.findByRole('list', { name: 'Matches of round 2' });
    expect(desk.getByLabelText('Round')).toHaveDisplayValue('Round 2 of 3 · being played');
    expect(desk.getByText('2 of 2 matches are still open.')).toBeInTheDocument();
    await waitFor(() => expect(matches(2)[0]).toHaveTextContent('Waits for player4, who did not join'));
    expect(matches(2).map((match) => within(match).getByText(/^Board/).textContent)).toEqual(['Board 2', 'Board 1']);
    expect(desk.getByRole('link', { name: 'Watch round 2, board 1' })).toHaveAttribute(
      'href',
      '/app/game/g1?watch=true',
    );
  });

  it('names the rounds of a knockout', async () => {
    event = { ...event, format: 'knockout', thirdPlace: false };
    const { desk } = await openDesk();
    await desk.findByRole('list', { name: 'Matches of round 2' });
    expect(desk.getByLabelText('Round')).toHaveDisplayValue('Semi-finals · being played');
  });

  it.each([
    ['in an arena', { format: 'arena', eventState: 'started' }],
    ['before the start', { eventState: 'published' }],
  ] as const)('is not there %s', async (_when, over) => {
    event = { ...event, ...over };
    renderApp('/app/admin/events/e1');
    await screen.findByRole('region', { name: 'Quick Actions' });
    expect(screen.queryByRole('region', { name: 'Director’s Desk' })).not.toBeInTheDocument();
    expect(screen.queryAllByRole('region', { name: 'Leaderboard' })).toHaveLength(
      over.eventState === 'started' ? 1 : 0,
    );
  });

  it('shows who is there, and follows it', async () => {
    const { desk } = await openDesk();
    await desk.findByRole('list', { name: 'Matches of round 2' });
    await waitFor(() => expect(FakeSocket.all.length).toBeGreaterThan(0));
    act(() => FakeSocket.last.open());
    const sent = () => FakeSocket.last.sent.filter(({ event: name }) => name === 'watchPresence');
    await waitFor(() => expect(sent().map(({ data }) => data)).toEqual([{ eventId: 'e1' }]));
    const row = (number: number) =>
      within(screen.getByRole('list', { name: 'Players in the order of the table' })).getAllByRole('listitem')[number];
    const tell = (...players: [string, string][]) =>
      act(() =>
        FakeSocket.last.receive('presenceChanged', {
          eventId: 'e1',
          players: players.map(([userId, presence]) => ({ userId, presence })),
        }),
      );
    tell(['u1', 'playing'], ['u2', 'room']);
    expect(row(0)).toHaveTextContent('Playing');
    expect(row(1)).toHaveTextContent('In the room');
    expect(row(2)).not.toHaveTextContent(/Offline|Playing|room/);
    tell(['u1', 'offline']);
    expect(row(0)).toHaveTextContent('Offline');
    expect(row(1)).toHaveTextContent('In the room');
    // What was told on a connection that is gone is not shown any more.
    act(() => FakeSocket.last.close());
    await waitFor(() => expect(row(0)).not.toHaveTextContent('Offline'));
  });

  it('says that no round is paired yet', async () => {
    rounds = [];
    standings = [];
    const { desk } = await openDesk();
    expect(await desk.findByText('The first round is paired once two players are in.')).toBeInTheDocument();
    expect(screen.getByText('The table begins with the first round.')).toBeInTheDocument();
  });

  it('says why rounds and table could not be loaded, and loads them again', async () => {
    refusals.get_rounds = () => failure(503, { errorMessage: 'Busy.' });
    refusals.get_standings = () => failure(500);
    const { user, desk } = await openDesk();
    expect(await desk.findByText('Busy.')).toBeInTheDocument();
    expect(await screen.findByText('Failed to load the table')).toBeInTheDocument();
    refusals = {};
    await user.click(desk.getByRole('button', { name: 'Try again' }));
    expect(await desk.findByRole('list', { name: 'Matches of round 2' })).toBeInTheDocument();
  });

  it.each([
    ['roundPaired', { eventId: 'e1', round: 3 }],
    ['roundEnded', { eventId: 'e1', round: 2 }],
    ['standingsChanged', { eventId: 'e1' }],
  ] as const)('reads the rounds again when it hears %s, and follows them', async (name, frame) => {
    const { desk } = await openDesk();
    await desk.findByRole('list', { name: 'Matches of round 2' });
    FakeSocket.last.open();
    rounds = [...rounds.slice(0, 1), aRound(3, { state: 'playing', startsAt: at(30), pairings: [board(1, 1, 4)] })];
    standings = standings.map((row) => ({ ...row, points: 7 }));
    FakeSocket.last.receive(name, frame);
    expect(await desk.findByRole('list', { name: 'Matches of round 3' })).toBeInTheDocument();
    await waitFor(() => expect(screen.getAllByText(/7 points$/)).toHaveLength(4));
  });

  it('reads them again after a lost connection', async () => {
    const { desk } = await openDesk();
    await desk.findByRole('list', { name: 'Matches of round 2' });
    rounds = rounds.map((round) => ({ ...round, state: 'ended' as const }));
    FakeSocket.last.open();
    FakeSocket.last.receive('authenticated', { userId: ada.userId, socketId: 's' });
    await waitFor(() => expect(desk.getByLabelText('Round')).toHaveDisplayValue('Round 2 of 3 · over'));
  });

  it('has no accessibility violations', async () => {
    const { desk } = await openDesk();
    await desk.findByRole('list', { name: 'Matches of round 2' });
    await expectAccessible();
  });
});

describe('a result', () => {
  it('is set with a winner and a reason', async () => {
    const { user, desk } = await openDesk();
    await user.click(await desk.findByRole('button', { name: 'Set the result of round 2, board 1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Set the result of round 2, board 1' }));
    expect(dialog.getByText('The game that is open becomes void.')).toBeInTheDocument();
    await user.type(dialog.getByLabelText(/Reason/), ' Left the hall ');
    expect(dialog.getByRole('button', { name: 'Set Result' })).toBeDisabled();
    await user.click(dialog.getByRole('radio', { name: 'player3' }));
    await expectAccessible();
    await user.click(dialog.getByRole('button', { name: 'Set Result' }));
    expect(await screen.findByText('The result is set.')).toBeInTheDocument();
    expect(written()).toEqual([
      {
        action: 'set_result',
        payload: { eventId: 'e1', round: 2, board: 1, winnerUserId: 'u3', reason: 'Left the hall' },
      },
    ]);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('of an earlier round is corrected, also so that nobody wins', async () => {
    const { user, desk } = await openDesk();
    await user.selectOptions(await desk.findByLabelText('Round'), 'Round 1 of 3 · over');
    expect(matches(1)[0]).toHaveTextContent('player1 won');
    await user.click(desk.getByRole('button', { name: 'Correct the result of round 1, board 1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Correct the result of round 1, board 1' }));
    expect(dialog.getByText(/the pairings of later rounds stay/)).toBeInTheDocument();
    await user.click(dialog.getByRole('radio', { name: /^Nobody/ }));
    await user.type(dialog.getByLabelText(/Reason/), 'Both cheated');
    await user.click(dialog.getByRole('button', { name: 'Set Result' }));
    await screen.findByText('The result is set.');
    expect(written()).toEqual([
      { action: 'set_result', payload: { eventId: 'e1', round: 1, board: 1, reason: 'Both cheated' } },
    ]);
  });

  it('that is refused says why, and the input stays', async () => {
    refusals.set_result = () => failure(422, { errorMessage: 'That player is not in this match.' });
    const { user, desk } = await openDesk();
    await user.click(await desk.findByRole('button', { name: 'Set the result of round 2, board 2' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('radio', { name: 'player2' }));
    await user.type(dialog.getByLabelText(/Reason/), 'Why');
    await user.click(dialog.getByRole('button', { name: 'Set Result' }));
    expect(await dialog.findByText('That player is not in this match.')).toBeInTheDocument();
    expect(dialog.getByLabelText(/Reason/)).toHaveValue('Why');
  });

  it('stays asked for when another round begins meanwhile', async () => {
    const { user, desk } = await openDesk();
    await user.click(await desk.findByRole('button', { name: 'Set the result of round 2, board 1' }));
    await screen.findByRole('dialog', { name: 'Set the result of round 2, board 1' });
    FakeSocket.last.open();
    rounds = [
      ...rounds.map((round) => ({
        ...round,
        state: 'ended' as const,
        pairings: round.pairings.map((each) => ({ ...each, winnerUserId: 'u1', reason: 'played' as const })),
      })),
      aRound(3, { state: 'playing', startsAt: at(30), pairings: [board(1, 2, 3)] }),
    ];
    FakeSocket.last.receive('roundPaired', { eventId: 'e1', round: 3 });
    expect(await screen.findByRole('dialog', { name: 'Correct the result of round 2, board 1' })).toBeInTheDocument();
  });

  it('cannot be corrected once the winners are final', async () => {
    event = { ...event, eventState: 'ended', concluded: true };
    const { desk } = await openDesk();
    await desk.findByRole('list', { name: 'Matches of round 2' });
    expect(desk.queryByRole('button')).not.toBeInTheDocument();
    expect(desk.getByText(/^The winners are final\./)).toBeInTheDocument();
  });
});

describe('a match', () => {
  it('is played again, with a reason, and with the game that was seen', async () => {
    const { user, desk } = await openDesk();
    await user.click(await desk.findByRole('button', { name: 'Replay round 2, board 1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Replay round 2, board 1' }));
    expect(dialog.getByText(/^player1 and player3 play this match again/)).toBeInTheDocument();
    expect(dialog.getByText('The game that is open becomes void.')).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Replay Match' })).toBeDisabled();
    await user.type(dialog.getByLabelText(/Reason/), 'The board froze');
    await expectAccessible();
    await user.click(dialog.getByRole('button', { name: 'Replay Match' }));
    expect(await screen.findByText('The match will be replayed.')).toBeInTheDocument();
    expect(written()).toEqual([
      {
        action: 'replay_match',
        payload: { eventId: 'e1', round: 2, board: 1, gameId: 'g1', reason: 'The board froze' },
      },
    ]);
  });

  it('that another director had played again meanwhile says so', async () => {
    refusals.replay_match = () => failure(409, { errorMessage: 'This match is being played again already.' });
    const { user, desk } = await openDesk();
    await user.click(await desk.findByRole('button', { name: 'Replay round 2, board 1' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/Reason/), 'The board froze');
    await user.click(dialog.getByRole('button', { name: 'Replay Match' }));
    expect(await dialog.findByText('This match is being played again already.')).toBeInTheDocument();
  });

  it('is played again only if it has begun, in the last round', async () => {
    const { user, desk } = await openDesk();
    await desk.findByRole('button', { name: 'Replay round 2, board 1' });
    expect(desk.queryByRole('button', { name: 'Replay round 2, board 2' })).not.toBeInTheDocument();
    await user.selectOptions(desk.getByLabelText('Round'), 'Round 1 of 3 · over');
    expect(matches(1)).toHaveLength(1);
    expect(desk.queryByRole('button', { name: /^Replay/ })).not.toBeInTheDocument();
  });
});

describe('a player', () => {
  const players = () => within(screen.getByRole('region', { name: 'Players' }));

  it.each([
    ['Withdraw', 'player2', 'withdraw_player', 'u2', 'player2 has been withdrawn.'],
    ['Disqualify', 'player3', 'disqualify_player', 'u3', 'player3 has been disqualified.'],
    ['Reinstate', 'player4', 'reinstate_player', 'u4', 'player4 plays again.'],
  ])('is taken out or back in with a reason: %s', async (verb, name, action, userId, done) => {
    const { user } = await openDesk();
    await user.click(await players().findByRole('button', { name: `${verb} ${name}` }));
    const dialog = within(await screen.findByRole('dialog', { name: `${verb} ${name}` }));
    expect(dialog.getByRole('button', { name: verb })).toBeDisabled();
    await user.type(dialog.getByLabelText(/Reason/), 'Said so');
    await user.click(dialog.getByRole('button', { name: verb }));
    expect(await screen.findByText(done)).toBeInTheDocument();
    expect(written()).toEqual([{ action, payload: { eventId: 'e1', userId, reason: 'Said so' } }]);
  });

  it('who is disqualified is marked as such, and can only be reinstated', async () => {
    standings = [aRow(1, { withdrawn: true, disqualified: true, disqualification: 'An engine was open.' })];
    const { user } = await openDesk();
    expect(await players().findByText(/^Disqualified/)).toBeInTheDocument();
    expect(
      players()
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Reinstate…']);
    await user.click(players().getByRole('button', { name: 'Reinstate player1' }));
    expect(
      within(await screen.findByRole('dialog')).getByText('Disqualified: An engine was open.'),
    ).toBeInTheDocument();
  });

  it.each([
    ['can be disqualified while the winners are not final', false, ['Disqualify…', 'Reinstate…']],
    ['stays as they are once the winners are final', true, []],
  ])('of an event that has ended %s', async (_what, concluded, offered) => {
    event = { ...event, eventState: 'ended', concluded };
    standings = [aRow(1), aRow(2, { withdrawn: true, disqualified: true })];
    await openDesk();
    await players().findByText(/^Disqualified/);
    expect(
      players()
        .queryAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(offered);
  });

  it('is not taken out where the server refuses it', async () => {
    refusals.withdraw_player = () => failure(500);
    const { user } = await openDesk();
    await user.click(await players().findByRole('button', { name: 'Withdraw player1' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/Reason/), 'Said so');
    await user.click(dialog.getByRole('button', { name: 'Withdraw' }));
    expect(await dialog.findByText('Failed to withdraw the player')).toBeInTheDocument();
  });

  it('is found by name among many', async () => {
    standings = Array.from({ length: 120 }, (_, index) => aRow(index + 1));
    const { user } = await openDesk();
    const rows = () => players().getAllByRole('listitem');
    await waitFor(() => expect(rows()).toHaveLength(100));
    expect(players().getByText('The first 100 of 120 are shown: search for the others.')).toBeInTheDocument();
    await user.type(players().getByRole('searchbox', { name: 'Search players' }), 'player119');
    expect(rows()).toHaveLength(1);
    await user.type(players().getByRole('searchbox'), '!');
    expect(players().getByText('No player fits this search.')).toBeInTheDocument();
  });
});

describe('the rounds', () => {
  it('are paused and resumed after a confirmation', async () => {
    const { user, desk } = await openDesk();
    await user.click(desk.getByRole('button', { name: 'Pause Rounds' }));
    const dialog = () => screen.findByRole('dialog');
    await user.click(within(await dialog()).getByRole('button', { name: 'Keep Playing' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(written()).toEqual([]);

    await user.click(desk.getByRole('button', { name: 'Pause Rounds' }));
    await user.click(within(await dialog()).getByRole('button', { name: 'Pause Rounds' }));
    expect(await desk.findByText('Rounds are paused: no further round begins.')).toBeInTheDocument();
    await user.click(desk.getByRole('button', { name: 'Resume Rounds' }));
    await user.click(within(await dialog()).getByRole('button', { name: 'Resume Rounds' }));
    await waitFor(() => expect(desk.getByRole('button', { name: 'Pause Rounds' })).toBeInTheDocument());
    expect(written().map(({ action }) => action)).toEqual(['pause_event', 'resume_event']);
  });

  it('begin at once after a confirmation where one waits', async () => {
    rounds = [...rounds.slice(0, 1), aRound(2, { startsAt: at(15), pairings: [board(1, 1, 3)] })];
    const { user, desk } = await openDesk();
    await user.click(await desk.findByRole('button', { name: 'Start Round 2 Now' }));
    const dialog = () => screen.findByRole('dialog', { name: 'Start Round 2' });
    await user.click(within(await dialog()).getByRole('button', { name: 'Wait' }));
    expect(written()).toEqual([]);
    await user.click(desk.getByRole('button', { name: 'Start Round 2 Now' }));
    await user.click(within(await dialog()).getByRole('button', { name: 'Start Now' }));
    expect(await screen.findByText('Round 2 has begun.')).toBeInTheDocument();
    expect(written()).toEqual([{ action: 'start_round', payload: { eventId: 'e1', round: 2 } }]);
    refusals.start_round = () => failure(409, { errorMessage: 'This round has begun already.' });
    await user.click(desk.getByRole('button', { name: 'Start Round 2 Now' }));
    await user.click(within(await dialog()).getByRole('button', { name: 'Start Now' }));
    expect(await screen.findByText('This round has begun already.')).toBeInTheDocument();
  });

  it('do not begin by a press while they are paused, and where none waits', async () => {
    rounds = [...rounds.slice(0, 1), aRound(2, { startsAt: at(15), pairings: [board(1, 1, 3)] }), aRound(3)];
    event = { ...event, paused: true };
    const { user, desk } = await openDesk();
    await desk.findByRole('list', { name: 'Matches of round 2' });
    expect(desk.queryByRole('button', { name: /^Start Round/ })).not.toBeInTheDocument();
    await user.selectOptions(desk.getByLabelText('Round'), '3');
    expect(desk.queryByRole('button', { name: /^Start Round/ })).not.toBeInTheDocument();
  });

  it('go on where the server refuses to pause them', async () => {
    refusals.pause_event = () => failure(409, { errorMessage: 'This event has ended.' });
    const { user, desk } = await openDesk();
    await user.click(desk.getByRole('button', { name: 'Pause Rounds' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Pause Rounds' }));
    expect(await screen.findByText('This event has ended.')).toBeInTheDocument();
  });
});

describe('the details of an event in rounds', () => {
  it.each([
    [{ format: 'swiss' }, { Format: 'Swiss', Rounds: 'By the number of players', Board: '3×3' }],
    [
      { format: 'swiss', rounds: 5 },
      { Rounds: '5', Match: 'Two games, and a third at one all' },
    ],
    [
      { format: 'knockout', thirdPlace: true, matchGames: 1 },
      { Format: 'Knockout', 'Third place': 'Played for', Match: 'One game' },
    ],
    [
      { format: 'roundRobin', doubleRounds: true },
      { Format: 'Round robin', 'Everybody meets': 'Twice' },
    ],
  ] as [Partial<Event>, Record<string, string>][])('are those of its format: %j', async (over, facts) => {
    event = { ...event, ...over };
    await openDesk();
    const details = within(screen.getByRole('region', { name: 'Event Details' }));
    for (const [name, value] of Object.entries(facts)) {
      expect(details.getByText(name).nextElementSibling).toHaveTextContent(value);
    }
    expect(details.queryByText('Elimination')).not.toBeInTheDocument();
  });
});

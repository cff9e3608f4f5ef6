import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StageRound, StageStanding } from '@/api/events';
import type { Game } from '@/realtime/protocol';
import type { StageEvent } from '@/shared/stages/formats';
import { FakeSocket } from '@/testing/FakeSocket';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, gameWithBob, server, signedInAsAda, visitor, wholePage } from '@/testing/server';
import { BEGUN, entrant, pairing, played, stageEvent, stageRound, standing } from '@/testing/stageRounds';

const [me, bea, cleo, dan] = [entrant('Ada', 1), entrant('Bea', 2), entrant('Cleo', 3), entrant('Dan', 4)];

let event: StageEvent;
let rounds: StageRound[];
let own: StageStanding[];
let games: Game[];
let isSignedUp: boolean;
let reads: ReturnType<typeof actions>['calls'];

beforeEach(() => {
  event = stageEvent();
  rounds = [stageRound(1, [pairing(1, [me, dan], [null]), pairing(2, [bea, cleo])], BEGUN)];
  own = [standing(me, 1, 0)];
  games = [];
  isSignedUp = true;
  const events = actions('event', {
    get_event_by_id: () => answer({ event: event as never }),
    list_events: () => answer({ events: [event] as never, pagination: wholePage }),
    get_rounds: () => answer({ rounds: rounds as never, expectedRounds: 2 }),
    get_standings: ({ userId }) => answer({ standings: (userId === undefined ? [standing(bea, 1, 0)] : own) as never }),
  });
  reads = events.calls;
  const others = [
    actions('eventSignUp', {
      get_user_sign_up_status: () => answer({ isSignedUp }),
      list_signups_for_event: () => answer({ signups: [], pagination: wholePage }),
    }),
    actions('player', { check_player_for_event: () => answer({ isEliminated: false }) }),
    actions('game', {
      get_games_by_user: () => answer({ games: games as never }),
      spectatable_games: () => answer({ games: [], pagination: wholePage }),
    }),
  ];
  server.use(...signedInAsAda, ...[events, ...others].flatMap(({ handlers }) => handlers));
});

async function open() {
  const app = renderApp('/app/events/view/e1');
  expect(await screen.findByRole('heading', { name: 'Chalk Cup', level: 1 })).toBeInTheDocument();
  return app;
}

const roundsRead = () => reads.filter(({ action }) => action === 'get_rounds').length;

describe('the page of an event in stage rounds', () => {
  it('says how it is played', async () => {
    event = stageEvent({ eventState: 'published', boardSize: 4, thirdPlace: true });
    await open();
    const about = within(screen.getByRole('region', { name: 'About' }));
    expect(about.getByText(/^The winner of a match goes on to the next round/)).toBeInTheDocument();
    for (const [term, fact] of [
      ['Format', 'Knockout'],
      ['Board', '4×4'],
      ['A match', '2 games, a third one at one all'],
      ['Third place', 'is played for'],
      ['Clock', '15 s a turn'],
    ] as const) {
      expect(about.getByText(term).nextSibling).toHaveTextContent(fact);
    }
    expect(about.queryByText('Out after')).not.toBeInTheDocument();
    expect(screen.queryByRole('tab', { name: 'Matches' })).not.toBeInTheDocument();
  });

  it('names the rounds of a Swiss, and a round robin in which everybody meets twice', async () => {
    event = stageEvent({ format: 'swiss', rounds: 5, matchGames: 1 });
    const { unmount } = await open();
    expect(screen.getByText('Rounds').nextSibling).toHaveTextContent('5');
    expect(screen.getByText('A match').nextSibling).toHaveTextContent('1 game');
    unmount();
    event = stageEvent({ format: 'roundRobin', doubleRounds: true, clock: '1+2' });
    await open();
    expect(screen.getByText('Rounds').nextSibling).toHaveTextContent('everybody meets twice');
    expect(screen.getByText('Clock').nextSibling).toHaveTextContent('1 min + 2 s');
  });

  it.each(['started', 'ended', 'cancelled'] as const)('has its matches once it was %s', async (eventState) => {
    event = stageEvent({ eventState, startedAt: BEGUN });
    const { user } = await open();
    await user.click(screen.getByRole('tab', { name: 'Matches' }));
    expect(await screen.findByRole('region', { name: 'Bracket' })).toHaveTextContent('Bea');
    expect(screen.queryByRole('tab', { name: 'Leaderboard' })).not.toBeInTheDocument();
  });

  it('shows them to visitors', async () => {
    server.use(...visitor);
    const { user } = await open();
    await user.click(screen.getByRole('tab', { name: 'Matches' }));
    expect(await screen.findByRole('region', { name: 'Bracket' })).toHaveTextContent('Dan');
    expect(screen.queryByRole('region', { name: 'Your match' })).not.toBeInTheDocument();
  });

  it.each(['roundPaired', 'roundEnded', 'standingsChanged'])('reads the rounds again on %s', async (frame) => {
    await open();
    await screen.findByRole('button', { name: 'Join Tournament' });
    await waitFor(() => expect(roundsRead()).toBe(1));
    act(() => FakeSocket.last.receive(frame, { eventId: 'other', round: 2 }));
    act(() => FakeSocket.last.receive(frame, { eventId: 'e1', round: 2 }));
    await waitFor(() => expect(roundsRead()).toBe(2));
  });

  it('reads the rounds again after every connection', async () => {
    await open();
    await waitFor(() => expect(roundsRead()).toBe(1));
    act(() => FakeSocket.last.receive('authenticated', { userId: ada.userId, socketId: 's' }));
    await waitFor(() => expect(roundsRead()).toBe(2));
  });
});

describe('whoever takes part', () => {
  it('sees their next match, and how to join', async () => {
    rounds = [stageRound(1, [pairing(1, [me, dan]), pairing(2, [bea, cleo])], BEGUN)];
    await open();
    const match = within(await screen.findByRole('region', { name: 'Your match' }));
    expect(match.getByRole('heading', { name: 'You play Dan' })).toBeInTheDocument();
    expect(screen.getByText('Join to play: your games open by themselves.')).toBeInTheDocument();
  });

  it('is led back to a game under way once', async () => {
    games = [gameWithBob({ eventId: 'e1', gameType: 'event' })];
    await open();
    expect(await screen.findByRole('heading', { name: 'Your game is on!' })).toBeInTheDocument();
    expect(screen.getAllByRole('link', { name: 'Return to your game' })).toHaveLength(1);
  });

  it('is not asked to join once they are out', async () => {
    rounds = [stageRound(1, [played(1, [me, dan], [dan, dan]), pairing(2, [bea, cleo], [null])], BEGUN)];
    await open();
    expect(await screen.findByRole('heading', { name: 'You are out' })).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText('One moment…')).not.toBeInTheDocument());
    expect(screen.queryByRole('button', { name: 'Join Tournament' })).not.toBeInTheDocument();
  });

  it('sees their place after the end', async () => {
    event = stageEvent({ eventState: 'ended', winners: [{ ...dan, level: 1, wins: 3 }] });
    own = [standing(me, 2, 2)];
    await open();
    expect(await screen.findByRole('heading', { name: 'You finished 2nd' })).toBeInTheDocument();
    // Levels are of an arena.
    expect(within(screen.getByRole('region', { name: 'Winners' })).getByRole('listitem')).toHaveTextContent(
      /^Dan3 wins$/,
    );
  });
});

it('who did not register cannot join a knockout that has started, even an open one', async () => {
  isSignedUp = false;
  rounds = [stageRound(1, [pairing(1, [bea, cleo])], BEGUN)];
  own = [];
  await open();
  expect(await screen.findByRole('heading', { name: 'Tournament Closed' })).toBeInTheDocument();
  expect(screen.queryByRole('region', { name: 'Your match' })).not.toBeInTheDocument();
});

it('who did not register can join it as long as nobody is paired', async () => {
  isSignedUp = false;
  rounds = [];
  own = [];
  await open();
  expect(await screen.findByRole('button', { name: 'Join Tournament' })).toBeInTheDocument();
});

it('the list names the format of what is no arena', async () => {
  renderApp('/app/events');
  const card = within(await screen.findByRole('article', { name: 'Chalk Cup' }));
  expect(card.getByText('Format').nextSibling).toHaveTextContent('Knockout');
});

it.each([true, false])('the big screen of an event is offered to admins (%s)', async (isAdmin) => {
  server.use(http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada, isAdmin } })));
  await open();
  await screen.findByRole('button', { name: 'Share' });
  const links = screen.queryAllByRole('link', { name: 'Big screen' }).map((link) => link.getAttribute('href'));
  expect(links).toEqual(isAdmin ? ['/screen/e1'] : []);
});

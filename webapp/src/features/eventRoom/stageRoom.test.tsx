import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { StageRound } from '@/api/events';
import type { StageEvent } from '@/shared/stages/formats';
import { expectAccessible } from '@/testing/axe';
import { FakeSocket } from '@/testing/FakeSocket';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, server, signedInAsAda, wholePage } from '@/testing/server';
import { BEGUN, entrant, pairing, played, stageEvent, stageRound, standing } from '@/testing/stageRounds';

const [me, bea, cleo, dan] = [entrant('Ada', 1), entrant('Bea', 2), entrant('Cleo', 3), entrant('Dan', 4)];

let event: StageEvent;
let rounds: StageRound[];

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  event = stageEvent({ format: 'swiss', announcements: [{ message: 'Tea is ready.', at: BEGUN }] });
  rounds = [stageRound(1, [played(1, [me, bea], [me, me]), pairing(2, [cleo, dan], [null])], BEGUN)];
  const calls = [
    actions('event', {
      get_event_by_id: () => answer({ event: event as never }),
      get_rounds: () => answer({ rounds: rounds as never, expectedRounds: 3 }),
      get_standings: () => answer({ standings: [standing(me, 2, 1.5)] as never }),
    }),
    actions('eventSignUp', { get_user_sign_up_status: () => answer({ isSignedUp: true }) }),
    actions('player', { check_player_for_event: () => answer({ isEliminated: false }) }),
    actions('game', {
      get_games_by_user: () => answer({ games: [] }),
      spectatable_games: () => answer({ games: [], pagination: wholePage }),
    }),
  ];
  server.use(...signedInAsAda, ...calls.flatMap(({ handlers }) => handlers));
});

const sent = (name: string) => FakeSocket.last.sent.filter((frame) => frame.event === name);
const receive = (name: string, data: object) => act(() => FakeSocket.last.receive(name, { eventId: 'e1', ...data }));

/** Enters the room, also as somebody who comes from a game. */
async function enter(query = '') {
  const app = renderApp(`/app/game/event/e1${query}`);
  await screen.findByText('Connecting to Game Server...');
  FakeSocket.last.open();
  await waitFor(() => expect(sent('joinEventRoom')).toHaveLength(1));
  const player = {
    userId: ada.userId,
    username: 'ada',
    displayName: 'ada',
    eventId: 'e1',
    level: 1,
    wins: 1,
    losses: 0,
  };
  receive('eventJoined', { player: { ...player, isEliminated: false }, queueSize: 0 });
  act(() => FakeSocket.last.receive('ack', { succeeded: true }, sent('joinEventRoom')[0]?.id));
  expect(await screen.findByRole('region', { name: 'Your match' })).toBeInTheDocument();
  return app;
}

it('the room of an event in stage rounds shows one’s match and who still plays, and no search', async () => {
  await enter('?fromGame=true');
  expect(await screen.findByRole('heading', { name: 'You won your match' })).toBeInTheDocument();
  expect(screen.getByText('Your match is decided: waiting for 1 other match.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Find Match' })).not.toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'Next match' })).not.toBeInTheDocument();
  expect(sent('findMatch')).toEqual([]);
  expect(document.title).toBe('Your match · Morpion');
  await expectAccessible();
});

it('it has one’s place in the table, and the announcements', async () => {
  await enter();
  const card = within(await screen.findByRole('region', { name: 'Your standing' }));
  expect(card.getByText('Place').nextSibling).toHaveTextContent('2');
  expect(card.getByText('Points').nextSibling).toHaveTextContent('1.5');
  expect(card.getByText('Seed').nextSibling).toHaveTextContent('1');
  expect(card.queryByText('Level')).not.toBeInTheDocument();
  expect(screen.getByText('Tea is ready.')).toBeInTheDocument();
});

it('it asks nobody whether they are still there: absence is the director’s affair', async () => {
  await enter();
  receive('stillThere', { reason: 'noShow', strikes: 1, maxStrikes: 2 });
  expect(screen.getByRole('region', { name: 'Your match' })).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'Still there?' })).not.toBeInTheDocument();
});

it('it leads to a game that the server opened, also when the opponent is away', async () => {
  const { at } = await enter();
  receive('playerFound', { gameId: 'g7', opponent: { ...dan, level: 1 }, redirectInMs: 150 });
  expect(await screen.findByRole('heading', { name: 'You play Dan' })).toBeInTheDocument();
  expect(screen.getByText('The board is being set up…')).toBeInTheDocument();
  act(() => FakeSocket.last.receive('opponentDisconnected', { gameId: 'g7', userId: dan.userId, countdown: 30 }));
  await waitFor(() => expect(at()).toBe('/app/game/g7'));
  expect(sent('findMatch')).toEqual([]);
});

it('it is left without a question', async () => {
  const { user, at } = await enter();
  await user.click(screen.getByRole('button', { name: 'Back to the event' }));
  await waitFor(() => expect(at()).toBe('/app/events/view/e1'));
  await waitFor(() => expect(sent('leaveEventRoom')).toHaveLength(1));
});

it('it follows the rounds', async () => {
  await enter();
  await screen.findByRole('heading', { name: 'You won your match' });
  rounds = [...rounds, stageRound(2, [pairing(3, [dan, me])], BEGUN)];
  receive('roundPaired', { round: 2 });
  expect(await screen.findByRole('heading', { name: 'You play Dan' })).toBeInTheDocument();
  expect(screen.getByText('Round 2, board 3, they begin the first game')).toBeInTheDocument();
});

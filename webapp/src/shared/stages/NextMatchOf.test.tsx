import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StageRound, StageStanding } from '@/api/events';
import { expectAccessible } from '@/testing/axe';
import { passTime, useFakeTimers } from '@/testing/fakeTimers';
import { renderPart } from '@/testing/renderPart';
import { actions, ada, answer, failure, server } from '@/testing/server';
import { BEGUN, bye, entrant, pairing, played, stageEvent, stageRound, standing } from '@/testing/stageRounds';
import type { StageEvent } from './formats';
import { NextMatchOf } from './NextMatchOf';

const [me, bea, cleo, dan] = [entrant('Ada', 1), entrant('Bea', 2), entrant('Cleo', 3), entrant('Dan', 4)];

let rounds: StageRound[];
let own: StageStanding;
let expectedRounds: number;

beforeEach(() => {
  expectedRounds = 3;
  own = standing(me, 3, 1);
  const { handlers } = actions('event', {
    get_rounds: () => answer({ rounds: rounds as never, expectedRounds }),
    get_standings: () => answer({ standings: [own as never] }),
  });
  server.use(...handlers);
});

function show(over: Partial<StageEvent> = {}) {
  const event = stageEvent({ format: 'swiss', ...over });
  return renderPart(<NextMatchOf event={event} userId={ada.userId} />);
}

const heading = (name: string) => screen.findByRole('heading', { name });

describe('a player’s match', () => {
  it('that is ahead has opponent, board and a countdown', async () => {
    useFakeTimers();
    const startsAt = new Date(Date.now() + 15_000).toISOString();
    rounds = [stageRound(1, [pairing(7, [me, bea]), pairing(8, [cleo, dan])], startsAt)];
    show();
    expect(await heading('You play Bea')).toBeInTheDocument();
    expect(screen.getByText('Seed 2')).toBeInTheDocument();
    expect(screen.getByText('Round 1, board 7, you begin the first game')).toBeInTheDocument();
    expect(screen.getByRole('timer')).toHaveAccessibleName(/^Your game opens in 0:1[45]$/);
    expect(screen.getByText(/Whoever is not there a minute later loses the match\./)).toBeInTheDocument();
    await passTime(16_000);
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
    expect(screen.getByText('Your game opens as soon as you are both here.')).toBeInTheDocument();
  });

  it('of a round that begins tomorrow has its time, and no countdown', async () => {
    const startsAt = new Date(Date.now() + 86_400_000).toISOString();
    const round = stageRound(2, [pairing(1, [me, bea])], startsAt);
    rounds = [{ ...round, state: 'planned', notBefore: startsAt }];
    show();
    expect(await screen.findByText(/^Round 2 begins at .+\.$/)).toBeInTheDocument();
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
  });

  it('is followed by when the next round begins, where that is fixed', async () => {
    const notBefore = new Date(Date.now() + 86_400_000).toISOString();
    rounds = [
      stageRound(1, [played(1, [me, bea], [me]), pairing(2, [cleo, dan])], BEGUN),
      { ...stageRound(2, [pairing(1, [me])]), notBefore },
    ];
    show({ format: 'knockout' });
    expect(await screen.findByText(/^Semi-finals begins at .+\.$/)).toBeInTheDocument();
  });

  it('that is ahead in a paused event does not count down', async () => {
    rounds = [stageRound(1, [pairing(1, [bea, me])], new Date(Date.now() + 60_000).toISOString())];
    show({ paused: true });
    expect(await screen.findByText(/^The organisers have paused the event\./)).toBeInTheDocument();
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
    expect(screen.getByText('Round 1, board 1, they begin the first game')).toBeInTheDocument();
  });

  it('that is played leads back to its game', async () => {
    rounds = [stageRound(1, [pairing(2, [me, bea], [bea, null])], BEGUN)];
    show();
    expect(await heading('Your game is on!')).toBeInTheDocument();
    expect(screen.getByText('Round 1, board 2, 0–1')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Return to your game' })).toHaveAttribute('href', '/app/game/g2-2-ada-bea');
    await expectAccessible();
  });

  it('between two games waits for the next one', async () => {
    rounds = [stageRound(1, [pairing(2, [me, bea], [bea])], BEGUN)];
    show();
    expect(await heading('You play Bea')).toBeInTheDocument();
    expect(screen.getByText('The next game of your match is about to open.')).toBeInTheDocument();
  });

  it.each([
    [[pairing(2, [bea, cleo])], 'Your match is decided: waiting for 1 other match.'],
    [[pairing(2, [bea, cleo]), pairing(3, [entrant('Eve', 5), entrant('Fay', 6)])], /waiting for 2 other matches\.$/],
    [[], 'The next round is about to be paired.'],
  ])('that is decided waits for the others of the round (%#)', async (others, text) => {
    rounds = [stageRound(1, [played(1, [me, dan], [dan, me, me]), ...others], BEGUN)];
    show();
    expect(await heading('You won your match')).toBeInTheDocument();
    expect(screen.getByText(text)).toBeInTheDocument();
  });

  it('that was the last one says so', async () => {
    expectedRounds = 1;
    rounds = [stageRound(1, [played(1, [me, dan], [dan, dan])], BEGUN)];
    show();
    expect(await heading('You lost your match')).toBeInTheDocument();
    expect(screen.getByText('Your match is decided. The event is about to end.')).toBeInTheDocument();
  });

  it.each([
    ['swiss', 'It counts as a match won.'],
    ['knockout', 'You are through to the next round.'],
    ['roundRobin', 'Everybody has one in turn.'],
  ] as const)('may be a bye in a %s', async (format, text) => {
    rounds = [stageRound(1, [bye(1, me), pairing(2, [bea, cleo], [null])], BEGUN)];
    show({ format });
    expect(await heading('You have a bye this round')).toBeInTheDocument();
    expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.getByText('1 match of this round is not decided yet.')).toBeInTheDocument();
  });

  it('of a knockout says whom they meet next', async () => {
    const open = pairing(2, [bea, cleo], [null]);
    rounds = [stageRound(1, [played(1, [me, dan], [me, me]), open], BEGUN), stageRound(2, [pairing(1, [me])])];
    show({ format: 'knockout' });
    expect(await screen.findByText('Next you meet whoever wins Bea – Cleo.')).toBeInTheDocument();
  });

  it('of a knockout that is lost is the last one', async () => {
    const open = [pairing(2, [bea, cleo], [null]), pairing(3, [entrant('Eve', 5), entrant('Fay', 6)])];
    rounds = [stageRound(1, [played(1, [me, dan], [dan, dan]), ...open], BEGUN), stageRound(2, [pairing(1, [dan])])];
    show({ format: 'knockout' });
    expect(await heading('You are out')).toBeInTheDocument();
    expect(screen.getByText('2 matches of this round are not decided yet.')).toBeInTheDocument();
  });

  it('is none for whoever was withdrawn', async () => {
    own = standing(me, 3, 0, { withdrawn: true });
    const lost = pairing(1, [me, bea], [], { winnerUserId: bea.userId, reason: 'absent' });
    rounds = [stageRound(1, [lost], BEGUN)];
    show();
    expect(await heading('You were withdrawn')).toBeInTheDocument();
    expect(screen.getByText(/^An organiser can let you play again/)).toBeInTheDocument();
  });

  it('is none for whoever is disqualified, who reads why', async () => {
    own = standing(me, 3, 0, { withdrawn: true, disqualified: true, disqualification: 'An engine was open.' });
    const lost = pairing(1, [me, bea], [], { winnerUserId: bea.userId, reason: 'withdrawn' });
    rounds = [stageRound(1, [lost], BEGUN)];
    show();
    expect(await heading('You are disqualified')).toBeInTheDocument();
    expect(screen.getByText('An engine was open.')).toBeInTheDocument();
  });

  it('is none before the first round, and in a round for which one came too late', async () => {
    rounds = [];
    const { show: again } = show();
    expect(await heading('The event is about to begin')).toBeInTheDocument();
    rounds = [stageRound(1, [pairing(1, [bea, cleo])], BEGUN)];
    again(<NextMatchOf key="late" event={stageEvent({ format: 'swiss' })} userId={ada.userId} />);
    expect(await heading('You have no match in this round')).toBeInTheDocument();
    expect(screen.getByText('You are paired as soon as it is over.')).toBeInTheDocument();
  });

  it('is followed by the place, which is final once the winners are', async () => {
    rounds = [stageRound(1, [played(1, [me, dan], [dan, dan])], BEGUN)];
    const { show: again } = show({ eventState: 'ended', concluded: true });
    expect(await heading('You finished 3rd')).toBeInTheDocument();
    again(<NextMatchOf event={stageEvent({ eventState: 'ended', concluded: false })} userId={ada.userId} />);
    expect(screen.getByRole('heading', { name: 'You are 3rd' })).toBeInTheDocument();
    expect(screen.getByText('The event has ended, and its results are being checked.')).toBeInTheDocument();
  });

  it('that could not be loaded can be asked for again', async () => {
    server.use(...actions('event', { get_rounds: () => failure(500), get_standings: () => failure(500) }).handlers);
    show();
    expect(screen.getByText('Looking for your match…')).toBeInTheDocument();
    expect(await screen.findByText('Your match could not be loaded.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  });
});

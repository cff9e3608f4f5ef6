import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { passTime, useFakeTimers } from '@/testing/fakeTimers';
import { renderPart } from '@/testing/renderPart';
import { BEGUN, bye, entrant, pairing, played, stageRound } from '@/testing/stageRounds';
import { RoundPairings } from './RoundPairings';
import { FIRST } from './useFirst';

const [adam, bea, cleo] = [entrant('Adam', 1), entrant('Bea', 2), entrant('Cleo', 3)];
const [dan, eve] = [entrant('Dan', 4), entrant('Eve', 5)];

const rounds = [
  stageRound(1, [played(1, [adam, bea], [adam, adam]), played(2, [cleo, dan], [dan, cleo, dan]), bye(3, eve)], BEGUN),
  stageRound(2, [pairing(1, [adam, dan], [adam, null]), pairing(2, [eve, bea]), bye(3, cleo)], BEGUN),
];

function show(over: Partial<Parameters<typeof RoundPairings>[0]> = {}) {
  return renderPart(
    <RoundPairings format="swiss" rounds={rounds} expectedRounds={4} isPaused={false} userId={null} {...over} />,
  );
}

const rows = () =>
  screen
    .getAllByRole('listitem')
    .filter((item) => item.parentElement?.tagName === 'OL')
    .map((item) => item.textContent);

describe('the pairings of a round', () => {
  it('are those of the present one: boards, players with seeds, games won, and how far they are', async () => {
    show();
    expect(screen.getByRole('combobox', { name: 'Round' })).toHaveDisplayValue('Round 2 of 4');
    expect(screen.getByRole('list', { name: 'Matches of Round 2 of 4' })).toBeInTheDocument();
    expect(rows()).toEqual([
      'Board 1Adam(1)1–0Dan(4)LiveGame 1Watch',
      'Board 2Eve(5)–Bea(2)Not begun',
      'Board 3Cleo(3)–ByeBye: no opponent',
    ]);
    expect(screen.getByText('1 of 3 matches decided.')).toBeInTheDocument();
    await expectAccessible();
  });

  it('are those of the round that one chooses, with its replays', async () => {
    const { user } = show();
    const picker = screen.getByRole('combobox', { name: 'Round' });
    expect(
      within(picker)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Round 1 of 4', 'Round 2 of 4']);
    await user.selectOptions(picker, 'Round 1 of 4');
    expect(rows()[1]).toBe('Board 2Cleo(3)1–2Dan(4)Dan wonGame 1Game 2Game 3');
    expect(screen.getByText('All matches are decided.')).toBeInTheDocument();
    const third = screen.getByRole('link', { name: 'Replay game 3: Cleo – Dan' });
    expect(third).toHaveAttribute('href', '/app/game/g2-3-cleo-dan/replay');
  });

  it('lead to the live game, and players to their own', () => {
    const { show: again } = show();
    expect(screen.getByRole('link', { name: 'Watch: Adam – Dan' })).toHaveAttribute(
      'href',
      '/app/game/g1-2-adam-dan?watch=true',
    );
    again(<RoundPairings format="swiss" rounds={rounds} expectedRounds={4} isPaused={false} userId={dan.userId} />);
    expect(screen.getByRole('link', { name: 'Return to your game: Adam – Dan' })).toHaveAttribute(
      'href',
      '/app/game/g1-2-adam-dan',
    );
    expect(screen.getByText('Adam').closest('li')).toHaveAttribute('data-own', 'true');
  });

  it('names the rounds of a knockout', () => {
    show({ format: 'knockout', expectedRounds: 3, rounds: [...rounds, stageRound(3, [pairing(1, [])])] });
    expect(screen.getByRole('combobox', { name: 'Round' })).toHaveDisplayValue('Semi-finals');
    expect(screen.getByRole('list', { name: 'Matches of Semi-finals' })).toBeInTheDocument();
  });

  it('counts down to when the games open', async () => {
    useFakeTimers();
    const startsAt = new Date(Date.now() + 20_000).toISOString();
    show({ rounds: [stageRound(1, [pairing(1, [adam, bea])], startsAt)] });
    expect(screen.getByRole('timer')).toHaveAccessibleName('Games open in 0:20');
    await passTime(19_000);
    expect(screen.getByRole('timer')).toHaveTextContent('0:01');
    await passTime(2_000);
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
    expect(screen.getByText('0 of 1 match decided.')).toBeInTheDocument();
  });

  it('says that the event is paused, unless games of the round are played', () => {
    const ahead = stageRound(1, [pairing(1, [adam, bea])], BEGUN);
    const { show: again } = show({ rounds: [ahead], isPaused: true });
    expect(screen.getByText(/^The organisers have paused the event\./)).toBeInTheDocument();
    again(<RoundPairings format="swiss" rounds={rounds} expectedRounds={4} isPaused userId={null} />);
    expect(screen.getByText('1 of 3 matches decided.')).toBeInTheDocument();
  });

  it('of a large round are the first, until all are asked for', async () => {
    const many = Array.from({ length: FIRST + 20 }, (_, at) =>
      pairing(at + 1, [entrant(`A${at}`, at), entrant(`B${at}`, at)]),
    );
    const { user } = show({ rounds: [stageRound(1, many, BEGUN)] });
    expect(rows()).toHaveLength(FIRST);
    await user.click(screen.getByRole('button', { name: 'Show all 120 matches' }));
    expect(rows()).toHaveLength(120);
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  it('follow the rounds as they are paired', () => {
    const { show: again } = show();
    const third = stageRound(3, [pairing(1, [adam, eve])], BEGUN);
    again(
      <RoundPairings format="swiss" rounds={[...rounds, third]} expectedRounds={4} isPaused={false} userId={null} />,
    );
    expect(rows()).toEqual(['Board 1Adam(1)–Eve(5)Not begun']);
  });
});

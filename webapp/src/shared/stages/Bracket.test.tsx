import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { renderPart } from '@/testing/renderPart';
import { ada } from '@/testing/server';
import { BEGUN, bye, entrant, pairing, played, stageRound } from '@/testing/stageRounds';
import { Bracket } from './Bracket';

const [me, bea, cleo, dan] = [entrant('Ada', 1), entrant('Bea', 2), entrant('Cleo', 3), entrant('Dan', 4)];
const [eve, fay, gil] = [entrant('Eve', 5), entrant('Fay', 6), entrant('Gil', 7)];

/** Seven players: the first one has a bye, and the quarter-finals are under way. */
const rounds = [
  stageRound(
    1,
    [
      bye(1, me),
      played(2, [dan, eve], [eve, dan, eve]),
      pairing(3, [bea, gil], [bea, null]),
      pairing(4, [cleo, fay], [], { winnerUserId: fay.userId, reason: 'absent' }),
    ],
    BEGUN,
  ),
  stageRound(2, [pairing(1, [me, eve]), pairing(2, [fay])]),
  stageRound(3, [pairing(1, []), pairing(2, [])]),
];

const show = (userId: string | null = null) =>
  renderPart(<Bracket rounds={rounds} expectedRounds={3} userId={userId} />);
const column = (name: string) => within(screen.getByRole('region', { name }));
/** What each match of a column says. */
const texts = (name: string) =>
  within(column(name).getAllByRole('list')[0]!)
    .getAllByRole('listitem')
    .filter((item) => item.parentElement?.tagName === 'OL')
    .map((item) => item.textContent);

describe('the bracket', () => {
  it('has a heading and a list for each round, and the match for the third place apart', async () => {
    show();
    expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
      'Quarter-finals',
      'Semi-finals',
      'Final',
      'Third place',
    ]);
    expect(texts('Final')).toEqual(['Winner of board 1Winner of board 2Board 1']);
    expect(texts('Third place')).toEqual(['Loser of board 1Loser of board 2Board 2']);
    await expectAccessible();
  });

  it('names the winners, the games won, byes and reasons', () => {
    show();
    expect(texts('Quarter-finals')).toEqual([
      '1Ada, winnerByeBoard 1',
      '4Dan15Eve, winner2Board 2Replay',
      '2Bea17Gil0Board 3LiveWatch',
      '3Cleo6Fay, winnerBoard 4Decided by absence',
    ]);
    expect(texts('Semi-finals')[1]).toBe('Winner of board 36FayBoard 2');
    const [first] = column('Quarter-finals').getAllByText('Bye');
    expect(first!.closest('[data-state]')).toHaveAttribute('data-state', 'bye');
  });

  it('leads to live games, and to the last game of a match that was played', () => {
    show();
    const live = column('Quarter-finals').getByRole('link', { name: 'Watch: Bea – Gil' });
    expect(live).toHaveAttribute('href', '/app/game/g3-2-bea-gil?watch=true');
    expect(live.closest('[data-state]')).toHaveAttribute('data-state', 'live');
    expect(column('Quarter-finals').getByRole('link', { name: 'Replay: Dan – Eve' })).toHaveAttribute(
      'href',
      '/app/game/g2-3-dan-eve/replay',
    );
    expect(screen.getAllByRole('link')).toHaveLength(2);
  });

  it('leads players to their own game, and marks it', () => {
    show(bea.userId);
    const own = column('Quarter-finals').getByRole('link', { name: 'Return to your game: Bea – Gil' });
    expect(own).toHaveAttribute('href', '/app/game/g3-2-bea-gil');
    expect(own.closest('[data-own]')).toHaveAttribute('data-own', 'true');
  });

  it('has a button for each round, the present one pressed at first', async () => {
    const { user } = show();
    const choice = within(screen.getByRole('group', { name: 'Round to show' }));
    expect(choice.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Quarter-finals',
      'Semi-finals',
      'Final',
    ]);
    expect(choice.getByRole('button', { pressed: true })).toHaveTextContent('Quarter-finals');
    expect(screen.getByRole('region', { name: 'Quarter-finals' })).toHaveAttribute('data-shown', 'true');
    await user.click(choice.getByRole('button', { name: 'Final' }));
    expect(screen.getByRole('region', { name: 'Quarter-finals' })).toHaveAttribute('data-shown', 'false');
    // The last round of a phone has the match for the third place, too.
    for (const name of ['Final', 'Third place']) {
      expect(screen.getByRole('region', { name })).toHaveAttribute('data-shown', 'true');
    }
  });

  it('follows a player through the rounds', async () => {
    const { user, container } = show(ada.userId);
    const follow = screen.getByRole('combobox', { name: 'Follow a player' });
    expect(
      within(follow)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Nobody',
      'You (seed 1)',
      'Bea (seed 2)',
      'Cleo (seed 3)',
      'Dan (seed 4)',
      'Eve (seed 5)',
      'Fay (seed 6)',
      'Gil (seed 7)',
    ]);
    await user.selectOptions(follow, 'Eve (seed 5)');
    const followed = () =>
      [...container.querySelectorAll('li[data-followed="true"]')].map(({ textContent }) => textContent);
    expect(followed()).toEqual(['4Dan15Eve, winner2Board 2Replay', '1Ada5EveBoard 1']);
    // Their line, from the lower of both matches on.
    expect([...container.querySelectorAll('path[data-followed="true"]')]).toHaveLength(2);
    expect(screen.queryByRole('group', { name: 'Round to show' })).not.toBeInTheDocument();
    await user.selectOptions(follow, 'Nobody');
    expect(followed()).toEqual([]);
  });
});

import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { renderPart } from '@/testing/renderPart';
import { actions, answer, failure, server } from '@/testing/server';
import { entrant, standing } from '@/testing/stageRounds';
import { StandingsTable } from './StandingsTable';
import { FIRST } from './useFirst';

const [adam, bea, cleo] = [entrant('Adam', 1), entrant('Bea', 2), entrant('Cleo', 3)];
const breaks = (buchholzCut1: number, buchholz: number) => ({
  tieBreaks: { buchholzCut1, buchholz, sonnebornBerger: 1.5, wins: 2, headToHead: 0 },
});
const standings = [
  standing(bea, 1, 2, breaks(3, 4.5)),
  standing(adam, 2, 2, breaks(2, 4)),
  standing(cleo, 2, 0, { ...breaks(2, 4), withdrawn: true }),
];

let calls: ReturnType<typeof actions>['calls'];
let terms: object[];

beforeEach(() => {
  terms = [
    { tieBreak: 'buchholz', round: 2, opponent: adam, value: 2, cut: false },
    { tieBreak: 'buchholzCut1', round: 2, opponent: adam, value: 2, cut: false },
    { tieBreak: 'buchholz', round: 1, value: 2.5, cut: false },
    { tieBreak: 'buchholzCut1', round: 1, value: 2.5, cut: true },
  ];
  const event = actions('event', {
    get_standings: () => answer({ standings: [{ ...standings[0], terms }] as never }),
  });
  calls = event.calls;
  server.use(...event.handlers);
});

const show = (over: Partial<Parameters<typeof StandingsTable>[0]> = {}) =>
  renderPart(<StandingsTable eventId="e1" format="swiss" standings={standings} userId={null} {...over} />);
const cells = (name: string) =>
  within(screen.getByRole('rowheader', { name: new RegExp(name) }).closest('tr')!)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

describe('the standings', () => {
  it('have place, player, points and every tie-break', async () => {
    show();
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      '#',
      'Player',
      'Points',
      'BC1Buchholz cut 1',
      'BHBuchholz',
      'SBSonneborn-Berger',
      'WWins',
      'H2HHead to head',
    ]);
    expect(cells('Bea').slice(1)).toEqual(['2', '3', '4.5', '1.5', '2', '0']);
    expect(cells('Bea')[0]).toMatch(/^1/);
    expect(screen.getByText('BH: Buchholz').nextSibling).toHaveTextContent(/^The points of all opponents;/);
    await expectAccessible();
  });

  it('mark who was withdrawn, and the viewer with their place', () => {
    show({ userId: adam.userId });
    expect(screen.getByRole('rowheader', { name: /Cleo/ })).toHaveTextContent('Withdrawn');
    expect(screen.getByRole('rowheader', { name: /Adam/ })).toHaveTextContent('You');
    expect(screen.getByText(/^Your place:/)).toHaveTextContent('Your place: 2 of 3');
  });

  it('mark who is disqualified', () => {
    show({ standings: [standing(bea, 1, 1), standing(cleo, 2, 0, { withdrawn: true, disqualified: true })] });
    expect(screen.getByRole('rowheader', { name: /Cleo/ })).toHaveTextContent('Disqualified');
  });

  it('of a knockout have no tie-breaks, and nothing to open', () => {
    show({ format: 'knockout', standings: [standing(adam, 1, 3), standing(bea, 2, 2)] });
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['#', 'Player', 'Won']);
    expect(cells('Adam')).toEqual(['1', '3']);
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  it('open how the tie-breaks of a player came, round by round', async () => {
    const { user } = show();
    const open = screen.getByRole('button', { name: '1: how the tie-breaks of Bea add up' });
    expect(open).toHaveAttribute('aria-expanded', 'false');
    await user.click(open);
    expect(open).toHaveAttribute('aria-expanded', 'true');
    const table = within(await screen.findByRole('table', { name: 'What each round added to the tie-breaks of Bea' }));
    const rows = table.getAllByRole('row').slice(1);
    expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      ['1', 'Nobody', '2.5 (left out)', '2.5', '', '', ''],
      ['2', 'Adam', '2', '2', '', '', ''],
    ]);
    expect(screen.getByText('What is struck through is left out.')).toBeInTheDocument();
    expect(calls.at(-1)?.payload).toEqual({ eventId: 'e1', userId: bea.userId });
    await user.click(open);
    expect(screen.queryByRole('table', { name: /^What each round/ })).not.toBeInTheDocument();
  });

  it('say that no round has added anything, or that it could not be loaded', async () => {
    terms = [];
    const { user } = show();
    await user.click(screen.getByRole('button', { name: '1: how the tie-breaks of Bea add up' }));
    expect(await screen.findByText('No round counts towards them yet.')).toBeInTheDocument();
    server.use(...actions('event', { get_standings: () => failure(500) }).handlers);
    await user.click(screen.getByRole('button', { name: '2: how the tie-breaks of Adam add up' }));
    expect(await screen.findByText('The tie-breaks could not be loaded.')).toBeInTheDocument();
  });

  it('of many players are the first, until all are asked for', async () => {
    const many = Array.from({ length: FIRST + 1 }, (_, at) => standing(entrant(`P${at}`, at + 1), at + 1, 0));
    const { user } = show({ standings: many });
    expect(screen.getAllByRole('rowheader')).toHaveLength(FIRST);
    await user.click(screen.getByRole('button', { name: 'Show all 101 players' }));
    expect(screen.getAllByRole('rowheader')).toHaveLength(FIRST + 1);
  });
});

import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { renderPart } from '@/testing/renderPart';
import { BEGUN, bye, entrant, pairing, played, stageRound } from '@/testing/stageRounds';
import { CrossTable } from './CrossTable';

const [adam, bea, cleo] = [entrant('Adam', 1), entrant('Bea', 2), entrant('Cleo', 3)];

const rounds = [
  stageRound(1, [played(1, [adam, bea], [bea, adam, bea]), bye(2, cleo)], BEGUN),
  stageRound(2, [pairing(1, [cleo, bea], [], { winnerUserId: bea.userId, reason: 'absent' }), bye(2, adam)], BEGUN),
  stageRound(3, [pairing(1, [adam, cleo], [null]), bye(2, bea)], BEGUN),
  // Everybody meets twice.
  stageRound(4, [pairing(1, [bea, adam])]),
];

const rowOf = (name: string) => {
  const row = screen.getByRole('rowheader', { name: new RegExp(name) }).closest('tr')!;
  return within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
};

describe('the cross table', () => {
  it('has everybody against everybody, in the order of the table', async () => {
    renderPart(<CrossTable rounds={rounds} order={[bea.userId, adam.userId, cleo.userId]} userId={null} />);
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Player',
      '1Bea',
      '2Adam',
      '3Cleo',
      'Won',
    ]);
    expect(rowOf('Bea')).toEqual(['', '1Won ·Not played yet ', '+Won without a game ', '2']);
    expect(rowOf('Adam')).toEqual(['0Lost ·Not played yet ', '', '•Being played ', '0']);
    expect(rowOf('Cleo')).toEqual(['−Lost without a game ', '•Being played ', '', '0']);
    await expectAccessible();
  });

  it('scrolls within itself, by keyboard too', () => {
    renderPart(<CrossTable rounds={rounds} order={[]} userId={null} />);
    expect(screen.getByRole('region', { name: 'Cross table' })).toHaveAttribute('tabindex', '0');
  });

  it('is in the order of the seeds before the standings are known, and marks the viewer', () => {
    renderPart(<CrossTable rounds={rounds} order={[]} userId={cleo.userId} />);
    const rows = screen.getAllByRole('rowheader');
    expect(rows.map(({ textContent }) => textContent)).toEqual(['1Adam', '2Bea', '3Cleo']);
    expect(rows.map((row) => row.closest('tr')?.dataset.own)).toEqual(['false', 'false', 'true']);
  });

  it('explains its signs', () => {
    renderPart(<CrossTable rounds={rounds} order={[]} userId={null} />);
    expect(screen.getByText(/^1: won, 0: lost;/)).toBeInTheDocument();
  });
});

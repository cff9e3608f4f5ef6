import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { clockText, GameClock } from './GameClock';

describe('the clock of a player', () => {
  it('shows minutes and seconds, and tenths in the last ten seconds', () => {
    expect([60_000, 52_001, 10_000, 9_999, 940, 0].map(clockText)).toEqual([
      '1:00',
      '0:53',
      '0:10',
      '9.9',
      '0.9',
      '0.0',
    ]);
  });

  it('stands at what is left, or runs to its deadline', () => {
    const { rerender } = render(<GameClock leftMs={52_000} runsUntil={null} />);
    expect(screen.getByRole('timer', { name: '52 seconds left in the game' })).toHaveTextContent('0:52');
    rerender(<GameClock leftMs={52_000} runsUntil={Date.now() + 4_000} />);
    expect(screen.getByRole('timer')).toHaveAttribute('data-urgency', 'critical');
  });
});

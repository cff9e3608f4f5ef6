import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { changeText, RatingText } from './RatingText';

describe('a rating', () => {
  it('is a number, with a question mark while it is provisional', () => {
    const { container, rerender } = render(<RatingText rating={{ value: 1_512, provisional: false }} />);
    expect(container).toHaveTextContent(/^Rating 1512$/);
    rerender(<RatingText rating={{ value: 1_512, provisional: true }} />);
    expect(container).toHaveTextContent(/^Rating 1512\?, provisional$/);
  });

  it('shows what the last game changed', () => {
    render(<RatingText rating={{ value: 1_512, provisional: false }} change={-8} />);
    expect(screen.getByText('−8')).toHaveAttribute('data-kind', 'loss');
    expect([12, 0, -8].map(changeText)).toEqual(['+12', '±0', '−8']);
  });
});

import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { failure, server } from '@/testing/server';
// Imported here, so that loading does not count towards the time-out of the first test.
import './EngineUsePage';

const open = (query = '') => renderWithMockServer(`/app/admin/engine-use${query}`, { asAdmin: true });

async function rows() {
  return within(await screen.findByRole('list', { name: 'Scores' })).findAllByRole('listitem');
}

describe('the scores of engine use', () => {
  it('are listed with the most unusual first, and those with too few positions last', async () => {
    open();
    const [first, second, last] = await rows();
    expect(first).toHaveTextContent('bobOf players with this rating, one in 14,000 finds as many.');
    expect(first).toHaveTextContent('61 of 63 found, 41 usual; 41 gamesUnusual 3.8');
    expect(second).toHaveTextContent('Usual 0.4');
    expect(last).toHaveTextContent('7 critical positions so far');
    expect(last).toHaveTextContent(/Too few positions$/);
    await expectAccessible();
  });

  it('open their evidence: figures, a caution, and the positions with a way to their games', async () => {
    const { user, router } = open();
    await user.click(await screen.findByRole('button', { name: 'bob' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText(/is a hint and no proof/)).toBeInTheDocument();
    expect(dialog.getByText('3.8 standard deviations')).toBeInTheDocument();
    expect(dialog.getByText(/^0.04; people have/)).toBeInTheDocument();
    const positions = within(dialog.getByRole('list', { name: 'Hard positions that were found' }));
    expect(positions.getAllByRole('img').map((each) => each.getAttribute('aria-label'))).toEqual([
      'O played row 5, column 5. So do row 1, column 1.',
      'X played row 2, column 4. No other move keeps the value.',
    ]);
    expect(positions.getAllByRole('link')[0]).toHaveAttribute(
      'href',
      '/app/game/00000000-0000-4000-8000-0000000000e1/replay?move=6',
    );
    await expectAccessible(screen.getByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });

  it('are none before a rated game was compared', async () => {
    const { mock } = open();
    mock.engineEvidence.clear();
    expect(await screen.findByText(/^No rated game was compared yet/)).toBeInTheDocument();
  });

  it('that cannot be loaded can be asked for again', async () => {
    const { user } = open();
    let isBusy = true;
    server.use(http.get('*/api/backend/admin', () => (isBusy ? failure(503, { errorMessage: 'Busy.' }) : undefined)));
    expect(await screen.findByText('Busy.')).toBeInTheDocument();
    isBusy = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await rows()).toHaveLength(3);
  });
});

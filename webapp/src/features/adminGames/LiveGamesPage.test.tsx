import { notifications } from '@mantine/notifications';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
// Imported here, so that loading does not count towards the time-out of the first test.
import './LiveGamesPage';

beforeEach(() => notifications.clean());

describe('live games', () => {
  it('are decided for a player, or for nobody, with a reason', async () => {
    const { user, mock } = renderWithMockServer('/app/admin/games', { asAdmin: true });
    mock.events.playOthers();
    const list = within(await screen.findByRole('list', { name: 'Live games' }));
    const [game] = mock.liveGames();
    const [first] = game?.state().players ?? [];
    await user.click(list.getAllByRole('button', { name: /^Adjudicate / })[0] as HTMLElement);
    const form = within(await screen.findByRole('dialog', { name: 'Adjudicate Game' }));
    await user.click(form.getByRole('button', { name: 'Decide Game' }));
    expect(await form.findByText('Please enter a reason.')).toBeInTheDocument();
    await user.click(form.getByRole('radio', { name: first?.displayName ?? first?.username ?? '' }));
    await user.type(form.getByRole('textbox', { name: /^Reason/ }), 'They agreed.');
    await expectAccessible(screen.getByRole('dialog', { name: 'Adjudicate Game' }));
    await user.click(form.getByRole('button', { name: 'Decide Game' }));
    expect(await screen.findByText('The game is decided.')).toBeInTheDocument();
    expect(game?.isOver).toBe(true);
    expect(game?.state().winnerUserId).toBe(first?.userId);
  });

  it('say that there are none', async () => {
    renderWithMockServer('/app/admin/games', { asAdmin: true });
    expect(await screen.findByRole('heading', { name: 'Live Games' })).toBeInTheDocument();
    await expectAccessible();
  });
});

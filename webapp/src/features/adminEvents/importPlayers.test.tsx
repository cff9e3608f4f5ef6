import { notifications } from '@mantine/notifications';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
// Imported here, so that loading does not count towards the time-out of the first test.
import './AdminEventPage';

beforeEach(() => notifications.clean());

const fileOf = (text: string) => new File([text], 'players.csv', { type: 'text/csv' });

it('shows who is on a list, and signs all of them up or nobody', async () => {
  const { user, mock } = renderWithMockServer('/app/admin/events', { asAdmin: true });
  await user.click(await screen.findByText('Winter Gambit'));
  await user.click(await screen.findByRole('tab', { name: /Participants/ }));
  const field = await screen.findByLabelText(/Add players from a list/);
  await user.upload(field, fileOf('username\nbob\nnobody-of-that-name\n'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add players from a list' }));
  expect(await dialog.findByText(/One line cannot be signed up, so nobody will be/)).toBeInTheDocument();
  const [, first] = dialog.getAllByRole('row');
  expect(first).toHaveTextContent('3nobody-of-that-nameNobody has this username');
  expect(dialog.getByRole('button', { name: /^Sign up/ })).toBeDisabled();
  await expectAccessible(screen.getByRole('dialog', { name: 'Add players from a list' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));

  await user.upload(field, fileOf('Club;Username\r\nA;@bob\r\n'));
  const again = within(await screen.findByRole('dialog', { name: 'Add players from a list' }));
  expect(await again.findByText('Everybody on the list was found.')).toBeInTheDocument();
  await user.click(again.getByRole('button', { name: 'Sign up 1 player' }));
  expect(await screen.findByText('1 player signed up.')).toBeInTheDocument();
  expect(await screen.findByText('1 participant')).toBeInTheDocument();
  const { userId } = mock.find(({ username }) => username === 'bob');
  expect(
    mock.events
      .all()
      .find((event) => event.view().title === 'Winter Gambit')
      ?.participants.has(userId),
  ).toBe(true);
});

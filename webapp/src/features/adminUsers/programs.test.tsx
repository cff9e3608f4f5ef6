import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { PersonalToken } from '@/api/programs';
import { expectAccessible } from '@/testing/axe';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
// Imported here, so that loading does not count towards the time-out of the first test.
import './UsersPage';

beforeEach(() => notifications.clean());

const token = (name: string, lastUsedAt?: string): PersonalToken => ({
  tokenId: `id-of-${name}`,
  name,
  scopes: ['read', 'play'],
  createdAt: '2026-11-01T10:00:00Z',
  expiresAt: '2027-01-30T10:00:00Z',
  ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
});

it("shows a member's tokens on a press, and deletes one or all", async () => {
  const { user, mock } = renderWithMockServer('/app/admin/users', { asAdmin: true });
  const { userId } = mock.find(({ username }) => username === 'bob');
  mock.personalTokens.set(userId, [token('Bot', '2026-11-20T10:00:00Z'), token('Club'), token('School')]);
  await user.click(await screen.findByRole('button', { name: 'bob' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.queryByText('Bot')).not.toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Show Personal Tokens' }));
  const list = await dialog.findByRole('list', { name: 'Personal tokens' });
  const [bot, club] = within(list).getAllByRole('listitem');
  expect(bot).toHaveTextContent(/Bot.*read, play; last used .*2026.*; until .*2027/);
  expect(club).toHaveTextContent(/Club.*never used/);
  await expectAccessible(screen.getByRole('dialog'));

  await user.click(dialog.getByRole('button', { name: 'Delete Club' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Delete Club' }));
  await user.click(asked.getByRole('button', { name: 'Cancel' }));
  expect(mock.personalTokens.get(userId)).toHaveLength(3);
  await user.click(dialog.getByRole('button', { name: 'Delete Club' }));
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Delete Club' })).getByRole('button', { name: 'Delete' }),
  );
  expect(await screen.findByText('Token deleted.')).toBeInTheDocument();
  await waitFor(() => expect(dialog.queryByText('Club')).not.toBeInTheDocument());
  expect(mock.personalTokens.get(userId)?.map(({ name }) => name)).toEqual(['Bot', 'School']);

  await user.click(dialog.getByRole('button', { name: 'Delete All Tokens' }));
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Delete all tokens' })).getByRole('button', { name: 'Delete' }),
  );
  expect(await dialog.findByText('This member has no personal tokens.')).toBeInTheDocument();
  expect(mock.personalTokens.get(userId)).toEqual([]);
});

import { notifications } from '@mantine/notifications';
import { screen, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { failure, server } from '@/testing/server';
// Imported here, so that loading does not count towards the time-out of the first test.
import './TokensPage';

beforeEach(() => notifications.clean());

async function openPage() {
  const app = renderWithMockServer('/app/admin/tokens', { asAdmin: true });
  const token = { scope: 'all' as const, createdAt: '2026-01-01T00:00:00Z' };
  app.mock.accountState.tokens.push(
    { ...token, tokenId: 'l', name: 'local' },
    { ...token, tokenId: 't', name: 'old robot', lastUsedAt: '2026-01-02T00:00:00Z' },
  );
  await screen.findByRole('heading', { name: 'Operator Tokens' });
  return app;
}

describe('operator tokens', () => {
  it('are listed with what they may do and how long; the local one stays', async () => {
    await openPage();
    const rows = within(await screen.findByRole('list', { name: 'Tokens' })).getAllByRole('listitem');
    expect(rows[0]).toHaveTextContent('Made anew at each start');
    expect(rows[1]).toHaveTextContent('Everything, also admins and tokens');
    expect(rows[1]).toHaveTextContent('Never expires');
    expect(screen.getAllByRole('button', { name: /^Delete the token/ })).toHaveLength(1);
    await expectAccessible();
  });

  it('are made, and shown once', async () => {
    const { user, mock } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Make a Token' }));
    const form = within(await screen.findByRole('dialog', { name: 'Make a Token' }));
    await user.click(form.getByRole('button', { name: 'Make Token' }));
    expect(await form.findByText('Please give it a name.')).toBeInTheDocument();
    await user.type(form.getByLabelText(/^Name/), 'LOCAL');
    await user.click(form.getByRole('button', { name: 'Make Token' }));
    expect(await form.findByText(/Another token has this name/)).toBeInTheDocument();
    await user.clear(form.getByLabelText(/^Name/));
    await user.type(form.getByLabelText(/^Name/), 'scoreboard');
    await user.selectOptions(form.getByLabelText('What it may do'), 'events');
    await user.click(form.getByRole('button', { name: 'Make Token' }));
    const shown = await form.findByRole('textbox', { name: 'Token scoreboard' });
    expect((shown as HTMLInputElement).value).toMatch(/^mock-/);
    expect(mock.accountState.tokens.at(-1)).toMatchObject({ name: 'scoreboard', scope: 'events' });
    await user.click(form.getByRole('button', { name: 'Done' }));
    expect(await screen.findByText('scoreboard')).toBeInTheDocument();
  });

  it('are deleted after a question', async () => {
    const { user, mock } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Delete the token old robot' }));
    const question = within(await screen.findByRole('dialog', { name: 'Delete Token' }));
    await user.click(question.getByRole('button', { name: 'Delete Token' }));
    expect(await screen.findByText('The token old robot no longer works.')).toBeInTheDocument();
    expect(mock.accountState.tokens.map(({ name }) => name)).toEqual(['local']);
  });

  it('say why they cannot be shown, with another try', async () => {
    renderWithMockServer('/app/admin/tokens', { asAdmin: true });
    server.use(http.get('*/api/backend/admin', () => failure(503, { errorMessage: 'Busy.' })));
    expect(await screen.findByText('Busy.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  });
});

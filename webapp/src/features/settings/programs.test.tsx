import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { failure, server } from '@/testing/server';

beforeEach(() => notifications.clean());

async function card() {
  return within(await screen.findByRole('region', { name: 'Programs' }));
}

function withTokens({ mock }: ReturnType<typeof renderWithMockServer>, ...names: string[]): void {
  const { userId } = mock.user;
  const token = { scopes: ['read' as const, 'play' as const], createdAt: '2026-01-02T10:00:00Z' };
  mock.personalTokens.set(
    userId,
    names.map((name) => ({ ...token, tokenId: name, name, expiresAt: '2036-04-02T10:00:00Z' })),
  );
}

describe('programs', () => {
  it('get a token, which is shown once with a copy', async () => {
    const { user, mock } = renderWithMockServer('/app/setting/security');
    const programs = await card();
    expect(programs.getByText('No program acts for you.')).toBeInTheDocument();
    await user.click(programs.getByRole('button', { name: 'Make a token' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Make a token' }));
    await expectAccessible();
    await user.click(dialog.getByRole('checkbox', { name: 'Read' }));
    await user.click(dialog.getByRole('button', { name: 'Make token' }));
    expect(await dialog.findByText('A token needs a name of 1 to 40 characters.')).toBeInTheDocument();
    expect(dialog.getByText('Please choose what the program may do.')).toBeInTheDocument();

    await user.type(dialog.getByLabelText(/^Name of the program/), ' My bot ');
    await user.click(dialog.getByRole('checkbox', { name: 'Play' }));
    await user.click(dialog.getByRole('checkbox', { name: 'Read' }));
    await user.selectOptions(dialog.getByLabelText('How long'), '30 days');
    await user.click(dialog.getByRole('button', { name: 'Make token' }));
    const shown = await dialog.findByRole<HTMLInputElement>('textbox', { name: 'Token My bot' });
    expect(shown.value).toMatch(/^morpion_pat_/);
    await expectAccessible();
    await user.click(dialog.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe(shown.value);
    const [made] = mock.personalTokens.get(mock.user.userId) ?? [];
    expect(made).toMatchObject({ name: 'My bot', scopes: ['read', 'play'] });
    const days = (Date.parse(made?.expiresAt ?? '') - Date.parse(made?.createdAt ?? '')) / 86_400_000;
    expect(Math.round(days)).toBe(30);

    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    const row = within(await programs.findByRole('list', { name: 'Programs' })).getByRole('listitem');
    expect(row).toHaveTextContent(/My botReads, PlaysMade .*, not used yetWorks until/);
    expect(screen.queryByDisplayValue(/morpion_pat_/)).not.toBeInTheDocument();
    // Opened again, the form is empty.
    await user.click(programs.getByRole('button', { name: 'Make a token' }));
    expect(await screen.findByLabelText(/^Name of the program/)).toHaveValue('');
  });

  it('lose it after a question', async () => {
    const app = renderWithMockServer('/app/setting/security');
    withTokens(app, 'bot', 'other');
    const { user, mock } = app;
    const programs = await card();
    await user.click(await programs.findByRole('button', { name: 'Delete bot' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete “bot”?' }));
    server.use(http.post('*/api/auth/tokens/delete', () => failure(503, { errorMessage: 'Busy.' }), { once: true }));
    await user.click(dialog.getByRole('button', { name: 'Delete token' }));
    expect(await dialog.findByText('Busy.')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Delete token' }));
    expect(await screen.findByText('The token bot no longer works.')).toBeInTheDocument();
    await waitFor(() => expect(programs.queryByText('bot')).not.toBeInTheDocument());
    expect(mock.personalTokens.get(mock.user.userId)?.map(({ name }) => name)).toEqual(['other']);
  });

  it('are at most 20', async () => {
    const app = renderWithMockServer('/app/setting/security');
    withTokens(app, ...Array.from({ length: 20 }, (_, number) => `bot ${number}`));
    const programs = await card();
    expect(await programs.findByText(/^You have 20 tokens/)).toBeInTheDocument();
    expect(programs.getByRole('button', { name: 'Make a token' })).toBeDisabled();
  });

  it('need a proof that is fresh', async () => {
    const { user, mock } = renderWithMockServer('/app/setting/security');
    mock.factors.provedAt = 0;
    await user.click((await card()).getByRole('button', { name: 'Make a token' }));
    await user.type(await screen.findByLabelText(/^Name of the program/), 'bot');
    await user.click(screen.getByRole('button', { name: 'Make token' }));
    expect(await screen.findByRole('dialog', { name: /Confirm/ })).toBeInTheDocument();
    expect(mock.personalTokens.get(mock.user.userId)).toBeUndefined();
  });

  it('say why they cannot be shown', async () => {
    renderWithMockServer('/app/setting/security');
    server.use(http.get('*/api/auth/tokens', () => failure(503, { errorMessage: 'Busy.' })));
    expect(await (await card()).findByText('Busy.')).toBeInTheDocument();
  });
});

describe('a bot', () => {
  it('is what the account becomes after its name is typed, for good', async () => {
    const { user, mock } = renderWithMockServer('/app/setting/security');
    const programs = await card();
    await user.click(programs.getByRole('button', { name: 'Make this account a bot' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Make this account a bot' }));
    expect(dialog.getByText('This cannot be undone, by anybody.')).toBeInTheDocument();
    await expectAccessible();
    const make = dialog.getByRole('button', { name: 'Make it a bot' });
    await user.type(dialog.getByLabelText('Type ada to confirm'), 'bob');
    expect(make).toBeDisabled();
    await user.clear(dialog.getByLabelText('Type ada to confirm'));
    await user.type(dialog.getByLabelText('Type ada to confirm'), ' Ada ');

    // Its email is not verified.
    mock.update({ emailVerified: false });
    await user.click(make);
    expect(await dialog.findByText('Please verify your email before you make your account a bot.')).toBeInTheDocument();
    expect(mock.user.isBot).toBeUndefined();

    // Nor is it in an event.
    mock.update({ emailVerified: true });
    vi.spyOn(mock.events, 'seen').mockReturnValue([]);
    await user.click(make);
    expect(await screen.findByText('This account is now a bot.')).toBeInTheDocument();
    expect(mock.user.isBot).toBe(true);
    expect(await programs.findByText(/This account is a bot, for good/)).toBeInTheDocument();
    expect(programs.queryByRole('button', { name: 'Make this account a bot' })).not.toBeInTheDocument();
    expect(programs.getByRole('link', { name: 'the list of bots' })).toHaveAttribute('href', '/app/ratings?list=bots');
  });

  it('needs a proof that is fresh', async () => {
    const { user, mock } = renderWithMockServer('/app/setting/security');
    mock.factors.provedAt = 0;
    await user.click((await card()).getByRole('button', { name: 'Make this account a bot' }));
    await user.type(await screen.findByLabelText('Type ada to confirm'), 'ada');
    await user.click(screen.getByRole('button', { name: 'Make it a bot' }));
    expect(await screen.findByRole('dialog', { name: /Confirm/ })).toBeInTheDocument();
    expect(mock.user.isBot).toBeUndefined();
  });
});

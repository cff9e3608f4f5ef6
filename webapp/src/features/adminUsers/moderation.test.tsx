import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { DEMO_ADMIN } from '@/testing/mocks/mockServer';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { failure, server } from '@/testing/server';
// Imported here, so that loading does not count towards the time-out of the first test.
import './UsersPage';

const DAY_MS = 24 * 60 * 60 * 1_000;

beforeEach(() => notifications.clean());

const openPage = (filter = '') => renderWithMockServer(`/app/admin/users${filter}`, { asAdmin: true });

/** Opens the page, and the menu of one person. */
async function openMenu(name: string, filter = '') {
  const app = openPage(filter);
  const button = await screen.findByRole('button', { name: `Actions for ${name}` });
  await app.user.click(button);
  await screen.findByRole('menuitem', { name: 'Rename…' });
  const userOf = () => app.mock.find(({ username }) => username === name);
  return { ...app, button, userOf };
}

async function openDialog(name: string, item: string, title: string) {
  const app = await openMenu(name);
  await app.user.click(screen.getByRole('menuitem', { name: item }));
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  await waitFor(() => expect(dialog.getByRole('textbox', { name: /^Reason/ })).toHaveFocus());
  return { ...app, dialog };
}

const items = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);

describe('the menu of a person', () => {
  it('has what an admin can do', async () => {
    const { user, button } = await openMenu('bob');
    expect(items()).toEqual(['Suspend…', 'Rename…', 'Delete…']);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(button).toHaveFocus());
  });

  it('lifts a suspension, and removes a picture, only where there is one', async () => {
    const { user, mock, userOf } = await openMenu('mallory');
    expect(items()).toEqual(['Change suspension…', 'Lift suspension', 'Rename…', 'Delete…']);
    await user.click(screen.getByRole('menuitem', { name: 'Lift suspension' }));
    expect(await screen.findByText('mallory may sign in again.')).toBeInTheDocument();
    expect(userOf().suspension).toBeUndefined();
    expect(mock.auditLog.at(-1)?.action).toBe('lift_suspension');
  });

  it('does not offer to suspend or delete oneself', async () => {
    await openMenu('grace');
    expect(items()).toEqual(['Rename…']);
    expect(screen.getByText('You cannot suspend or delete yourself.')).toBeInTheDocument();
  });

  it('is used by keyboard, and gets the focus back', async () => {
    const { user, button } = await openMenu('bob');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(button).toHaveFocus());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Suspend…' })).toHaveFocus());
    await user.keyboard('{Enter}');
    await screen.findByRole('dialog', { name: 'Suspend bob' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(button).toHaveFocus();
  });
});

describe('a suspension', () => {
  it('needs a reason, and says what it does', async () => {
    const { user, dialog, userOf } = await openDialog('bob', 'Suspend…', 'Suspend bob');
    expect(dialog.getByText(/^bob is signed out everywhere and cannot sign in until/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Suspend' }));
    expect(await dialog.findByText('Please enter a reason.')).toBeInTheDocument();
    expect(userOf().suspension).toBeUndefined();
    await expectAccessible(screen.getByRole('dialog'));
  });

  it.each([
    ['1 day', 1],
    ['1 week', 7],
    ['30 days', 30],
  ])('lasts %s', async (length, days) => {
    const { user, dialog, userOf } = await openDialog('bob', 'Suspend…', 'Suspend bob');
    await user.selectOptions(dialog.getByRole('combobox', { name: 'How long' }), length);
    await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), ' Insults. {Enter}');
    expect(await screen.findByText(/^Suspended until /)).toBeInTheDocument();
    expect(screen.getByText('Reason: Insults.')).toBeInTheDocument();
    const { reason, until = '' } = userOf().suspension ?? {};
    expect(reason).toBe('Insults.');
    const rest = Date.parse(until) - Date.now();
    expect(rest).toBeLessThanOrEqual(days * DAY_MS);
    expect(rest).toBeGreaterThan(days * DAY_MS - 60_000);
  });

  it('lasts until a date', async () => {
    const { user, dialog, userOf } = await openDialog('bob', 'Suspend…', 'Suspend bob');
    await user.selectOptions(dialog.getByRole('combobox', { name: 'How long' }), 'Until a date');
    await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Insults.{Enter}');
    expect(await dialog.findByText('Please choose a date.')).toBeInTheDocument();
    await user.type(dialog.getByLabelText(/^Last day/), '2099-01-31');
    await user.click(dialog.getByRole('button', { name: 'Suspend' }));
    await waitFor(() => expect(userOf().suspension?.until).toBe(new Date('2099-01-31T23:59:59').toISOString()));
  });

  it('lasts for ever', async () => {
    const { user, dialog, userOf } = await openDialog('bob', 'Suspend…', 'Suspend bob');
    await user.selectOptions(dialog.getByRole('combobox', { name: 'How long' }), 'Indefinitely');
    await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Insults.{Enter}');
    expect(await screen.findByText('bob: Suspended indefinitely.')).toBeInTheDocument();
    expect(userOf().suspension).toEqual(expect.not.objectContaining({ until: expect.anything() as string }));
  });

  it('that the server refuses keeps the form', async () => {
    const { user, dialog } = await openDialog('bob', 'Suspend…', 'Suspend bob');
    const refuse = () => failure(409, { errorCode: 'last-admin', errorMessage: 'This is the last admin.' });
    server.use(http.post('*/api/backend/admin', refuse));
    await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Insults.{Enter}');
    expect(await dialog.findByText('This is the last admin.')).toBeInTheDocument();
    expect(dialog.getByRole('textbox', { name: /^Reason/ })).toHaveValue('Insults.');
  });

  it('waits for a proof that it is the admin, and keeps the form if there is none', async () => {
    const { user, dialog, userOf } = await openDialog('bob', 'Suspend…', 'Suspend bob');
    let isProven = false;
    const refuse = () =>
      isProven ? undefined : failure(403, { errorCode: 'proof-required', errorMessage: 'Prove it.' });
    server.use(http.post('*/api/backend/admin', refuse));
    await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Insults.{Enter}');
    await screen.findByRole('dialog', { name: 'Confirm it’s you' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm it’s you' })).not.toBeInTheDocument());
    expect(screen.getByRole('dialog', { name: 'Suspend bob' })).toBeInTheDocument();
    expect(dialog.getByRole('textbox', { name: /^Reason/ })).toHaveValue('Insults.');

    await user.click(dialog.getByRole('button', { name: 'Suspend' }));
    const proof = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }));
    await user.type(await proof.findByLabelText(/^Your password/), DEMO_ADMIN.password);
    isProven = true;
    await user.click(proof.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText(/^Suspended until /)).toBeInTheDocument();
    expect(userOf().suspension?.reason).toBe('Insults.');
  });

  it('is shown under Suspended with its reason, and no longer once it is lifted', async () => {
    const { user } = await openMenu('mallory', '?filter=suspended');
    expect(screen.getByText('Suspended indefinitely')).toBeInTheDocument();
    expect(screen.getByText('Reason: Insults in a name.')).toBeInTheDocument();
    expect(screen.getByText('1 person')).toBeInTheDocument();
    await expectAccessible(screen.getByRole('main'));
    await expectAccessible(screen.getByRole('menu'));
    await user.click(screen.getByRole('menuitem', { name: 'Lift suspension' }));
    expect(await screen.findByText('Nobody is suspended.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'mallory' })).not.toBeInTheDocument();
  });

  it('that is over is still listed', async () => {
    const { mock } = openPage('?filter=suspended');
    const past = { until: '2020-01-01T00:00:00Z', at: '2019-12-31T00:00:00Z', reason: 'Insults.' };
    mock.change(mock.find(({ username }) => username === 'bob').userId, { suspension: past });
    expect(await screen.findByText('Suspension over')).toBeInTheDocument();
  });
});

describe('a person', () => {
  it('gets neutral names', async () => {
    const { user, dialog, mock, userOf } = await openDialog('bob', 'Rename…', 'Rename bob');
    const { userId } = userOf();
    await expectAccessible(screen.getByRole('dialog'));
    await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'An insult.{Enter}');
    expect(await screen.findByText(/^bob is now /)).toBeInTheDocument();
    expect(mock.find((each) => each.userId === userId).username).not.toBe('bob');
  });

  it('gets names that an admin chooses', async () => {
    const { user, dialog, mock } = await openDialog('bob', 'Rename…', 'Rename bob');
    await user.click(dialog.getByRole('radio', { name: 'Names I choose' }));
    await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'An insult.{Enter}');
    expect(await dialog.findByText('Please change a name.')).toBeInTheDocument();
    const field = dialog.getByRole('textbox', { name: 'Username' });
    await user.clear(field);
    await user.type(field, 'ada{Enter}');
    expect((await dialog.findAllByText(/^This username is taken/)).length).toBeGreaterThan(0);
    await user.clear(field);
    await user.type(field, 'robert{Enter}');
    expect(await screen.findByText('bob is now bob (robert).')).toBeInTheDocument();
    expect(mock.find(({ username }) => username === 'robert').displayName).toBe('bob');
  });

  it('loses the picture', async () => {
    const app = openPage();
    const { userId } = app.mock.find(({ username }) => username === 'bob');
    const picture = `/api/backend/profile/image/${userId}/256?v=1`;
    app.mock.change(userId, { profile: picture });
    await app.user.click(await screen.findByRole('button', { name: 'Actions for bob' }));
    await app.user.click(await screen.findByRole('menuitem', { name: 'Remove picture…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove the picture of bob' }));
    await app.user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'An insult.{Enter}');
    expect(await screen.findByText('The picture of bob is removed.')).toBeInTheDocument();
    expect(app.mock.find((each) => each.userId === userId).profile).toBe('');
  });

  it('is deleted once the username is typed', async () => {
    const { user, dialog, mock } = await openDialog('bob', 'Delete…', 'Delete the account of bob');
    expect(dialog.getByText(/^This cannot be undone\./)).toBeInTheDocument();
    await expectAccessible(screen.getByRole('dialog'));
    await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Insults.{Enter}');
    await waitFor(() =>
      expect(dialog.getByRole('textbox', { name: 'Type bob to confirm' })).toHaveAttribute('aria-invalid', 'true'),
    );
    expect(mock.everybody('bob@')).toHaveLength(1);
    await user.type(dialog.getByRole('textbox', { name: 'Type bob to confirm' }), 'bob{Enter}');
    expect(await screen.findByText('The account of bob is deleted.')).toBeInTheDocument();
    expect(mock.everybody('bob@')).toHaveLength(0);
  });
});

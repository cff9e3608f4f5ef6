import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { failure, server } from '@/testing/server';
// Imported here, so that loading does not count towards the time-out of the first test.
import './ReportsPage';

const PICTURE = 'data:image/png;base64,iVBORw0KGgo=';
const GAME = '00000000-0000-4000-8000-00000000000e';

beforeEach(() => notifications.clean());

function open(query = '') {
  const app = renderWithMockServer(`/app/admin/reports${query}`, { asAdmin: true });
  const { reports } = app.mock.moderation;
  const [newest] = reports.toReversed();
  if (newest === undefined) throw new Error('no report');
  return { ...app, reports, newest };
}

async function entries(name = 'Open reports') {
  return within(await screen.findByRole('list', { name })).findAllByRole('listitem');
}

/** The entry of a kind of report. */
async function entry(kind: string) {
  const found = (await entries()).find((each) => within(each).queryByRole('heading', { name: kind }));
  if (found === undefined) throw new Error(`no report about ${kind}`);
  return within(found);
}

const badge = () => screen.getByRole('link', { name: /^Reports/ });

describe('the reports', () => {
  it('say who reports whom, for what, and how many others do', async () => {
    open();
    expect((await entries()).map((each) => within(each).getByRole('heading').textContent)).toEqual([
      'Help of an engine',
      'Picture',
      'Name',
    ]);
    const engine = await entry('Help of an engine');
    expect(engine.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['margaret', 'bob']);
    expect(engine.getByText(/^Every move takes exactly two seconds/)).toBeInTheDocument();
    expect(engine.queryByText(/other open report/)).not.toBeInTheDocument();
    expect((await entry('Name')).getByText('1 other open report about the same person')).toBeInTheDocument();
    await waitFor(() => expect(badge()).toHaveTextContent('Reports3 open'));
    await expectAccessible();
  });

  it('about the help of a program show how the moves compare with the solver', async () => {
    const { user } = open();
    const engine = await entry('Help of an engine');
    expect(await engine.findByText(/^Of players with this rating, one in 14,000 finds as many/)).toBeInTheDocument();
    await user.click(engine.getByRole('button', { name: 'Show the Hard Positions' }));
    expect(engine.getAllByRole('img', { name: /^[XO] played row/ })).toHaveLength(2);
    expect((await entry('Name')).queryByText(/^Of players with this rating/)).not.toBeInTheDocument();
    await expectAccessible();
  });

  it('show names and picture as they were, and the game', async () => {
    const { reports } = open();
    const report = reports.find(({ kind }) => kind === 'name');
    Object.assign(report ?? {}, {
      gameId: GAME,
      evidence: { username: 'rude_name', displayName: 'Rude Name', picture: PICTURE },
    });
    const name = await entry('Name');
    expect(name.getByText('rude_name')).toBeInTheDocument();
    expect(name.getByText('Rude Name')).toBeInTheDocument();
    expect(name.getByRole('img', { name: 'What rude_name had' })).toHaveAttribute('src', PICTURE);
    expect(name.getByRole('link', { name: 'Look at the game' })).toHaveAttribute('href', `/app/game/${GAME}/replay`);
  });

  it('about a suspended or a deleted account say so', async () => {
    const { mock } = open();
    const idOf = (name: string) => mock.find(({ username }) => username === name).userId;
    mock.suspend(idOf('linus'), { reason: 'Insults.', at: new Date().toISOString() });
    mock.removeUser(idOf('bob'));
    expect((await entry('Name')).getByText('Suspended indefinitely')).toBeInTheDocument();
    const engine = await entry('Help of an engine');
    expect(engine.getByText('a deleted account')).toBeInTheDocument();
    expect(engine.queryByRole('button', { name: /^Actions/ })).not.toBeInTheDocument();
    expect(engine.getByRole('button', { name: /^Dismiss the report about bob/ })).toBeInTheDocument();
  });

  it('that are closed have their outcome and note', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('tab', { name: 'Closed' }));
    const [closed] = await entries('Closed reports');
    expect(closed).toHaveTextContent(/Upheld by grace, .*: Suspended\./);
    expect(screen.queryByRole('button', { name: /^(Dismiss|Uphold) the report/ })).not.toBeInTheDocument();
    await expectAccessible();
  });

  it('may be none', async () => {
    const { reports } = open();
    reports.length = 0;
    expect(await screen.findByText('No open reports.')).toBeInTheDocument();
    expect(badge()).toHaveTextContent(/^Reports$/);
  });

  it('are split into pages', async () => {
    const { reports, newest, user, router } = open('?page=2');
    for (let more = 0; more < 27; more += 1) reports.push({ ...newest, reportId: crypto.randomUUID() });
    expect(await entries()).toHaveLength(5);
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
    await waitFor(async () => expect(await entries()).toHaveLength(25));
  });

  it('that cannot be loaded can be asked for again', async () => {
    const { user } = open();
    let isBusy = true;
    server.use(http.get('*/api/backend/admin', () => (isBusy ? failure(503, { errorMessage: 'Busy.' }) : undefined)));
    expect(await screen.findByText('Busy.')).toBeInTheDocument();
    isBusy = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await entries()).toHaveLength(3);
  });
});

describe('a report', () => {
  it.each([
    ['Dismiss', 'dismissed', 'No action is needed.'],
    ['Uphold', 'upheld', 'It was justified, and action was taken.'],
  ])('is closed with a note: %s', async (verb, outcome, meaning) => {
    const { user, reports } = open();
    await user.click((await entry('Name')).getByRole('button', { name: `${verb} the report about linus…` }));
    const dialog = within(await screen.findByRole('dialog', { name: `${verb} the report about linus` }));
    await waitFor(() => expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveFocus());
    expect(dialog.getByText(meaning, { exact: false })).toBeInTheDocument();
    await expectAccessible(screen.getByRole('dialog'));
    await user.type(dialog.getByRole('textbox', { name: 'Note' }), 'Looked at it.{Enter}');
    expect(await screen.findByText(`The report is ${outcome}.`)).toBeInTheDocument();
    await waitFor(async () => expect(await entries()).toHaveLength(2));
    await waitFor(() => expect(badge()).toHaveTextContent('Reports2 open'));
    const closed = reports.find(({ note }) => note === 'Looked at it.');
    expect(closed).toMatchObject({ kind: 'name', outcome, closedBy: 'grace' });
  });

  it('that somebody else closed stays in the dialog, with what the server says', async () => {
    const { user, reports } = open();
    await user.click((await entry('Name')).getByRole('button', { name: /^Dismiss the report/ }));
    for (const report of reports) report.state = 'closed';
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Dismiss' }));
    expect(await dialog.findByText(/not found/)).toBeInTheDocument();
  });

  it('leads to what can be done about the person', async () => {
    const { user } = open();
    await user.click((await entry('Name')).getByRole('button', { name: 'Actions for linus' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Suspend…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Suspend linus' }));
    await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'A stolen name.{Enter}');
    // Both reports about the person show it.
    await waitFor(async () => {
      const found = await screen.findAllByText(/^Suspended until/);
      expect(found).toHaveLength(2);
    });
  });
});

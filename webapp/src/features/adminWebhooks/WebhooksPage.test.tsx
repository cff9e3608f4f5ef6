import { notifications } from '@mantine/notifications';
import { screen, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Webhook, WebhookDelivery } from '@/api/admin';
import { expectAccessible } from '@/testing/axe';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { failure, server } from '@/testing/server';
// Imported here, so that loading does not count towards the time-out of the first test.
import './WebhooksPage';

beforeEach(() => notifications.clean());

const CLUB: Webhook = {
  webhookId: '00000000-0000-4000-8000-000000000001',
  url: 'https://club.example.org/morpion?key=1',
  kinds: ['event.started', 'event.concluded'],
  createdAt: '2026-01-01T00:00:00Z',
  deliveredAt: '2026-01-02T00:00:00Z',
  waiting: 0,
};

const FAILED: WebhookDelivery = {
  messageId: '00000000-0000-4000-8000-000000000002',
  kind: 'event.concluded',
  happenedAt: '2026-01-02T00:00:00Z',
  state: 'failed',
  attempts: 12,
  lastAt: '2026-01-03T00:00:00Z',
  status: 500,
  answer: 'out of paper',
  failure: 'It answered 500.',
  payload: '{}',
};

async function openPage(webhook: Partial<Webhook> = {}) {
  const app = renderWithMockServer('/app/admin/webhooks', { asAdmin: true });
  app.mock.webhooks.all = [{ webhook: { ...CLUB, ...webhook }, deliveries: [{ ...FAILED }] }];
  await screen.findByRole('heading', { name: 'Webhooks' });
  return app;
}

describe('webhooks', () => {
  it('are listed with what they are told of, and how they are', async () => {
    await openPage({ failingSince: '2026-01-03T00:00:00Z', waiting: 3 });
    const row = within(await screen.findByRole('list', { name: 'Webhooks' })).getByRole('listitem');
    expect(row).toHaveTextContent('An event starts · The winners of an event are final');
    expect(row).toHaveTextContent('Failing since');
    expect(row).toHaveTextContent('3 waiting');
    await expectAccessible();
  });

  it('that asked to be sent nothing more cannot be tried', async () => {
    await openPage({ disabledReason: 'It answered 410: it wants no more messages.' });
    expect(await screen.findByText(/Disabled: It answered 410/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Send a test to club.example.org' })).toBeDisabled();
  });

  it('are made, and their secret is shown once', async () => {
    const { user, mock } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Make a Webhook' }));
    const form = within(await screen.findByRole('dialog', { name: 'Make a Webhook' }));
    await user.type(form.getByLabelText(/^Address/), 'http://club.example.org');
    await user.click(form.getByRole('button', { name: 'Make Webhook' }));
    expect(await form.findByText('The address has to begin with https://.')).toBeInTheDocument();
    await user.clear(form.getByLabelText(/^Address/));
    await user.type(form.getByLabelText(/^Address/), 'https://school.example.org/hook');
    await user.click(form.getByRole('checkbox', { name: /^A player is reported/ }));
    await user.click(form.getByRole('button', { name: 'Make Webhook' }));
    const shown = await form.findByRole('textbox', { name: 'Secret for school.example.org' });
    expect((shown as HTMLInputElement).value).toMatch(/^whsec_/);
    expect(mock.webhooks.all[0]?.webhook.kinds).toEqual([
      'event.published',
      'event.started',
      'event.concluded',
      'report.opened',
    ]);
    await user.click(form.getByRole('button', { name: 'Done' }));
    expect(await screen.findByText('https://school.example.org/hook')).toBeInTheDocument();
  });

  it('show what was not taken and why, and send it again', async () => {
    const { user, mock } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Deliveries to club.example.org' }));
    const list = await screen.findByRole('list', { name: 'Deliveries to club.example.org' });
    expect(list).toHaveTextContent('Failed, 12 attempts');
    expect(list).toHaveTextContent('It answered 500.out of paper');
    await expectAccessible();
    await user.click(within(list).getByRole('button', { name: /^Send again/ }));
    expect(await screen.findByText('It will be sent again.')).toBeInTheDocument();
    expect(mock.webhooks.all[0]?.deliveries[0]?.state).toBe('delivered');
  });

  it('are tried with a test, whose delivery is shown', async () => {
    const { user } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Send a test to club.example.org' }));
    expect(await screen.findByText('A test is on its way.')).toBeInTheDocument();
    expect(await screen.findByText('A test')).toBeInTheDocument();
  });

  it('are deleted after a question', async () => {
    const { user, mock } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Delete the webhook at club.example.org' }));
    const question = within(await screen.findByRole('dialog', { name: 'Delete Webhook' }));
    await user.click(question.getByRole('button', { name: 'Delete Webhook' }));
    expect(await screen.findByText('There are no webhooks yet.')).toBeInTheDocument();
    expect(mock.webhooks.all).toEqual([]);
  });

  it('say why they cannot be shown, with another try', async () => {
    renderWithMockServer('/app/admin/webhooks', { asAdmin: true });
    server.use(http.get('*/api/backend/admin', () => failure(503, { errorMessage: 'Busy.' })));
    expect(await screen.findByText('Busy.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  });
});

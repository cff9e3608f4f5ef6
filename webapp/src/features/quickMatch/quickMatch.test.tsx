import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { readWish } from '@/shared/quickMatch/wish';
import { STORAGE_KEYS } from '@/shared/storage';
import { FakeSocket } from '@/testing/FakeSocket';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { bob } from '@/testing/server';
import { elapsedText } from './elapsed';

/** What was sent with these frames over the current socket. */
const sent = (event: string) => FakeSocket.last.sent.filter((frame) => frame.event === event).map(({ data }) => data);

describe('quick match', () => {
  it('looks for an opponent with the chosen board, clock and kind', async () => {
    renderWithMockServer('/app/play');
    await userEvent.click(await screen.findByRole('radio', { name: '4×4' }));
    await userEvent.click(screen.getByRole('radio', { name: /1 min \+ 2 s/ }));
    await userEvent.click(screen.getByRole('radio', { name: /Casual/ }));
    act(() => FakeSocket.last.open());
    await userEvent.click(screen.getByRole('button', { name: 'Find an opponent' }));
    expect(await screen.findByRole('heading', { name: 'Looking for an opponent' })).toBeVisible();
    const wish = { boardSize: 4, clock: '1+2', rated: false };
    await waitFor(() => expect(sent('quickMatchJoin')).toEqual([wish]));
    act(() => FakeSocket.last.receive('quickMatchStatus', { waiting: 2, playing: 1, waitedMs: 35_000, window: 600 }));
    expect(screen.getByText('4×4 · 1 min + 2 s · casual')).toBeVisible();
    expect(screen.getByText('One other player is waiting, 1 plays.')).toBeVisible();
    expect(screen.getByRole('timer')).toHaveTextContent(/^0:3[45]$/);
    expect(screen.getByRole('link', { name: 'Play the AI' })).toHaveAttribute('href', '/app/practice/ai');
    expect(readWish()).toEqual(wish);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(sent('quickMatchLeave')).toEqual([{}]);
    act(() => FakeSocket.last.receive('quickMatchEnded', { message: 'You stopped looking for an opponent.' }));
    expect(screen.queryByText('You stopped looking for an opponent.')).not.toBeInTheDocument();
    expect(await screen.findByRole('radio', { name: '4×4' })).toBeChecked();
  });

  it('goes on while another page is visited, and after the connection was lost', async () => {
    const { router } = renderWithMockServer('/app/play');
    await userEvent.click(await screen.findByRole('button', { name: 'Find an opponent' }));
    act(() => FakeSocket.last.open());
    await act(() => router.navigate('/app/practice'));
    expect(await screen.findByRole('link', { name: /Looking for an opponent/ })).toHaveAttribute('href', '/app/play');
    act(() => FakeSocket.last.close());
    await waitFor(() => expect(FakeSocket.all).toHaveLength(2), { timeout: 3_000 });
    act(() => FakeSocket.last.open());
    await waitFor(() => expect(sent('quickMatchJoin')).toHaveLength(1));
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
    act(() => FakeSocket.last.receive('ack', { succeeded: true }, FakeSocket.last.sent.at(-1)?.id));
    await waitFor(() => expect(screen.queryByRole('link', { name: /Looking for an opponent/ })).toBeNull());
  });

  it('is stopped only when the server says so, over the next connection where this one died', async () => {
    renderWithMockServer('/app/play');
    await userEvent.click(await screen.findByRole('button', { name: 'Find an opponent' }));
    act(() => FakeSocket.last.open());
    await waitFor(() => expect(sent('quickMatchJoin')).toHaveLength(1));
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('button', { name: 'Stopping…' })).toBeDisabled();
    expect(screen.queryByRole('button', { name: 'Find an opponent' })).not.toBeInTheDocument();
    act(() => FakeSocket.last.close());
    await waitFor(() => expect(FakeSocket.all).toHaveLength(2), { timeout: 3_000 });
    act(() => FakeSocket.last.open());
    await waitFor(() => expect(sent('quickMatchLeave')).toEqual([{}]));
    expect(sent('quickMatchJoin')).toEqual([]);
    const left = FakeSocket.last.sent.find(({ event }) => event === 'quickMatchLeave');
    act(() => FakeSocket.last.receive('ack', { succeeded: true }, left?.id));
    expect(await screen.findByRole('button', { name: 'Find an opponent' })).toBeVisible();
  });

  it('that found somebody although it was being stopped opens the game', async () => {
    renderWithMockServer('/app/play');
    await userEvent.click(await screen.findByRole('button', { name: 'Find an opponent' }));
    act(() => FakeSocket.last.open());
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    const left = FakeSocket.last.sent.find(({ event }) => event === 'quickMatchLeave');
    const gameId = '10000000-0000-4000-8000-000000000001';
    const quickMatch = { boardSize: 3, clock: 'turn15', rated: false } as const;
    const found = { gameId, opponent: { ...bob, level: 1 }, quickMatch, redirectInMs: 60_000 };
    act(() => FakeSocket.last.receive('playerFound', found));
    act(() => FakeSocket.last.receive('ack', { succeeded: true }, left?.id));
    expect(screen.getByRole('heading', { name: 'You play bob' })).toBeVisible();
  });

  it('opens the game that was found', async () => {
    const { at } = renderWithMockServer('/app/play');
    await userEvent.click(await screen.findByRole('button', { name: 'Find an opponent' }));
    act(() => FakeSocket.last.open());
    const gameId = '10000000-0000-4000-8000-000000000001';
    const quickMatch = { boardSize: 3, clock: 'turn15', rated: false, casualBecause: 'One network.' } as const;
    act(() =>
      FakeSocket.last.receive('playerFound', { gameId, opponent: { ...bob, level: 1 }, quickMatch, redirectInMs: 50 }),
    );
    expect(screen.getByRole('heading', { name: 'You play bob' })).toBeVisible();
    expect(screen.getByText('One network.')).toBeVisible();
    await waitFor(() => expect(at()).toBe(`/app/game/${gameId}`));
  });

  it('says why a search was refused', async () => {
    renderWithMockServer('/app/play');
    await userEvent.click(await screen.findByRole('button', { name: 'Find an opponent' }));
    act(() => FakeSocket.last.open());
    const asked = await waitFor(() => {
      const frame = FakeSocket.last.sent.find(({ event }) => event === 'quickMatchJoin');
      expect(frame).toBeDefined();
      return frame;
    });
    const refusal = { succeeded: false, errorCode: 'in-event-queue', errorMessage: 'Stop that search first.' };
    act(() => FakeSocket.last.receive('ack', refusal, asked?.id));
    expect(await screen.findByText('Stop that search first.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open your events' })).toHaveAttribute('href', '/app/events');
    expect(screen.getByRole('button', { name: 'Find an opponent' })).toBeVisible();
  });

  it('reads only wishes that exist', () => {
    localStorage.setItem(STORAGE_KEYS.quickMatch, '{"boardSize":9,"clock":"none","rated":"yes"}');
    expect(readWish()).toEqual({ boardSize: 'any', clock: 'turn15', rated: true });
    localStorage.setItem(STORAGE_KEYS.quickMatch, 'null');
    expect(readWish().boardSize).toBe('any');
  });

  it('shows the time of a search as minutes and seconds', () => {
    expect([0, 59_999, 60_000, -5].map(elapsedText)).toEqual(['0:00', '0:59', '1:00', '0:00']);
  });
});

import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Loaded, type Read } from './Loaded';

const AT = Date.parse('2026-01-01T14:32:00');

function show(read: Partial<Read<string[]>>, over: { keepsPage?: boolean } = {}) {
  const refetch = vi.fn();
  render(
    <Loaded
      of={{ isFetching: false, refetch, ...read }}
      loading="Loading names…"
      failure="The names could not be loaded."
      missing={<p>No such list.</p>}
      {...over}
    >
      {(names) => <p>{names.length === 0 ? 'Nobody.' : names.join(', ')}</p>}
    </Loaded>,
  );
  return { refetch, user: userEvent.setup({ delay: null }), text: document.body.textContent };
}

describe('a read', () => {
  it('that loads says so, and nothing else', () => expect(show({ isFetching: true }).text).toBe('Loading names…'));

  it('that is here shows it, also when it is empty', () => {
    expect(show({ currentData: ['Ada', 'Bob'] }).text).toBe('Ada, Bob');
    document.body.replaceChildren();
    expect(show({ currentData: [] }).text).toBe('Nobody.');
  });

  it.each([0, 408, 429, 500, 503])('that failed with %i can be tried again', async (status) => {
    const { refetch, user } = show({ error: { status } });
    expect(screen.getByRole('alert')).not.toBeEmptyDOMElement();
    expect(screen.queryByText('Nobody.')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(refetch).toHaveBeenCalledOnce();
  });

  it.each([400, 403, 409, 422])('that failed with %i is not offered a try that cannot help', (status) => {
    expect(show({ error: { status } }).text).toBe('The names could not be loaded.');
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  it('that could not be read again is shown as of when it was', async () => {
    const { refetch, user, text } = show({ currentData: ['Ada'], error: { status: 0 }, fulfilledTimeStamp: AT });
    expect(text).toMatch(/^As of 0?2:32 PM: it could not be loaded again\..*Ada$/);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(refetch).toHaveBeenCalledOnce();
  });

  it('of what does not exist says so, also when it was there before', () => {
    expect(show({ currentData: ['Ada'], error: { status: 404 } }).text).toBe('No such list.');
  });

  it('of the next page keeps the one before while it loads, never when it failed', () => {
    expect(show({ data: ['Ada'], isFetching: true }, { keepsPage: true }).text).toBe('Ada');
    document.body.replaceChildren();
    expect(show({ data: ['Ada'], error: { status: 500 } }, { keepsPage: true }).text).not.toContain('Ada');
  });
});

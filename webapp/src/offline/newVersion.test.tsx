import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { NewVersion } from './NewVersion';
import { CHECK_INTERVAL_MS, watchForNewVersion } from './versions';

vi.mock('./versions', { spy: true });

/** Renders the notice, and announces a new version on request. */
function open() {
  let tell: (take: () => void) => void = () => undefined;
  const stop = vi.fn();
  vi.mocked(watchForNewVersion).mockImplementation((onReady) => {
    tell = onReady;
    return stop;
  });
  const view = render(<NewVersion />);
  const take = vi.fn();
  return { ...view, stop, take, arrives: () => act(() => tell(take)), user: userEvent.setup() };
}

it('shows nothing while there is no new version', () => {
  open();
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

it('offers a new version to an open tab, which loads it when the user agrees', async () => {
  const { arrives, take, user } = open();
  arrives();
  expect(screen.getByText('A new version of Morpion is ready.')).toBeInTheDocument();
  expect(take).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Reload' }));
  expect(take).toHaveBeenCalledOnce();
});

it('shows nothing while the user is busy', async () => {
  const { arrives, take, user } = open();
  arrives();
  await user.click(screen.getByRole('button', { name: 'Later' }));
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  expect(take).not.toHaveBeenCalled();
});

it('checks once an hour until it is unmounted', () => {
  const { unmount, stop } = open();
  unmount();
  expect(stop).toHaveBeenCalledOnce();
  expect(CHECK_INTERVAL_MS).toBe(3_600_000);
});

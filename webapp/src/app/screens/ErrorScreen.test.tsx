import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { NewVersion } from '@/offline/NewVersion';
import { mayReload, noteFailedLoads, RELOAD_PAUSE_MS, reloadPage, versionOfServer } from '@/shared/newerVersion';
import { lazyPart } from '@/shared/ui/lazyPart';
import { useFakeTimers } from '@/testing/fakeTimers';
import { ErrorScreen } from './ErrorScreen';

vi.mock('@/shared/newerVersion', { spy: true });
noteFailedLoads();

/** As Vite's loader fails: it tells of the error, and throws it. */
function gone(): Promise<never> {
  const error = new TypeError('Failed to fetch dynamically imported module: /assets/RatingsPage-1a2b.js');
  window.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload: error }));
  return Promise.reject(error);
}

async function open() {
  const router = createMemoryRouter([
    {
      errorElement: <ErrorScreen />,
      children: [
        { path: '/', element: <h1>Here</h1> },
        { path: '/ratings', lazy: gone },
      ],
    },
  ]);
  render(<RouterProvider router={router} />);
  await screen.findByRole('heading', { name: 'Here' });
  await router.navigate('/ratings');
  return { router, user: userEvent.setup() };
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.mocked(reloadPage).mockReset().mockResolvedValue();
  vi.mocked(versionOfServer).mockReset().mockResolvedValue('newer');
});

describe('a page whose script is gone', () => {
  it('is loaded anew at its address, without an error page', async () => {
    const { router } = await open();
    await waitFor(() => expect(reloadPage).toHaveBeenCalledOnce());
    expect(router.state.location.pathname).toBe('/ratings');
    expect(screen.queryByText(/Unexpected Application Error/)).not.toBeInTheDocument();
  });

  it('is loaded anew once only', async () => {
    mayReload();
    await open();
    expect(await screen.findByRole('heading', { name: 'Unexpected Application Error!' })).toBeInTheDocument();
    expect(reloadPage).not.toHaveBeenCalled();
  });

  it('waits for the connection, since a reload without one would lose the app', async () => {
    vi.mocked(versionOfServer).mockResolvedValueOnce('unreachable');
    const { user } = await open();
    expect(await screen.findByRole('heading', { name: 'This page could not be loaded' })).toBeInTheDocument();
    expect(reloadPage).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(reloadPage).toHaveBeenCalledOnce());
  });
});

describe('a page that fails with what the server answers', () => {
  function broken() {
    const Broken = () => {
      throw new Error('answer.games is undefined');
    };
    const router = createMemoryRouter([{ path: '/', element: <Broken />, errorElement: <ErrorScreen /> }]);
    render(<RouterProvider router={router} />);
  }

  it('is loaded anew when the server is newer than the tab', async () => {
    broken();
    await waitFor(() => expect(reloadPage).toHaveBeenCalledOnce());
  });

  it('shows the error otherwise', async () => {
    vi.mocked(versionOfServer).mockResolvedValue('same');
    broken();
    expect(await screen.findByText(/Reference/)).toBeInTheDocument();
    await waitFor(() => expect(versionOfServer).toHaveBeenCalled());
    expect(reloadPage).not.toHaveBeenCalled();
  });
});

it('a part of a page that is gone leaves the page as it is, and says so', async () => {
  const Part = lazyPart(gone);
  render(
    <>
      <label>
        Name <input defaultValue="half written" />
      </label>
      <Suspense fallback={null}>
        <Part />
      </Suspense>
      <NewVersion />
    </>,
  );
  expect(await screen.findByText('A part of this page could not be loaded.')).toBeInTheDocument();
  expect(screen.getByLabelText('Name')).toHaveValue('half written');
  expect(reloadPage).not.toHaveBeenCalled();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Reload' }));
  expect(reloadPage).toHaveBeenCalledOnce();
});

it('a tab may be loaded anew again after a while', () => {
  useFakeTimers();
  expect([mayReload(), mayReload()]).toEqual([true, false]);
  vi.advanceTimersByTime(RELOAD_PAUSE_MS);
  expect(mayReload()).toBe(true);
});

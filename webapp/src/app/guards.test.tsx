import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { log } from '@/shared/log';
import { signedIn } from '@/shared/session/sessionSlice';
import { ada } from '@/testing/server';
import { RequireAdmin } from './guards';
import { ErrorScreen } from './screens/ErrorScreen';
import { createStore } from './store';

afterEach(() => vi.restoreAllMocks());

describe('the admin guard', () => {
  it.each([
    [true, 'the admin screen'],
    [false, 'home'],
  ])('for an admin (%s) shows %s', async (isAdmin, seen) => {
    const store = createStore();
    store.dispatch(signedIn({ ...ada, isAdmin }));
    const router = createMemoryRouter(
      [
        { element: <RequireAdmin />, children: [{ path: '/app/admin/events', element: 'the admin screen' }] },
        { path: '/app/home', element: 'home' },
      ],
      { initialEntries: ['/app/admin/events'] },
    );
    render(
      <Provider store={store}>
        <RouterProvider router={router} />
      </Provider>,
    );
    expect(await screen.findByText(seen)).toBeInTheDocument();
  });
});

describe('the error screen', () => {
  it('shows Unexpected Application Error!', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const Broken = () => {
      throw new Error('broken');
    };
    const told = vi.fn();
    const stop = log.listen(told);
    const router = createMemoryRouter([{ path: '/', element: <Broken />, errorElement: <ErrorScreen /> }]);
    render(<RouterProvider router={router} />);
    expect(await screen.findByRole('heading', { name: 'Unexpected Application Error!' })).toBeInTheDocument();
    // With the reference on the screen an admin finds the report.
    const [, reference] = /^Reference ([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(
      screen.getByText(/^Reference /).textContent,
    )!;
    expect(told).toHaveBeenCalledWith(
      expect.objectContaining({ level: 'error', message: 'Unexpected application error', requestId: reference }),
    );
    stop();
  });
});

import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { createStore } from '@/app/store';

/** Renders a part of a page's main area, with the store, a router and the component library around it. */
export function renderPart(part: ReactNode) {
  const store = createStore();
  const around = (children: ReactNode) => (
    <Provider store={store}>
      <MantineProvider env="test">
        <MemoryRouter>
          <main>{children}</main>
        </MemoryRouter>
      </MantineProvider>
    </Provider>
  );
  const view = render(around(part));
  return {
    ...view,
    store,
    user: userEvent.setup({ delay: null }),
    show: (next: ReactNode) => view.rerender(around(next)),
  };
}

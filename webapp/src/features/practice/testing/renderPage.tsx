import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';

/** A page of practice without the app around it. */
export function renderPage(page: ReactNode) {
  return render(
    // Dialogs open at once.
    <MantineProvider env="test">
      <MemoryRouter>{page}</MemoryRouter>
    </MantineProvider>,
  );
}

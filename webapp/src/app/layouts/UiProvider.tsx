import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { useSelector } from 'react-redux';
import { cssVariables, mantineTheme } from '@/shared/theme/mantineTheme';
import { selectThemeMode } from '@/shared/theme/themeSlice';

/** The component library, for the pages that use it; the landing page does without. */
export function UiProvider({ children }: { children: ReactNode }) {
  const mode = useSelector(selectThemeMode);
  return (
    <MantineProvider theme={mantineTheme} cssVariablesResolver={cssVariables} forceColorScheme={mode}>
      <Notifications position="top-center" limit={3} />
      {children}
    </MantineProvider>
  );
}

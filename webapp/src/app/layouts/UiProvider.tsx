import '@mantine/core/styles.layer.css';
import { createTheme, MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { useNotifications } from '@mantine/notifications';
import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import { cssVariables, mantineTheme } from '@/shared/theme/mantineTheme';
import { selectReporting } from '@/shared/people/reportSlice';
import { selectIsProofAsked } from '@/shared/session/sessionSlice';
import { selectThemeMode } from '@/shared/theme/themeSlice';
import { useAppSelector } from '@/shared/storeHooks';

/** Escape declines the proof, and does not close the dialog as well whose action waits for it. */
const themeBehindProof = mergeThemeOverrides(
  mantineTheme,
  createTheme({ components: { Modal: { defaultProps: { closeOnEscape: false } } } }),
);

/** Provides the component library to the pages that use it; the landing page does not. */
export function UiProvider({ children }: { children: ReactNode }) {
  const mode = useAppSelector(selectThemeMode);
  const theme = useAppSelector(selectIsProofAsked) ? themeBehindProof : mantineTheme;
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={mode}>
      <ToastPlace />
      {children}
      <ReportPlace />
      <ProofPlace />
    </MantineProvider>
  );
}

const ProofDialog = lazyPart(() => import('@/features/proof/ProofDialog'));

/** The dialog of whatever call needs a proof that it is the owner. */
function ProofPlace() {
  const isAsked = useAppSelector(selectIsProofAsked);
  return <Suspense fallback={null}>{isAsked && <ProofDialog />}</Suspense>;
}

const ReportDialog = lazyPart(() => import('@/features/people/ReportDialog'));

function ReportPlace() {
  const reporting = useAppSelector(selectReporting);
  return <Suspense fallback={null}>{reporting !== null && <ReportDialog {...reporting} />}</Suspense>;
}

// Most pages never show one.
const Toasts = lazyPart(() => import('./Toasts'));

/** Stays mounted after the first toast, so that the last one can fade out. */
function ToastPlace() {
  const { notifications } = useNotifications();
  const [isWanted, setWanted] = useState(false);
  if (notifications.length > 0 && !isWanted) setWanted(true);
  return <Suspense fallback={null}>{isWanted && <Toasts />}</Suspense>;
}

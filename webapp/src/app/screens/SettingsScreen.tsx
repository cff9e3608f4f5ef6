import { Suspense } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import SettingsPage from '@/features/settings/SettingsPage';

const Membership = lazyPart(() => import('@/features/subscription/Membership'));

/** /app/setting with the subscription section, which is loaded only when it is opened. */
export default function SettingsScreen() {
  const subscription = (
    <Suspense fallback={<p role="status">Loading your plan...</p>}>
      <Membership />
    </Suspense>
  );
  return <SettingsPage subscription={subscription} />;
}

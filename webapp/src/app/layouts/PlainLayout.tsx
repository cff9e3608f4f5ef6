import { Outlet } from 'react-router';
import { UiProvider } from './UiProvider';

/** Around pages that bring their own frame. */
export default function PlainLayout() {
  return (
    <UiProvider>
      <Outlet />
    </UiProvider>
  );
}

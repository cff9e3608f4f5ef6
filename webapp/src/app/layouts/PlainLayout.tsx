import { Outlet } from 'react-router';
import { UiProvider } from './UiProvider';

/** The layout of pages that have their own frame. */
export default function PlainLayout() {
  return (
    <UiProvider>
      <Outlet />
    </UiProvider>
  );
}

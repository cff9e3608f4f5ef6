import { Outlet } from 'react-router';
import { PublicHeader } from '@/shared/ui/PublicHeader';
import { UiProvider } from './UiProvider';
import classes from './AuthLayout.module.css';

/** The layout of /login and /register. */
export default function AuthLayout() {
  return (
    <UiProvider>
      <PublicHeader />
      <main className={classes.main}>
        <Outlet />
      </main>
    </UiProvider>
  );
}

import { Outlet } from 'react-router';
import { PublicFooter } from '@/shared/ui/PublicFooter';
import { PublicHeader } from '@/shared/ui/PublicHeader';
import classes from './PublicLayout.module.css';

/** Around what anybody may read. Plain styles only: the component library is not loaded for it. */
export default function PublicLayout() {
  return (
    <div className={classes.page}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <PublicHeader />
      <main id="content" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      <PublicFooter />
    </div>
  );
}

import { Outlet } from 'react-router';
import { PublicFooter } from '@/shared/ui/PublicFooter';
import { PublicHeader } from '@/shared/ui/PublicHeader';
import classes from './PublicLayout.module.css';

/** The layout of public pages. Plain styles only: the component library is not loaded. */
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

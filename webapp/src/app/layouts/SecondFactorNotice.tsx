import { Link, Outlet, useLocation } from 'react-router';
import { selectIsSecondFactorNeeded, selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import classes from './SecondFactorNotice.module.css';

const SET_UP_AT = '/app/setting/security';

/**
 * The page; once the server has refused something for want of a second factor, with a notice above it that leads to the
 * set-up and back. Admin pages could show nothing but refusals, so the notice takes their place.
 */
export function SecondFactorNotice() {
  const isNeeded = useAppSelector(selectIsSecondFactorNeeded);
  const isAdmin = useAppSelector(selectUser)?.isAdmin ?? false;
  const { pathname, search } = useLocation();
  if (!isNeeded || pathname === SET_UP_AT) return <Outlet />;
  return (
    <>
      <section className={classes.banner} aria-label="Two-step verification">
        <p>
          {isAdmin
            ? 'This server requires two-step verification for admins. Set it up to continue.'
            : 'This server requires two-step verification. Until you set it up, you can only look around.'}
        </p>
        <Link to={SET_UP_AT} state={{ from: pathname + search }} className={buttons.primary}>
          Set it up
        </Link>
      </section>
      {!pathname.startsWith('/app/admin') && <Outlet />}
    </>
  );
}

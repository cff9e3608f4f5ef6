import { Link, useLocation } from 'react-router';
import { urlIntended } from '@/shared/session/sessionSlice';
import buttons from '@/shared/ui/buttons.module.css';
import classes from './SignInHint.module.css';
import { useAppDispatch } from '@/shared/storeHooks';

/** Says what visitors do not see, with a link to the sign-in and back. */
export function SignInHint({ children }: { children: string }) {
  const dispatch = useAppDispatch();
  const { pathname } = useLocation();
  return (
    <div className={classes.hint}>
      <p>{children}</p>
      <Link to="/login" className={buttons.primary} onClick={() => dispatch(urlIntended(pathname))}>
        Sign in
      </Link>
    </div>
  );
}

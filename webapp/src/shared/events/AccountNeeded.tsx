import { Link, useLocation } from 'react-router';
import { urlIntended } from '@/shared/session/sessionSlice';
import buttons from '@/shared/ui/buttons.module.css';
import classes from './AccountNeeded.module.css';
import { useAppDispatch } from '@/shared/storeHooks';

/** Tells guests that an event requires an account, with links that return to the event. */
export function AccountNeeded() {
  const dispatch = useAppDispatch();
  const { pathname } = useLocation();
  const comeBack = () => dispatch(urlIntended(pathname));
  return (
    <div className={classes.needed}>
      <p>
        <strong>You need an account for events.</strong> You play as a guest; an account keeps your name and your games.
      </p>
      <div className={classes.ways}>
        <Link to="/register" className={buttons.primary} onClick={comeBack}>
          Create an account
        </Link>
        <Link to="/login" className={buttons.button} onClick={comeBack}>
          Sign in
        </Link>
      </div>
    </div>
  );
}

import { Link, useLocation } from 'react-router';
import { selectUser, urlIntended } from '@/shared/session/sessionSlice';
import buttons from '@/shared/ui/buttons.module.css';
import classes from './AccountNeeded.module.css';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

interface AccountNeededProps {
  /** Where one comes back to; this page if absent. */
  comeBackTo?: string;
}

/** Tells guests and visitors that an event requires an account, with links that return to the event. */
export function AccountNeeded({ comeBackTo }: AccountNeededProps) {
  const dispatch = useAppDispatch();
  const { pathname } = useLocation();
  const isGuest = useAppSelector(selectUser) !== null;
  const comeBack = () => dispatch(urlIntended(comeBackTo ?? pathname));
  return (
    <div className={classes.needed}>
      <p>
        <strong>You need an account for events.</strong>{' '}
        {isGuest
          ? 'You play as a guest; an account keeps your name and your games.'
          : 'You come back here when you have signed in.'}
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

import { Link } from 'react-router';
import { urlIntended } from '@/shared/session/sessionSlice';
import { usePlayAsGuest } from '@/shared/session/usePlayAsGuest';
import { useAppDispatch } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import classes from './WatchPage.module.css';

/** Asks visitors to sign in, or to come in as a guest. */
export function SignInToWatch() {
  const dispatch = useAppDispatch();
  const { isOffered, isEntering, failure, enter } = usePlayAsGuest();
  return (
    <Card title="Sign in to watch">
      <div className={classes.signIn}>
        <p>Rated games and event games can be watched live, with an account or as a guest. Watching is free.</p>
        <div className={classes.ways}>
          <Link to="/login" className={buttons.primary} onClick={() => dispatch(urlIntended('/app/watch'))}>
            Sign in
          </Link>
          {isOffered && (
            <button type="button" className={buttons.button} disabled={isEntering} onClick={() => void enter()}>
              Watch as a guest
            </button>
          )}
        </div>
        <Failure text={failure} />
      </div>
    </Card>
  );
}

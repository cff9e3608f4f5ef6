import { useNavigate } from 'react-router';
import { urlIntended } from '@/shared/session/sessionSlice';
import { usePlayAsGuest } from '@/shared/session/usePlayAsGuest';
import classes from './GuestButton.module.css';
import { useAppDispatch } from '@/shared/storeHooks';

/** Straight into practice, without an account, where the server lets guests in. */
export function GuestButton() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { isOffered, isEntering, failure, enter } = usePlayAsGuest();

  const enterAsGuest = async () => {
    // Whatever sees the sign-in first leads there too.
    dispatch(urlIntended('/app/practice'));
    if (await enter()) await navigate('/app/practice');
    dispatch(urlIntended(null));
  };

  return (
    // It keeps its place until the server said whether guests may enter, so that nothing below it moves.
    <div className={classes.entry}>
      {isOffered && (
        <button type="button" className={classes.guest} disabled={isEntering} onClick={() => void enterAsGuest()}>
          Play as guest
        </button>
      )}
      <p role="alert" className={classes.failure}>
        {failure}
      </p>
    </div>
  );
}

import { useNavigate } from 'react-router';
import { urlIntended } from '@/shared/session/sessionSlice';
import { usePlayAsGuest } from '@/shared/session/usePlayAsGuest';
import classes from './GuestButton.module.css';
import { useAppDispatch } from '@/shared/storeHooks';

/** Starts practice as a guest, if the server allows guests. */
export function GuestButton() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { isOffered, isEntering, failure, enter } = usePlayAsGuest();

  const enterAsGuest = async () => {
    // Other redirects after the sign-in go there too.
    dispatch(urlIntended('/app/practice'));
    if (await enter()) await navigate('/app/practice');
    dispatch(urlIntended(null));
  };

  return (
    // Its space is reserved until the server has said whether guests are allowed, so that nothing moves.
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

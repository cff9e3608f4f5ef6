import { useNavigate } from 'react-router';
import { urlIntended } from '@/shared/session/sessionSlice';
import { usePlayAsGuest } from '@/shared/session/usePlayAsGuest';
import classes from './GuestButton.module.css';
import { useAppDispatch } from '@/shared/storeHooks';

/** Starts practice as a guest, if the server allows guests: the document knows, so no call is waited for. */
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
    <div className={classes.entry}>
      {isOffered !== false && (
        <button
          type="button"
          data-offer={isOffered === null ? 'guests' : undefined}
          className={classes.guest}
          disabled={isEntering}
          onClick={() => void enterAsGuest()}
        >
          Play as guest
        </button>
      )}
      <p role="alert" className={classes.failure}>
        {failure}
      </p>
    </div>
  );
}

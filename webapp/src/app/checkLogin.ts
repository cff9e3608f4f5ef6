import { accountApi, type User } from '@/api/account';
import { type Ended, lastSignInRestored, selectLoginStatus, signedIn, signedOut } from '@/shared/session/sessionSlice';
import { hasSignedOutHere, lastUser } from '@/shared/session/storedSession';
import type { AppDispatch, RootState } from '@/shared/storeHooks';

function endOf(known: User | null): { ended?: Ended } {
  if (known === null) return {};
  return { ended: known.isTempUser ? 'guest' : 'account' };
}

/** Asks the server who is signed in. If it cannot be reached, the last known user stays signed in. */
export function checkLogin() {
  return async (dispatch: AppDispatch, getState: () => RootState): Promise<void> => {
    const before = selectLoginStatus(getState());
    const { data, error } = await dispatch(
      accountApi.endpoints.checkLogin.initiate(undefined, { forceRefetch: true, subscribe: false }),
    );
    // A sign-in or sign-out during the request takes precedence over its response.
    if (selectLoginStatus(getState()) !== before) return;
    const known = lastUser();
    // With an error, `data` is still the previous response.
    const answer = error === undefined ? data : undefined;
    if (answer?.isLogIn && answer.user !== undefined) dispatch(signedIn(answer.user));
    else if (error !== undefined && known !== null) dispatch(lastSignInRestored(known));
    else dispatch(signedOut({ hasSignedOut: hasSignedOutHere(), ...endOf(known) }));
  };
}

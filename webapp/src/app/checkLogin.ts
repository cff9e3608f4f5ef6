import { accountApi } from '@/api/account';
import { lastSignInRestored, selectLoginStatus, signedIn, signedOut } from '@/shared/session/sessionSlice';
import { hasSignedOutHere, lastUser } from '@/shared/session/storedSession';
import type { AppDispatch, RootState } from '@/shared/storeHooks';

/** Asks the server who is there. While it cannot be reached, the last known sign-in stands. */
export function checkLogin() {
  return async (dispatch: AppDispatch, getState: () => RootState): Promise<void> => {
    const before = selectLoginStatus(getState());
    const { data, error } = await dispatch(
      accountApi.endpoints.checkLogin.initiate(undefined, { forceRefetch: true, subscribe: false }),
    );
    // Whoever signed out meanwhile is gone, although the answer may not know it yet.
    if (before !== 'notLogin' && selectLoginStatus(getState()) === 'notLogin') return;
    const known = lastUser();
    // Beside an error stands what was answered the time before.
    const answer = error === undefined ? data : undefined;
    if (answer?.isLogIn && answer.user !== undefined) dispatch(signedIn(answer.user));
    else if (error !== undefined && known !== null) dispatch(lastSignInRestored(known));
    else dispatch(signedOut({ hasSignedOut: hasSignedOutHere() }));
  };
}

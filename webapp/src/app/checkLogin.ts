import { accountApi } from '@/api/account';
import { lastSignInStands, signedIn, signedOut } from '@/shared/session/sessionSlice';
import { lastUser } from '@/shared/session/storedSession';
import type { AppDispatch } from './store';

/** Asks the server who is there. While it cannot be reached, the last known sign-in stands. */
export function checkLogin() {
  return async (dispatch: AppDispatch): Promise<void> => {
    const { data, error } = await dispatch(
      accountApi.endpoints.checkLogin.initiate(undefined, { forceRefetch: true, subscribe: false }),
    );
    const known = lastUser();
    if (data?.isLogIn && data.user !== undefined) dispatch(signedIn(data.user));
    else if (error !== undefined && known !== null) dispatch(lastSignInStands(known));
    else dispatch(signedOut({ hasLeft: false }));
  };
}

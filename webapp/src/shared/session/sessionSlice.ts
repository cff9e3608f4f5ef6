import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Suspension, User } from '@/api/account';

/**
 * `checking` until check-login has responded; `connecting` if it could not be reached and the last known user stays
 * signed in, until the realtime connection's `authenticated` makes it `login`.
 */
export type LoginStatus = 'checking' | 'notLogin' | 'login' | 'connecting';

/** Nobody can sign in to a guest again. */
export type Ended = 'account' | 'guest';

interface SessionState {
  status: LoginStatus;
  user: User | null;
  /** The user is the stored one, without the email; the server has not sent it yet. */
  isRemembered: boolean;
  /** The user signed out: they are redirected to /hello instead of /login. Reset once they are there. */
  hasSignedOut: boolean;
  /** Whose session the server ended, which /login says. Reset by the next sign-in or sign-out. */
  ended: Ended | null;
  /** Why the server ended the session, if it said so. Reset by the next sign-in or sign-out. */
  suspension: Suspension | null;
  /** A guest wants to sign out and is asked for confirmation first. */
  isConfirmingSignOut: boolean;
  /** A call waits until the user has proved that it is them (ProofDialog.tsx). */
  isProofAsked: boolean;
  /** The server has refused something until a second factor is set up. */
  isSecondFactorNeeded: boolean;
  /** Where a visitor wanted to go before the sign-in. */
  intendedUrl: string | null;
}

const initialState: SessionState = {
  status: 'checking',
  user: null,
  isRemembered: false,
  hasSignedOut: false,
  ended: null,
  suspension: null,
  isConfirmingSignOut: false,
  isProofAsked: false,
  isSecondFactorNeeded: false,
  intendedUrl: null,
};

export const sessionSlice = createSlice({
  name: 'session',
  initialState,
  reducers: {
    signedIn(state, { payload }: PayloadAction<User>) {
      if (payload.secondFactor || payload.userId !== state.user?.userId) state.isSecondFactorNeeded = false;
      state.status = 'login';
      state.user = payload;
      state.isRemembered = false;
      state.hasSignedOut = false;
      state.ended = null;
      state.suspension = null;
    },
    /** The signed-in user has changed: another name or picture, or no longer a guest. */
    userChanged(state, { payload }: PayloadAction<Partial<User>>) {
      if (state.user !== null) Object.assign(state.user, payload);
      if (payload.secondFactor) state.isSecondFactorNeeded = false;
    },
    /** There is no session; `hasSignedOut` if the user ended it, `ended` or `suspension` if the server did. */
    signedOut(state, { payload }: PayloadAction<{ hasSignedOut: boolean; ended?: Ended; suspension?: Suspension }>) {
      // The end may be reported twice, by another tab and by the server: the user's sign-out takes precedence.
      const hasSignedOut = payload.hasSignedOut || (state.status === 'notLogin' && state.hasSignedOut);
      state.ended = hasSignedOut ? null : (payload.ended ?? state.ended);
      state.suspension = hasSignedOut ? null : (payload.suspension ?? state.suspension);
      state.status = 'notLogin';
      state.user = null;
      state.isRemembered = false;
      state.isConfirmingSignOut = false;
      state.isSecondFactorNeeded = false;
      state.hasSignedOut = hasSignedOut;
      if (hasSignedOut) state.intendedUrl = null;
    },
    confirmingSignOut(state, { payload }: PayloadAction<boolean>) {
      state.isConfirmingSignOut = payload;
    },
    proofAsked(state) {
      state.isProofAsked = true;
    },
    /** Whether the user has proved that it is them; else they declined. */
    proofEnded: {
      reducer(state) {
        state.isProofAsked = false;
      },
      prepare: (isProved: boolean) => ({ payload: isProved }),
    },
    secondFactorNeeded(state) {
      state.isSecondFactorNeeded = true;
    },
    /** The user has arrived at /hello after signing out. */
    signOutShown(state) {
      state.hasSignedOut = false;
    },
    lastSignInRestored(state, { payload }: PayloadAction<User>) {
      state.status = 'connecting';
      // A user that the server sent is more complete than the stored one.
      if (state.user !== null) return;
      state.user = payload;
      state.isRemembered = true;
    },
    authenticated(state) {
      if (state.user !== null) state.status = 'login';
    },
    urlIntended(state, { payload }: PayloadAction<string | null>) {
      state.intendedUrl = payload;
    },
  },
  selectors: {
    selectLoginStatus: ({ status }) => status,
    selectUser: ({ user }) => user,
    selectIsRemembered: ({ isRemembered }) => isRemembered,
    selectIsConfirmingSignOut: ({ isConfirmingSignOut }) => isConfirmingSignOut,
    selectIsProofAsked: ({ isProofAsked }) => isProofAsked,
    selectIsSecondFactorNeeded: ({ isSecondFactorNeeded }) => isSecondFactorNeeded,
    selectEnded: ({ ended }) => ended,
    selectSuspension: ({ suspension }) => suspension,
    selectHasSignedOut: ({ hasSignedOut }) => hasSignedOut,
    selectIntendedUrl: ({ intendedUrl }) => intendedUrl,
  },
});

export const {
  signedIn,
  userChanged,
  signedOut,
  confirmingSignOut,
  proofAsked,
  proofEnded,
  secondFactorNeeded,
  signOutShown,
  lastSignInRestored,
  authenticated,
  urlIntended,
} = sessionSlice.actions;
export const {
  selectLoginStatus,
  selectUser,
  selectIsRemembered,
  selectIsConfirmingSignOut,
  selectIsProofAsked,
  selectIsSecondFactorNeeded,
  selectEnded,
  selectSuspension,
  selectHasSignedOut,
  selectIntendedUrl,
} = sessionSlice.selectors;

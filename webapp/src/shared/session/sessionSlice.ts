import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { User } from '@/api/account';

/**
 * `checking` until check-login answered; `connecting` when it could not be reached and the last known sign-in stands;
 * the realtime channel's `authenticated` makes it `login`.
 */
export type LoginStatus = 'checking' | 'notLogin' | 'login' | 'connecting';

interface SessionState {
  status: LoginStatus;
  user: User | null;
  /** The user is what this browser remembers, without the email; the server has not told its own yet. */
  isRemembered: boolean;
  /** They chose to go: they are shown out, not asked to sign in again. False again once they are out. */
  hasSignedOut: boolean;
  /** A guest, who could not come back, wants to sign out and is asked first. */
  isConfirmingSignOut: boolean;
  /** Where a visitor wanted to go before they were asked to sign in. */
  intendedUrl: string | null;
}

const initialState: SessionState = {
  status: 'checking',
  user: null,
  isRemembered: false,
  hasSignedOut: false,
  isConfirmingSignOut: false,
  intendedUrl: null,
};

export const sessionSlice = createSlice({
  name: 'session',
  initialState,
  reducers: {
    signedIn(state, { payload }: PayloadAction<User>) {
      state.status = 'login';
      state.user = payload;
      state.isRemembered = false;
      state.hasSignedOut = false;
    },
    /** The signed-in person is somewhat different now: another name, another picture, no guest any more. */
    userChanged(state, { payload }: PayloadAction<Partial<User>>) {
      if (state.user !== null) Object.assign(state.user, payload);
    },
    /** There is no session; `hasSignedOut` when that is the person's own wish. */
    signedOut(state, { payload }: PayloadAction<{ hasSignedOut: boolean }>) {
      // The end may be told twice, by the other tab and by the server: the wish to go stands until they are out.
      const hasSignedOut = payload.hasSignedOut || (state.status === 'notLogin' && state.hasSignedOut);
      state.status = 'notLogin';
      state.user = null;
      state.isRemembered = false;
      state.isConfirmingSignOut = false;
      state.hasSignedOut = hasSignedOut;
      if (hasSignedOut) state.intendedUrl = null;
    },
    confirmingSignOut(state, { payload }: PayloadAction<boolean>) {
      state.isConfirmingSignOut = payload;
    },
    /** Whoever chose to go has come to /hello. */
    signOutShown(state) {
      state.hasSignedOut = false;
    },
    lastSignInRestored(state, { payload }: PayloadAction<User>) {
      state.status = 'connecting';
      // What the server told before it went away is more than what is remembered.
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
    selectHasSignedOut: ({ hasSignedOut }) => hasSignedOut,
    selectIntendedUrl: ({ intendedUrl }) => intendedUrl,
  },
});

export const {
  signedIn,
  userChanged,
  signedOut,
  confirmingSignOut,
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
  selectHasSignedOut,
  selectIntendedUrl,
} = sessionSlice.selectors;

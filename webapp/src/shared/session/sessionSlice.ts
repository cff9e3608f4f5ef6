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
  hasLeft: boolean;
  /** A guest, who could not come back, wants to sign out and is asked first. */
  isAskedToStay: boolean;
  /** Where a visitor wanted to go before they were asked to sign in. */
  intendedUrl: string | null;
}

const initialState: SessionState = {
  status: 'checking',
  user: null,
  isRemembered: false,
  hasLeft: false,
  isAskedToStay: false,
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
      state.hasLeft = false;
    },
    /** The signed-in person is somewhat different now: another name, another picture, no guest any more. */
    userChanged(state, { payload }: PayloadAction<Partial<User>>) {
      if (state.user !== null) Object.assign(state.user, payload);
    },
    /** There is no session; `hasLeft` when that is the person's own wish. */
    signedOut(state, { payload }: PayloadAction<{ hasLeft: boolean }>) {
      // The end may be told twice, by the other tab and by the server: the wish to go stands until they are out.
      const hasLeft = payload.hasLeft || (state.status === 'notLogin' && state.hasLeft);
      state.status = 'notLogin';
      state.user = null;
      state.isRemembered = false;
      state.isAskedToStay = false;
      state.hasLeft = hasLeft;
      if (hasLeft) state.intendedUrl = null;
    },
    askedToStay(state, { payload }: PayloadAction<boolean>) {
      state.isAskedToStay = payload;
    },
    /** Whoever chose to go has come to /hello. */
    shownOut(state) {
      state.hasLeft = false;
    },
    lastSignInStands(state, { payload }: PayloadAction<User>) {
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
    selectIsAskedToStay: ({ isAskedToStay }) => isAskedToStay,
    selectHasLeft: ({ hasLeft }) => hasLeft,
    selectIntendedUrl: ({ intendedUrl }) => intendedUrl,
  },
});

export const { signedIn, userChanged, signedOut, askedToStay, shownOut, lastSignInStands, authenticated, urlIntended } =
  sessionSlice.actions;
export const {
  selectLoginStatus,
  selectUser,
  selectIsRemembered,
  selectIsAskedToStay,
  selectHasLeft,
  selectIntendedUrl,
} = sessionSlice.selectors;

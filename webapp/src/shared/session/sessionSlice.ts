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
  /** Where a visitor wanted to go before they were asked to sign in. */
  intendedUrl: string | null;
}

const initialState: SessionState = { status: 'checking', user: null, intendedUrl: null };

export const sessionSlice = createSlice({
  name: 'session',
  initialState,
  reducers: {
    signedIn(state, { payload }: PayloadAction<User>) {
      state.status = 'login';
      state.user = payload;
    },
    signedOut(state) {
      state.status = 'notLogin';
      state.user = null;
    },
    lastSignInStands(state, { payload }: PayloadAction<User>) {
      state.status = 'connecting';
      state.user = payload;
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
    selectIntendedUrl: ({ intendedUrl }) => intendedUrl,
  },
});

export const { signedIn, signedOut, lastSignInStands, authenticated, urlIntended } = sessionSlice.actions;
export const { selectLoginStatus, selectUser, selectIntendedUrl } = sessionSlice.selectors;

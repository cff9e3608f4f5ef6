import { configureStore, createListenerMiddleware, isAnyOf, type Reducer } from '@reduxjs/toolkit';
import { api } from '@/api/base';
import { realtimeSlice } from '@/realtime/realtimeSlice';
import { reportClosed, reportSlice } from '@/shared/people/reportSlice';
import { quickMatchSlice, searchEnded } from '@/shared/quickMatch/quickMatchSlice';
import { clearRecentPeople } from '@/shared/recentPeople';
import {
  INTENDED_URL_KEY,
  storeSignOut,
  markTabSignedIn,
  rememberIntendedUrl,
  rememberUser,
  storedIntendedUrl,
} from '@/shared/session/storedSession';
import {
  proofEnded,
  selectUser,
  sessionSlice,
  signedIn,
  signedOut,
  urlIntended,
  userChanged,
} from '@/shared/session/sessionSlice';
import { removePersonal, STORAGE_KEYS } from '@/shared/storage';
import type { AppDispatch, RootState } from '@/shared/storeHooks';
import { applyTheme, storedTheme, themeChosen, themeSlice } from '@/shared/theme/themeSlice';

/** Creates the store, with the persisted parts read from local storage. */
export function createStore() {
  const listeners = createListenerMiddleware<RootState, AppDispatch>();
  listeners.startListening({ actionCreator: themeChosen, effect: ({ payload }) => applyTheme(payload) });
  listeners.startListening({ actionCreator: urlIntended, effect: ({ payload }) => rememberIntendedUrl(payload) });
  listeners.startListening({
    actionCreator: signedIn,
    effect: () => {
      storeSignOut(null);
      markTabSignedIn();
    },
  });
  listeners.startListening({
    matcher: isAnyOf(signedIn, userChanged),
    effect: (_action, { getState }) => rememberUser(selectUser(getState())),
  });
  listeners.startListening({
    actionCreator: signedOut,
    effect: ({ payload }, { dispatch }) => {
      dispatch(proofEnded(false));
      dispatch(reportClosed());
      dispatch(searchEnded(null));
      removePersonal(payload.hasSignedOut ? [] : [INTENDED_URL_KEY, STORAGE_KEYS.recovery]);
      clearRecentPeople();
      // Cached responses belong to the previous user.
      dispatch(api.util.resetApiState());
    },
  });
  return configureStore({
    reducer: {
      [api.reducerPath]: api.reducer,
      [sessionSlice.reducerPath]: sessionSlice.reducer,
      [realtimeSlice.reducerPath]: realtimeSlice.reducer,
      [reportSlice.reducerPath]: reportSlice.reducer,
      [quickMatchSlice.reducerPath]: quickMatchSlice.reducer,
      [themeSlice.reducerPath]: themeSlice.reducer,
    } satisfies Record<keyof RootState, Reducer>,
    preloadedState: {
      theme: { mode: storedTheme() },
      session: { ...sessionSlice.getInitialState(), intendedUrl: storedIntendedUrl() },
    },
    middleware: (defaults) => defaults().prepend(listeners.middleware).concat(api.middleware),
  });
}

export type AppStore = ReturnType<typeof createStore>;

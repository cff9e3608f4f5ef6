import { configureStore, createListenerMiddleware, isAnyOf } from '@reduxjs/toolkit';
import { api } from '@/api/base';
import { realtimeSlice } from '@/realtime/realtimeSlice';
import { forgetEverybody } from '@/shared/recentPeople';
import {
  INTENDED_URL_KEY,
  noteLeaving,
  noteSignedInHere,
  rememberIntendedUrl,
  rememberUser,
  storedIntendedUrl,
} from '@/shared/session/storedSession';
import { selectUser, sessionSlice, signedIn, signedOut, urlIntended, userChanged } from '@/shared/session/sessionSlice';
import { removePersonal } from '@/shared/storage';
import { applyTheme, storedTheme, themeChosen, themeSlice } from '@/shared/theme/themeSlice';

/** The state of one page, with what of it outlives the page read from local storage. */
export function createStore() {
  const keeper = createListenerMiddleware();
  keeper.startListening({ actionCreator: themeChosen, effect: ({ payload }) => applyTheme(payload) });
  keeper.startListening({ actionCreator: urlIntended, effect: ({ payload }) => rememberIntendedUrl(payload) });
  keeper.startListening({
    actionCreator: signedIn,
    effect: () => {
      noteLeaving(null);
      noteSignedInHere();
    },
  });
  keeper.startListening({
    matcher: isAnyOf(signedIn, userChanged),
    effect: (_action, { getState }) => rememberUser(selectUser(getState() as RootState)),
  });
  keeper.startListening({
    actionCreator: signedOut,
    effect: ({ payload }, { dispatch }) => {
      removePersonal(payload.hasLeft ? [] : [INTENDED_URL_KEY]);
      forgetEverybody();
      // What the server said to one person is not for the next one.
      dispatch(api.util.resetApiState());
    },
  });
  return configureStore({
    reducer: {
      [api.reducerPath]: api.reducer,
      [sessionSlice.reducerPath]: sessionSlice.reducer,
      [realtimeSlice.reducerPath]: realtimeSlice.reducer,
      [themeSlice.reducerPath]: themeSlice.reducer,
    },
    preloadedState: {
      theme: { mode: storedTheme() },
      session: { ...sessionSlice.getInitialState(), intendedUrl: storedIntendedUrl() },
    },
    middleware: (defaults) => defaults().prepend(keeper.middleware).concat(api.middleware),
  });
}

type RootState = Parameters<typeof selectUser>[0];
export type AppStore = ReturnType<typeof createStore>;
export type AppDispatch = AppStore['dispatch'];

import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import type { api } from '@/api/base';
import type { realtimeSlice } from '@/realtime/realtimeSlice';
import type { reportSlice } from './people/reportSlice';
import type { quickMatchSlice } from './quickMatch/quickMatchSlice';
import type { sessionSlice } from './session/sessionSlice';
import type { themeSlice } from './theme/themeSlice';

/** The state of the store that `app/store.ts` creates. It is declared here because features do not import from the app. */
export interface RootState {
  api: ReturnType<typeof api.reducer>;
  session: ReturnType<typeof sessionSlice.reducer>;
  realtime: ReturnType<typeof realtimeSlice.reducer>;
  report: ReturnType<typeof reportSlice.reducer>;
  quickMatch: ReturnType<typeof quickMatchSlice.reducer>;
  theme: ReturnType<typeof themeSlice.reducer>;
}

export type AppDispatch = ThunkDispatch<RootState, undefined, UnknownAction>;

export const useAppDispatch = useDispatch.withTypes<AppDispatch>();
export const useAppSelector = useSelector.withTypes<RootState>();

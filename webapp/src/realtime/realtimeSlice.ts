import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { ConnectionStatus } from './connection';

export const realtimeSlice = createSlice({
  name: 'realtime',
  initialState: { status: 'idle' as ConnectionStatus, wasConnected: false },
  reducers: {
    connectionStatusChanged(state, { payload }: PayloadAction<ConnectionStatus>) {
      state.status = payload;
      if (payload === 'connected') state.wasConnected = true;
      if (payload === 'idle') state.wasConnected = false;
    },
  },
  selectors: {
    selectConnectionStatus: ({ status }) => status,
    /** Before the first connection since the sign-in. */
    selectIsFirstConnection: ({ status, wasConnected }) => status !== 'connected' && !wasConnected,
  },
});

export const { connectionStatusChanged } = realtimeSlice.actions;
export const { selectConnectionStatus, selectIsFirstConnection } = realtimeSlice.selectors;

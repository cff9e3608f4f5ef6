import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { ServerEvents } from '@/realtime/protocol';
import type { Wish } from './wish';

type Status = ServerEvents['quickMatchStatus'];
type Found = Pick<ServerEvents['playerFound'], 'gameId' | 'opponent' | 'quickMatch'>;

interface Notice {
  text: string;
  /** Of the refusal, if it was one. */
  code?: string;
}

interface QuickMatchState {
  /** What is looked for; null while nobody is. */
  wish: Wish | null;
  /** It was stopped here, and the server has not confirmed it yet. */
  isStopping: boolean;
  /** When the search began, by the local clock; null until the server has answered. */
  since: number | null;
  status: Status | null;
  /** Whom the server found; the game opens in a moment. */
  found: Found | null;
  /** Why the search ended. */
  notice: Notice | null;
}

const initialState: QuickMatchState = {
  wish: null,
  isStopping: false,
  since: null,
  status: null,
  found: null,
  notice: null,
};

/** The search for an opponent outside events. It goes on while other pages are visited. */
export const quickMatchSlice = createSlice({
  name: 'quickMatch',
  initialState,
  reducers: {
    searchStarted: (_state, { payload }: PayloadAction<Wish>) => ({ ...initialState, wish: payload }),
    statusReceived(state, { payload: { now, ...status } }: PayloadAction<Status & { now: number }>) {
      if (state.wish === null) return;
      state.status = status;
      state.since = now - status.waitedMs;
    },
    searchStopped(state) {
      state.isStopping = state.wish !== null;
    },
    opponentFound: (_state, { payload }: PayloadAction<Found>) => ({ ...initialState, found: payload }),
    /** The search ended without a game, or its game was opened. */
    searchEnded: (_state, { payload }: PayloadAction<Notice | null>) => ({ ...initialState, notice: payload }),
  },
  selectors: { selectQuickMatch: (state) => state },
});

export const { searchStarted, statusReceived, searchStopped, opponentFound, searchEnded } = quickMatchSlice.actions;
export const { selectQuickMatch } = quickMatchSlice.selectors;

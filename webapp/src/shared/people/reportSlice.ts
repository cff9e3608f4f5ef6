import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { ReportKind } from '@/api/people';
import type { PersonSummary } from './personSummary';

/** A person with an account. */
export interface Met extends PersonSummary {
  userId: string;
}

/** What is written so far. */
export interface Draft {
  kind: ReportKind | '';
  text: string;
}

/** A report that is being written. */
export interface Reporting {
  person: Met;
  /** The game in which they met, if there is one. */
  gameId: string | null;
  draft: Draft;
  isSent: boolean;
}

interface ReportState {
  /** Null while no report is written. */
  reporting: Reporting | null;
}

const initialState: ReportState = { reporting: null };

/** In the store, so that what is being written outlives the page and the notice that it was begun on. */
export const reportSlice = createSlice({
  name: 'report',
  initialState,
  reducers: {
    reportBegun(state, { payload }: PayloadAction<Pick<Reporting, 'person' | 'gameId'>>) {
      state.reporting = { ...payload, draft: { kind: '', text: '' }, isSent: false };
    },
    reportDrafted(state, { payload }: PayloadAction<Draft>) {
      if (state.reporting !== null) state.reporting.draft = payload;
    },
    reportSent(state) {
      if (state.reporting !== null) state.reporting.isSent = true;
    },
    reportClosed(state) {
      state.reporting = null;
    },
  },
  selectors: { selectReporting: ({ reporting }) => reporting },
});

export const { reportBegun, reportDrafted, reportSent, reportClosed } = reportSlice.actions;
export const { selectReporting } = reportSlice.selectors;

import { api, read, write } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

export type LogEntry = Schemas['LogEntry'];
export type LogFilter = Schemas['LogFilter'];
export type LogLevel = Schemas['LogLevel'];
export type LogStats = Schemas['LogStats'];
export type LogsData = Schemas['LogsData'];
export type GetLogs = Schemas['GetLogs'];

/** The server's log: docs/behaviour/logs.md. */
export const logsApi = api.injectEndpoints({
  endpoints: (build) => ({
    logs: build.query<LogsData, GetLogs>({
      query: (payload) => read('logger', 'getLogs', payload),
      transformResponse: ({ data }: Schemas['LogsAnswer']) => data,
      providesTags: ['Logs'],
    }),
    logStats: build.query<LogStats, void>({
      query: () => read('logger', 'getLogStats', {}),
      transformResponse: ({ data }: Schemas['LogStatsAnswer']) => data,
      providesTags: ['Logs'],
    }),
    /** Deletes every record and returns how many there were. */
    clearLogs: build.mutation<number, void>({
      query: () => write('logger', 'clearLogs', {}),
      transformResponse: ({ cleared }: Schemas['ClearLogsAnswer']) => cleared,
      invalidatesTags: (_cleared, error) => (error === undefined ? ['Logs', 'Audit'] : []),
    }),
    /** NDJSON, up to 100,000 records. A mutation so that the text is not cached. */
    exportLogs: build.mutation<string, LogFilter>({
      query: (filter) => read('logger', 'exportLogs', { filter }),
      transformResponse: ({ ndjson }: Schemas['ExportLogsAnswer']) => ndjson,
    }),
  }),
});

export const { useLogsQuery, useLazyLogsQuery, useLogStatsQuery, useClearLogsMutation, useExportLogsMutation } =
  logsApi;

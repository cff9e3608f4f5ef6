import { api, read, write } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

export type Series = Schemas['Series'];
export type SeriesDate = Schemas['SeriesDate'];

/** What a change of a series changes: also the events that it makes. */
const changesOf = (seriesId: string) => [
  { type: 'Series' as const, id: seriesId },
  { type: 'Series' as const, id: 'LIST' },
  { type: 'Events' as const, id: 'LIST' },
];

/** Series of events: docs/behaviour/series.md. */
export const seriesApi = api.injectEndpoints({
  endpoints: (build) => ({
    listSeries: build.query<Schemas['SeriesListAnswer'], Schemas['ListSeries']>({
      query: (payload) => read('series', 'list_series', payload),
      providesTags: [{ type: 'Series', id: 'LIST' }],
    }),
    series: build.query<Schemas['SeriesPageAnswer'], string>({
      query: (seriesId) => read('series', 'get_series', { seriesId }),
      // Its events change too.
      providesTags: (_answer, _error, seriesId) => [
        { type: 'Series', id: seriesId },
        { type: 'Events', id: 'LIST' },
      ],
    }),
    seriesTable: build.query<Schemas['SeriesTableAnswer'], Schemas['GetSeriesTable']>({
      query: (payload) => read('series', 'get_series_table', payload),
      providesTags: (_answer, _error, { seriesId }) => [
        { type: 'Series', id: seriesId },
        { type: 'Events', id: 'LIST' },
      ],
    }),
    /** The next dates by a rule that is not stored. */
    previewSeries: build.query<Schemas['SeriesDatesAnswer'], Schemas['PreviewSeries']>({
      query: (payload) => read('series', 'preview_series', payload),
    }),
    createSeries: build.mutation<Schemas['SeriesAnswer'], Schemas['CreateSeries']>({
      query: (payload) => write('series', 'create_series', payload),
      invalidatesTags: (answer) => (answer === undefined ? [] : changesOf(answer.series.seriesId)),
    }),
    updateSeries: build.mutation<Schemas['SeriesAnswer'], Schemas['UpdateSeries']>({
      query: (payload) => write('series', 'update_series', payload),
      invalidatesTags: (_answer, _error, { seriesId }) => changesOf(seriesId),
    }),
    /** It makes no more events. */
    endSeries: build.mutation<Schemas['SeriesAnswer'], string>({
      query: (seriesId) => write('series', 'end_series', { seriesId }),
      invalidatesTags: (_answer, _error, seriesId) => changesOf(seriesId),
    }),
    /** Only one that has made no event. */
    deleteSeries: build.mutation<Schemas['Acknowledgement'], string>({
      query: (seriesId) => write('series', 'delete_series', { seriesId }),
      invalidatesTags: [{ type: 'Series', id: 'LIST' }],
    }),
  }),
});

export const {
  useListSeriesQuery,
  useSeriesQuery,
  useSeriesTableQuery,
  usePreviewSeriesQuery,
  useCreateSeriesMutation,
  useUpdateSeriesMutation,
  useEndSeriesMutation,
  useDeleteSeriesMutation,
} = seriesApi;

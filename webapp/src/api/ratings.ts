import { api, read } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

export const ratingsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** A page of the rating list, with the caller's own rating. */
    ratingList: build.query<Schemas['RatingListAnswer'], Schemas['GetRatingList']>({
      query: (payload) => read('player', 'get_rating_list', payload),
      providesTags: ['Ratings'],
    }),
    /** A page of the accounts that are bots. */
    bots: build.query<Schemas['BotsAnswer'], Schemas['ListBots']>({
      query: (payload) => read('player', 'list_bots', payload),
      providesTags: ['Ratings'],
    }),
  }),
});

export const { useBotsQuery, useRatingListQuery } = ratingsApi;

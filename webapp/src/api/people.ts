import { api, read } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

/** A user's public profile. */
export type Person = Schemas['UserProfile'];

/** The most results returned. */
export const SEARCH_LIMIT = 10;

export const peopleApi = api.injectEndpoints({
  endpoints: (build) => ({
    searchPeople: build.query<Schemas['UsersAnswer'], { text: string; userId: string }>({
      query: ({ text, userId }) => {
        const payload: Schemas['SearchUserProfile'] = { text, limit: SEARCH_LIMIT, userId };
        return read('userprofile', 'search_user_profile', payload);
      },
      // Search results may be seconds old, but not minutes.
      keepUnusedDataFor: 15,
    }),
    person: build.query<Person, string>({
      query: (userId) => read('userprofile', 'get_user_by_id', { userId }),
      transformResponse: ({ user }: Schemas['UserAnswer']) => user,
    }),
  }),
});

export const { useSearchPeopleQuery, usePersonQuery } = peopleApi;

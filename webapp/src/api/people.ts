import { api, read } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

/** A person as others see them. */
export type Person = Schemas['UserProfile'];

/** Results at most. */
export const SEARCH_LIMIT = 10;

export const peopleApi = api.injectEndpoints({
  endpoints: (build) => ({
    searchPeople: build.query<Schemas['UsersAnswer'], { text: string; userId: string }>({
      query: ({ text, userId }) => {
        const payload: Schemas['SearchUserProfile'] = { text, limit: SEARCH_LIMIT, userId };
        return read('userprofile', 'search_user_profile', payload);
      },
      // Names change and people come; a hint that is seconds old is fine, one that is minutes old is not.
      keepUnusedDataFor: 15,
    }),
    person: build.query<Person, string>({
      query: (userId) => read('userprofile', 'get_user_by_id', { userId }),
      transformResponse: ({ user }: Schemas['UserAnswer']) => user,
    }),
  }),
});

export const { useSearchPeopleQuery, usePersonQuery } = peopleApi;

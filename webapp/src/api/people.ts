import { api, read } from './base';

/** A person as others see them. */
export interface Person {
  userId: string;
  username: string;
  displayName: string;
  profile: string;
}

/** Results at most (events and gameplay, section 9). */
export const SEARCH_LIMIT = 10;

export const peopleApi = api.injectEndpoints({
  endpoints: (build) => ({
    searchPeople: build.query<{ users: Person[] }, { text: string; userId: string }>({
      query: ({ text, userId }) => read('userprofile', 'search_user_profile', { text, limit: SEARCH_LIMIT, userId }),
      // Names change and people come; a hint that is seconds old is fine, one that is minutes old is not.
      keepUnusedDataFor: 15,
    }),
  }),
});

export const { useSearchPeopleQuery } = peopleApi;

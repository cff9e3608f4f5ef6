import { api, read } from './base';
import type { SearchUserProfile, UserProfile, UsersAnswer } from './contract';

/** A person as others see them. */
export type Person = UserProfile;

/** Results at most (events and gameplay, section 9). */
export const SEARCH_LIMIT = 10;

export const peopleApi = api.injectEndpoints({
  endpoints: (build) => ({
    searchPeople: build.query<UsersAnswer, { text: string; userId: string }>({
      query: ({ text, userId }) => {
        const payload: SearchUserProfile = { text, limit: SEARCH_LIMIT, userId };
        return read('userprofile', 'search_user_profile', payload);
      },
      // Names change and people come; a hint that is seconds old is fine, one that is minutes old is not.
      keepUnusedDataFor: 15,
    }),
  }),
});

export const { useSearchPeopleQuery } = peopleApi;

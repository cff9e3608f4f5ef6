import { api, read, write } from './base';
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
      providesTags: ['Blocks'],
    }),
    listBlocked: build.query<Person[], void>({
      query: () => read('userprofile', 'list_blocked', {}),
      transformResponse: ({ users }: Schemas['BlockedAnswer']) => users,
      providesTags: ['Blocks'],
    }),
    // Waiting games of blocked people are not listed.
    blockUser: build.mutation<Schemas['Acknowledgement'], string>({
      query: (userId) => write('userprofile', 'block_user', { userId }),
      invalidatesTags: (_answer, error) => (error ? [] : ['Blocks', 'Games']),
    }),
    unblockUser: build.mutation<Schemas['Acknowledgement'], string>({
      query: (userId) => write('userprofile', 'unblock_user', { userId }),
      invalidatesTags: (_answer, error) => (error ? [] : ['Blocks', 'Games']),
    }),
    reportUser: build.mutation<Schemas['Acknowledgement'], Schemas['ReportUser']>({
      query: (payload) => write('userprofile', 'report_user', payload),
    }),
  }),
});

export type ReportKind = Schemas['ReportKind'];

export const {
  useSearchPeopleQuery,
  usePersonQuery,
  useListBlockedQuery,
  useBlockUserMutation,
  useUnblockUserMutation,
  useReportUserMutation,
} = peopleApi;

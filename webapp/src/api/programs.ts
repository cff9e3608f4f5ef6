import { api, request, write, type RequestBody, type ResponseBody } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

export type PersonalToken = Schemas['PersonalToken'];
export type ProgramScope = Schemas['ProgramScope'];

/** The user's personal tokens, by which programs act for them, and what makes the account a bot. */
export const programsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listPersonalTokens: build.query<ResponseBody<'listPersonalTokens'>, void>({
      query: () => request('listPersonalTokens'),
      providesTags: ['Programs'],
    }),
    createPersonalToken: build.mutation<ResponseBody<'createPersonalToken'>, RequestBody<'createPersonalToken'>>({
      query: (body) => request('createPersonalToken', body),
      invalidatesTags: ['Programs'],
    }),
    deletePersonalToken: build.mutation<ResponseBody<'deletePersonalToken'>, RequestBody<'deletePersonalToken'>>({
      query: (body) => request('deletePersonalToken', body),
      invalidatesTags: ['Programs'],
    }),
    becomeBot: build.mutation<Schemas['OwnUserAnswer'], Schemas['BecomeBot']>({
      query: (payload) => write('userprofile', 'become_bot', payload),
      invalidatesTags: ['Ratings'],
    }),
  }),
});

export const {
  useBecomeBotMutation,
  useListPersonalTokensQuery,
  useCreatePersonalTokenMutation,
  useDeletePersonalTokenMutation,
} = programsApi;

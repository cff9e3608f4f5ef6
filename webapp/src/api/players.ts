/** Players as others see them: docs/behaviour/player-pages.md. */

import { api, read } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

export type PlayerProfile = Schemas['PlayerProfile'];
export type PlayedGame = Schemas['PlayedGame'];
export type PlayedOpponent = Schemas['PlayedOpponent'];
export type HistoryFilter = Schemas['HistoryFilter'];
export type Results = Schemas['Results'];
export type ProfileVisibility = Schemas['ProfileVisibility'];

export const playersApi = api.injectEndpoints({
  endpoints: (build) => ({
    playerProfile: build.query<PlayerProfile, string>({
      query: (username) => read('player', 'get_profile', { username }),
      transformResponse: ({ profile }: Schemas['ProfileAnswer']) => profile,
      providesTags: ['Blocks', 'Players'],
    }),
    history: build.query<Schemas['PlayedGamesAnswer'], Schemas['GetHistory']>({
      query: (payload) => read('player', 'get_history', payload),
      providesTags: ['Players'],
    }),
    headToHead: build.query<Schemas['HeadToHeadAnswer'], string>({
      query: (userId) => read('player', 'get_head_to_head', { userId }),
      providesTags: ['Players'],
    }),
    listOpponents: build.query<PlayedOpponent[], number>({
      query: (limit) => read('player', 'list_opponents', { limit }),
      transformResponse: ({ opponents }: Schemas['OpponentsAnswer']) => opponents,
      providesTags: ['Blocks', 'Players'],
    }),
  }),
});

export const { usePlayerProfileQuery, useHistoryQuery, useHeadToHeadQuery, useListOpponentsQuery } = playersApi;

import { randomId } from '@/shared/randomId';
import { api, read, write } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

export interface NewInvite {
  /** Absent for an open seat, which the answer's `inviteToken` fills. */
  opponent?: { userId: string; username: string };
  initiator: { userId: string; username: string };
  boardSize: number;
  clock: Schemas['TimeControl'];
}

/** Invite games: level 1, `eventId` is `remote-` and the game's id, ids are random: docs/behaviour/play.md#invite-games. */
function inviteGame({ opponent, initiator, boardSize, clock }: NewInvite): Schemas['CreateGame'] {
  const gameId = randomId();
  return {
    gameId,
    players: [initiator, ...(opponent === undefined ? [] : [opponent])],
    eventId: `remote-${gameId}`,
    level: 1,
    initiatorUserId: initiator.userId,
    gameType: 'invite',
    notify: true,
    boardSize,
    clock,
  };
}

export const gameApi = api.injectEndpoints({
  endpoints: (build) => ({
    gamesByUser: build.query<Schemas['GamesAnswer'], Schemas['GetGamesByUser']>({
      query: (payload) => read('game', 'get_games_by_user', payload),
      providesTags: ['Games'],
    }),
    game: build.query<Schemas['GameAnswer'], Schemas['GetGame']>({
      query: (payload) => read('game', 'get_game', payload),
      providesTags: ['Games'],
    }),
    /** The games to watch, the best rated first. */
    liveGames: build.query<Schemas['LiveNowAnswer'], Schemas['LiveGames']>({
      query: (payload) => read('game', 'live_games', payload),
    }),
    createGame: build.mutation<Schemas['CreateGameAnswer'], NewInvite>({
      query: (invite) => write('game', 'create_game', inviteGame(invite)),
      invalidatesTags: ['Games'],
    }),
    cancelGame: build.mutation<Schemas['GameAnswer'], Schemas['CancelGameAction']>({
      query: (payload) => write('game', 'cancel_game', payload),
      invalidatesTags: ['Games'],
    }),
    /** A forfeit. */
    endGame: build.mutation<Schemas['GameAnswer'], Schemas['EndGame']>({
      query: (payload) => write('game', 'end_game', payload),
      invalidatesTags: ['Games'],
    }),
    claimSeat: build.mutation<Schemas['GameAnswer'], Schemas['ClaimSeat']>({
      query: (payload) => write('game', 'claim_seat', payload),
      invalidatesTags: ['Games'],
    }),
    playAgain: build.mutation<Schemas['CreateGameAnswer'], Schemas['PlayAgain']>({
      query: (payload) => write('game', 'play_again', payload),
      invalidatesTags: ['Games'],
    }),
    claimWin: build.mutation<Schemas['GameAnswer'], Schemas['ClaimWin']>({
      query: (payload) => write('game', 'claim_win', payload),
      invalidatesTags: ['Games'],
    }),
    replay: build.query<Schemas['ReplayAnswer'], Schemas['GetReplay']>({
      query: (payload) => read('game', 'get_replay', payload),
    }),
    /** Creates the public link of the user's finished game; it is the same each time. */
    shareGame: build.mutation<Schemas['ShareGameAnswer'], Schemas['ShareGame']>({
      query: (payload) => write('game', 'share_game', payload),
    }),
  }),
});

export const {
  useGamesByUserQuery,
  useGameQuery,
  useLiveGamesQuery,
  useCreateGameMutation,
  useCancelGameMutation,
  useEndGameMutation,
  useClaimSeatMutation,
  usePlayAgainMutation,
  useClaimWinMutation,
  useReplayQuery,
  useShareGameMutation,
} = gameApi;

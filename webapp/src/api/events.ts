import { api, PAGE_LIMIT, read, write } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

export { PAGE_LIMIT };

export type Correction = Schemas['Correction'];
export type DirectorAct = Schemas['DirectorAct'];
export type Event = Schemas['Event'];
export type EventState = Schemas['EventState'];
export type EventType = Schemas['EventType'];
export type EventFormat = Schemas['EventFormat'];
export type EntryRequirement = Schemas['EntryRequirement'];
export type HostingRefusal = Schemas['HostingRefusal'];
export type EndReason = Schemas['EndReason'];
export type OwnInvitation = Schemas['OwnInvitation'];
export type Player = Schemas['Player'];
export type Presence = Schemas['Presence'];
export type Signup = Schemas['Signup'];
export type StagePairing = Schemas['StagePairing'];
export type StagePlayer = Schemas['StagePlayer'];
export type StageRound = Schemas['StageRound'];
export type StageStanding = Schemas['StageStanding'];

/** The number of the next page, if there is one. */
function nextPage({ pagination: { hasNextPage, currentPage } }: Schemas['SignupsAnswer']): number | undefined {
  return hasNextPage ? currentPage + 1 : undefined;
}

const changesOf = (eventId: string) => [
  { type: 'Events' as const, id: eventId },
  { type: 'Events' as const, id: 'LIST' },
];

const peopleOf = (eventId: string) => [
  ...changesOf(eventId),
  { type: 'SignUps' as const, id: eventId },
  { type: 'Standings' as const, id: eventId },
];

/** What a director's act changes. */
const stagesOf = (eventId: string) => [
  ...peopleOf(eventId),
  { type: 'Rounds' as const, id: eventId },
  { type: 'Games' as const, id: eventId },
];

const queriesApi = api.injectEndpoints({
  endpoints: (build) => ({
    listEvents: build.query<Schemas['EventsAnswer'], Schemas['ListEvents']>({
      query: (payload) => read('event', 'list_events', payload),
      providesTags: [{ type: 'Events', id: 'LIST' }],
    }),
    event: build.query<Event, string>({
      query: (eventId) => read('event', 'get_event_by_id', { eventId }),
      transformResponse: ({ event }: Schemas['EventAnswer']) => event,
      providesTags: (_event, _error, eventId) => [{ type: 'Events', id: eventId }],
    }),
    /** Recomputes standings and winners from the stored games alone. */
    verifyEvent: build.query<Schemas['VerifyEventAnswer'], string>({
      query: (eventId) => read('event', 'verify_event', { eventId }),
    }),
    /** In pages as long as the server allows. */
    signUps: build.infiniteQuery<Schemas['SignupsAnswer'], Schemas['ListSignupsForEvent']['eventId'], number>({
      infiniteQueryOptions: { initialPageParam: 1, getNextPageParam: nextPage },
      query: ({ queryArg: eventId, pageParam: page }) =>
        read('eventSignUp', 'list_signups_for_event', { eventId, page, limit: PAGE_LIMIT }),
      providesTags: (_answer, _error, eventId) => [{ type: 'SignUps', id: eventId }],
    }),
    /** The first of them. */
    someSignUps: build.query<Schemas['SignupsAnswer'], Schemas['ListSignupsForEvent']>({
      query: (payload) => read('eventSignUp', 'list_signups_for_event', payload),
      providesTags: (_answer, _error, { eventId }) => [{ type: 'SignUps', id: eventId }],
    }),
    signUpStatus: build.query<Schemas['SignUpStatusAnswer'], Schemas['GetUserSignUpStatus']>({
      query: (payload) => read('eventSignUp', 'get_user_sign_up_status', payload),
      providesTags: (_answer, _error, { eventId }) => [{ type: 'SignUps', id: eventId }],
    }),
    /** The conditions of entry of an event, and how the user stands to them. */
    entry: build.query<Schemas['EntryAnswer'], string>({
      query: (eventId) => read('eventSignUp', 'check_entry', { eventId }),
      providesTags: (_answer, _error, eventId) => [{ type: 'Events', id: eventId }],
    }),
    leaderboard: build.query<Schemas['PlayersAnswer'], Schemas['GetLeaderboard']>({
      query: (payload) => read('player', 'get_leaderboard', payload),
      providesTags: (_answer, _error, { eventId }) => [{ type: 'Standings', id: eventId }],
    }),
    playerForEvent: build.query<Schemas['CheckPlayerAnswer'], Schemas['CheckPlayerForEvent']>({
      query: (payload) => read('player', 'check_player_for_event', payload),
      providesTags: (_answer, _error, { eventId }) => [{ type: 'Standings', id: eventId }],
    }),
    /** The stage rounds of an event that is no arena, also planned ones; with a user, only their matches. */
    getRounds: build.query<Schemas['RoundsAnswer'], Schemas['GetRounds']>({
      query: (payload) => read('event', 'get_rounds', payload),
      providesTags: (_answer, _error, { eventId }) => [{ type: 'Rounds', id: eventId }],
    }),
    /** The table of an event that is no arena; with a user, their row and how its tie-breaks came. */
    getStandings: build.query<Schemas['StandingsAnswer'], Schemas['GetStandings']>({
      query: (payload) => read('event', 'get_standings', payload),
      providesTags: (_answer, _error, { eventId }) => [{ type: 'Rounds', id: eventId }],
    }),
    /** Whether the user may host private events, and how many of theirs are open. */
    hosting: build.query<Schemas['HostingAnswer'], void>({
      query: () => read('event', 'get_hosting', {}),
      providesTags: [{ type: 'Events', id: 'LIST' }],
    }),
    gamesByEvent: build.query<Schemas['GamesAnswer'], Schemas['GetGamesByEvent']>({
      query: (payload) => read('game', 'get_games_by_event', payload),
      providesTags: (_answer, _error, { eventId }) => [{ type: 'Games', id: eventId }],
    }),
    spectatableGames: build.query<Schemas['GamesAnswer'], string>({
      query: (eventId) => read('game', 'spectatable_games', { eventId }),
      providesTags: (_answer, _error, eventId) => [{ type: 'Games', id: eventId }],
    }),
  }),
});

interface Started {
  dispatch: (change: ReturnType<typeof eventChanged>) => unknown;
  queryFulfilled: Promise<{ data: Schemas['EventAnswer'] }>;
}

const eventChanged = (event: Event) =>
  queriesApi.util.upsertQueryEntries([{ endpointName: 'event', arg: event.eventId, value: event }]);

/** Puts the event that a change returns into the cache at once, so that no screen shows the old state. */
async function showChanged(_arg: unknown, { dispatch, queryFulfilled }: Started): Promise<void> {
  const answer = await queryFulfilled.catch(() => null);
  if (answer !== null) dispatch(eventChanged(answer.data.event));
}

/** What a director of stage rounds does. */
const directorsApi = queriesApi.injectEndpoints({
  endpoints: (build) => ({
    /** Decides a match, also against its games; without a winner both have lost. */
    setResult: build.mutation<Schemas['EventAnswer'], Schemas['SetResult']>({
      query: (payload) => write('event', 'set_result', payload),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, { eventId }) => stagesOf(eventId),
    }),
    /** Checks somebody in who is signed up, or takes that back. */
    checkInPlayer: build.mutation<Schemas['EventAnswer'], Schemas['CheckInPlayer']>({
      query: (payload) => write('event', 'check_in_player', payload),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, { eventId }) => stagesOf(eventId),
    }),
    withdrawPlayer: build.mutation<Schemas['EventAnswer'], Schemas['WithdrawPlayer']>({
      query: (payload) => write('event', 'withdraw_player', payload),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, { eventId }) => stagesOf(eventId),
    }),
    /** The games of the stage round that waits open at once. */
    startRound: build.mutation<Schemas['EventAnswer'], Schemas['StartRound']>({
      query: (payload) => write('event', 'start_round', payload),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, { eventId }) => stagesOf(eventId),
    }),
    /** A match of the last stage round is played again, and its games do not count. */
    replayMatch: build.mutation<Schemas['EventAnswer'], Schemas['ReplayMatch']>({
      query: (payload) => write('event', 'replay_match', payload),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, { eventId }) => stagesOf(eventId),
    }),
    /** Signs somebody up by their username, also for an event that has started. */
    addPlayer: build.mutation<Schemas['PlayerAnswer'], { eventId: string; username: string }>({
      query: (payload) => write('player', 'create_player', payload),
      invalidatesTags: (_answer, _error, { eventId }) => [...stagesOf(eventId), { type: 'Events', id: eventId }],
    }),
    /** What would become of a list of players, or signs all of them up. */
    importPlayers: build.mutation<Schemas['ImportPlayersAnswer'], Schemas['ImportPlayers']>({
      query: (payload) => write('player', 'import_players', payload),
      invalidatesTags: (answer, _error, { eventId }) =>
        answer?.added ? [...stagesOf(eventId), { type: 'Events', id: eventId }] : [],
    }),
    disqualifyPlayer: build.mutation<Schemas['EventAnswer'], Schemas['DisqualifyPlayer']>({
      query: (payload) => write('event', 'disqualify_player', payload),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, { eventId }) => stagesOf(eventId),
    }),
    /** Lets a player who was withdrawn or disqualified play from the next stage round on. */
    reinstatePlayer: build.mutation<Schemas['EventAnswer'], Schemas['ReinstatePlayer']>({
      query: (payload) => write('event', 'reinstate_player', payload),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, { eventId }) => stagesOf(eventId),
    }),
    /** Moves the end of an event that is published or live. */
    extendEvent: build.mutation<Schemas['EventAnswer'], Schemas['ExtendEvent']>({
      query: (payload) => write('event', 'extend_event', payload),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, { eventId }) => changesOf(eventId),
    }),
    /** No further stage round begins. */
    pauseEvent: build.mutation<Schemas['EventAnswer'], string>({
      query: (eventId) => write('event', 'pause_event', { eventId }),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, eventId) => stagesOf(eventId),
    }),
    resumeEvent: build.mutation<Schemas['EventAnswer'], string>({
      query: (eventId) => write('event', 'resume_event', { eventId }),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, eventId) => stagesOf(eventId),
    }),
  }),
});

/** How a private event is entered. */
const privateApi = directorsApi.injectEndpoints({
  endpoints: (build) => ({
    /** The code before is not good any more. */
    renewJoinCode: build.mutation<Schemas['EventAnswer'], string>({
      query: (eventId) => write('event', 'renew_join_code', { eventId }),
      onQueryStarted: showChanged,
    }),
    /** Signs up for the event that has the code, and joins it if it is live. */
    signUpByCode: build.mutation<Schemas['SignupAnswer'], string>({
      query: (joinCode) => write('eventSignUp', 'sign_up_by_code', { joinCode }),
      invalidatesTags: (answer) => (answer === undefined ? [] : peopleOf(answer.signup.eventId)),
    }),
    invitations: build.query<Schemas['InvitationsAnswer'], string>({
      query: (eventId) => read('event', 'list_invitations', { eventId }),
      providesTags: (_answer, _error, eventId) => [{ type: 'Invitations', id: eventId }],
    }),
    invitePlayer: build.mutation<Schemas['Acknowledgement'], { eventId: string; username: string }>({
      query: (payload) => write('event', 'invite_player', payload),
      invalidatesTags: (_answer, _error, { eventId }) => [{ type: 'Invitations', id: eventId }],
    }),
    withdrawInvitation: build.mutation<Schemas['Acknowledgement'], Schemas['WithdrawInvitation']>({
      query: (payload) => write('event', 'withdraw_invitation', payload),
      invalidatesTags: (_answer, _error, { eventId }) => [{ type: 'Invitations', id: eventId }],
    }),
    ownInvitations: build.query<Schemas['OwnInvitationsAnswer'], void>({
      query: () => read('eventSignUp', 'list_own_invitations', {}),
      providesTags: [{ type: 'Invitations', id: 'OWN' }],
    }),
    /** Accepting enters the event. */
    answerInvitation: build.mutation<Schemas['AnswerInvitationAnswer'], Schemas['AnswerInvitation']>({
      query: (payload) => write('eventSignUp', 'answer_invitation', payload),
      invalidatesTags: (_answer, _error, { eventId }) => [{ type: 'Invitations', id: 'OWN' }, ...peopleOf(eventId)],
    }),
  }),
});

/** Events with their sign-ups, standings, stage rounds and games. */
export const eventsApi = privateApi.injectEndpoints({
  endpoints: (build) => ({
    createEvent: build.mutation<Schemas['EventAnswer'], Schemas['CreateEvent']>({
      query: (payload) => write('event', 'create_event', payload),
      invalidatesTags: [{ type: 'Events', id: 'LIST' }],
    }),
    updateEvent: build.mutation<Schemas['EventAnswer'], Schemas['UpdateEvent']>({
      query: (payload) => write('event', 'update_event', payload),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, { eventId }) => changesOf(eventId),
    }),
    deleteEvent: build.mutation<Schemas['Acknowledgement'], string>({
      query: (eventId) => write('event', 'delete_event', { eventId }),
      invalidatesTags: [{ type: 'Events', id: 'LIST' }],
    }),
    startEvent: build.mutation<Schemas['EventAnswer'], string>({
      query: (eventId) => write('event', 'start_event', { eventId }),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, eventId) => changesOf(eventId),
    }),
    endEvent: build.mutation<Schemas['EventAnswer'], string>({
      query: (eventId) => write('event', 'end_event', { eventId }),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, eventId) => changesOf(eventId),
    }),
    cancelEvent: build.mutation<Schemas['EventAnswer'], string>({
      query: (eventId) => write('event', 'cancel_event', { eventId }),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, eventId) => changesOf(eventId),
    }),
    /** Makes the winners of an ended event final. */
    concludeEvent: build.mutation<Schemas['EventAnswer'], string>({
      query: (eventId) => write('event', 'conclude_event', { eventId }),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, eventId) => [...changesOf(eventId), { type: 'Standings', id: eventId }],
    }),
    /** Opens a concluded event for corrections. */
    reopenEvent: build.mutation<Schemas['EventAnswer'], Schemas['ReopenEvent']>({
      query: (payload) => write('event', 'reopen_event', payload),
      onQueryStarted: showChanged,
      invalidatesTags: (_answer, _error, { eventId }) => changesOf(eventId),
    }),
    /** Creates a draft with the same settings. */
    duplicateEvent: build.mutation<Schemas['EventAnswer'], string>({
      query: (eventId) => write('event', 'duplicate_event', { eventId }),
      onQueryStarted: showChanged,
      invalidatesTags: [{ type: 'Events', id: 'LIST' }],
    }),
    /** Sends a message to all participants. */
    announce: build.mutation<Schemas['EventAnswer'], Schemas['Announce']>({
      query: (payload) => write('event', 'announce', payload),
      onQueryStarted: showChanged,
    }),
    removeParticipant: build.mutation<Schemas['PlayerAnswer'], Schemas['RemoveParticipant']>({
      query: (payload) => write('event', 'remove_participant', payload),
      invalidatesTags: (_answer, _error, { eventId }) => stagesOf(eventId),
    }),
    /** Corrects a player's standing; the correction is recorded. */
    correctStanding: build.mutation<Schemas['PlayerAnswer'], Schemas['UpdatePlayer'] & { eventId: string }>({
      query: (payload) => write('player', 'update_player', payload),
      invalidatesTags: (_answer, _error, { eventId }) => peopleOf(eventId),
    }),
    joinEvent: build.mutation<Schemas['JoinEventAnswer'], Schemas['JoinEvent']>({
      query: (payload) => write('event', 'join_event', payload),
      invalidatesTags: (_answer, _error, { eventId }) => [...changesOf(eventId), { type: 'SignUps', id: eventId }],
    }),
    signUp: build.mutation<Schemas['SignupAnswer'], Schemas['SignUp']>({
      query: (payload) => write('eventSignUp', 'sign_up', payload),
      invalidatesTags: (_answer, _error, { eventId }) => [...changesOf(eventId), { type: 'SignUps', id: eventId }],
    }),
    /** Says that one is there, or takes that back. */
    checkIn: build.mutation<Schemas['SignupAnswer'], Schemas['CheckIn']>({
      query: (payload) => write('eventSignUp', 'check_in', payload),
      invalidatesTags: (_answer, _error, { eventId }) => [...changesOf(eventId), { type: 'SignUps', id: eventId }],
    }),
    removeSignUp: build.mutation<Schemas['Acknowledgement'], Schemas['RemoveSignup']>({
      query: (payload) => write('eventSignUp', 'remove_signup', payload),
      invalidatesTags: (_answer, _error, { eventId }) => [...changesOf(eventId), { type: 'SignUps', id: eventId }],
    }),
  }),
});

export const {
  useListEventsQuery,
  useEventQuery,
  useVerifyEventQuery,
  useLazyVerifyEventQuery,
  useCreateEventMutation,
  useUpdateEventMutation,
  useDeleteEventMutation,
  useStartEventMutation,
  useEndEventMutation,
  useCancelEventMutation,
  useConcludeEventMutation,
  useReopenEventMutation,
  useDuplicateEventMutation,
  useAnnounceMutation,
  useRemoveParticipantMutation,
  useSetResultMutation,
  useStartRoundMutation,
  useReplayMatchMutation,
  useCheckInPlayerMutation,
  useWithdrawPlayerMutation,
  useImportPlayersMutation,
  useAddPlayerMutation,
  useDisqualifyPlayerMutation,
  useReinstatePlayerMutation,
  useExtendEventMutation,
  usePauseEventMutation,
  useResumeEventMutation,
  useCorrectStandingMutation,
  useJoinEventMutation,
  useHostingQuery,
  useRenewJoinCodeMutation,
  useInvitationsQuery,
  useInvitePlayerMutation,
  useWithdrawInvitationMutation,
  useOwnInvitationsQuery,
  useAnswerInvitationMutation,
  useSignUpByCodeMutation,
  useSignUpsInfiniteQuery,
  useSomeSignUpsQuery,
  useSignUpStatusQuery,
  useEntryQuery,
  useSignUpMutation,
  useCheckInMutation,
  useRemoveSignUpMutation,
  useLeaderboardQuery,
  usePlayerForEventQuery,
  useGetRoundsQuery,
  useGetStandingsQuery,
  useGamesByEventQuery,
  useSpectatableGamesQuery,
} = eventsApi;

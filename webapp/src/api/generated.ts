/* Made of openapi.json by `npm run api`: do not edit. */

import { api } from './base';
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getCalendarAuthUrl: build.query<GetCalendarAuthUrlApiResponse, GetCalendarAuthUrlApiArg>({
      query: () => ({ url: `/api/auth/api/v1/calendar/auth-url` }),
    }),
    getCalendarStatus: build.query<GetCalendarStatusApiResponse, GetCalendarStatusApiArg>({
      query: () => ({ url: `/api/auth/api/v1/calendar/status` }),
    }),
    requestVerificationCode: build.mutation<RequestVerificationCodeApiResponse, RequestVerificationCodeApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/api/v1/requestverificationcode`,
        method: 'POST',
        body: queryArg.requestVerificationCode,
      }),
    }),
    updatePassword: build.mutation<UpdatePasswordApiResponse, UpdatePasswordApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/api/v1/update-password`,
        method: 'POST',
        body: queryArg.updatePassword,
      }),
    }),
    validateVerificationCode: build.mutation<ValidateVerificationCodeApiResponse, ValidateVerificationCodeApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/api/v1/validate-verification-code`,
        method: 'POST',
        body: queryArg.validateVerificationCode,
      }),
    }),
    calendarCallback: build.query<CalendarCallbackApiResponse, CalendarCallbackApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/calendar/callback`,
        params: {
          code: queryArg.code,
          state: queryArg.state,
          error: queryArg.error,
        },
      }),
    }),
    disconnectCalendar: build.mutation<DisconnectCalendarApiResponse, DisconnectCalendarApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/calendar/disconnect`,
        method: 'POST',
        body: queryArg.empty,
      }),
    }),
    checkLogin: build.query<CheckLoginApiResponse, CheckLoginApiArg>({
      query: () => ({ url: `/api/auth/check-login` }),
    }),
    requestEmailChange: build.mutation<RequestEmailChangeApiResponse, RequestEmailChangeApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/email/change/request`,
        method: 'POST',
        body: queryArg.requestEmailChange,
      }),
    }),
    undoEmailChange: build.mutation<UndoEmailChangeApiResponse, UndoEmailChangeApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/email/change/undo`,
        method: 'POST',
        body: queryArg.undoEmailChange,
      }),
    }),
    verifyEmailChange: build.mutation<VerifyEmailChangeApiResponse, VerifyEmailChangeApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/email/change/verify`,
        method: 'POST',
        body: queryArg.verifyEmailChange,
      }),
    }),
    requestEmailCode: build.mutation<RequestEmailCodeApiResponse, RequestEmailCodeApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/email/request-code`,
        method: 'POST',
        body: queryArg.requestEmailCode,
      }),
    }),
    verifyEmail: build.mutation<VerifyEmailApiResponse, VerifyEmailApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/email/verify`,
        method: 'POST',
        body: queryArg.verifyEmail,
      }),
    }),
    playAsGuest: build.mutation<PlayAsGuestApiResponse, PlayAsGuestApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/guest`,
        method: 'POST',
        body: queryArg.empty,
      }),
    }),
    login: build.mutation<LoginApiResponse, LoginApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/login`,
        method: 'POST',
        body: queryArg.loginRequest,
      }),
    }),
    logout: build.mutation<LogoutApiResponse, LogoutApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/logout`,
        method: 'POST',
        body: queryArg.empty,
      }),
    }),
    oidcCallback: build.query<OidcCallbackApiResponse, OidcCallbackApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/oidc/callback`,
        params: {
          code: queryArg.code,
          state: queryArg.state,
          error: queryArg.error,
        },
      }),
    }),
    startOidc: build.query<StartOidcApiResponse, StartOidcApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/oidc/start`,
        params: {
          keepGuestGames: queryArg.keepGuestGames,
        },
      }),
    }),
    changePassword: build.mutation<ChangePasswordApiResponse, ChangePasswordApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/password`,
        method: 'POST',
        body: queryArg.changePassword,
      }),
    }),
    getProviders: build.query<GetProvidersApiResponse, GetProvidersApiArg>({
      query: () => ({ url: `/api/auth/providers` }),
    }),
    register: build.mutation<RegisterApiResponse, RegisterApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/register`,
        method: 'POST',
        body: queryArg.registerRequest,
      }),
    }),
    refreshToken: build.mutation<RefreshTokenApiResponse, RefreshTokenApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/secure/token/refresh`,
        method: 'POST',
        body: queryArg.empty,
      }),
    }),
    listSessions: build.query<ListSessionsApiResponse, ListSessionsApiArg>({
      query: () => ({ url: `/api/auth/sessions` }),
    }),
    revokeSession: build.mutation<RevokeSessionApiResponse, RevokeSessionApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/sessions/revoke`,
        method: 'POST',
        body: queryArg.revokeSession,
      }),
    }),
    getSetup: build.query<GetSetupApiResponse, GetSetupApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/setup`,
        params: {
          token: queryArg.token,
        },
      }),
    }),
    setUp: build.mutation<SetUpApiResponse, SetUpApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/setup`,
        method: 'POST',
        body: queryArg.setupRequest,
      }),
    }),
    exportAccount: build.query<ExportAccountApiResponse, ExportAccountApiArg>({
      query: () => ({ url: `/api/backend/account/export` }),
    }),
    readAdmin: build.query<ReadAdminApiResponse, ReadAdminApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/admin`,
        params: {
          action: queryArg.action,
          payload: queryArg.payload,
        },
      }),
    }),
    writeAdmin: build.mutation<WriteAdminApiResponse, WriteAdminApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/admin`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    listPaymentMethods: build.query<ListPaymentMethodsApiResponse, ListPaymentMethodsApiArg>({
      query: () => ({ url: `/api/backend/api/v1/payment/methode` }),
    }),
    removePaymentMethod: build.mutation<RemovePaymentMethodApiResponse, RemovePaymentMethodApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/api/v1/payment/methode/remove`,
        method: 'POST',
        body: queryArg.removePaymentMethod,
      }),
    }),
    searchUsers: build.query<SearchUsersApiResponse, SearchUsersApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/api/v1/user/search`,
        params: {
          username: queryArg.username,
        },
      }),
    }),
    getUserSubscription: build.query<GetUserSubscriptionApiResponse, GetUserSubscriptionApiArg>({
      query: () => ({ url: `/api/backend/api/v1/user/subscription` }),
    }),
    cancelUserSubscription: build.mutation<CancelUserSubscriptionApiResponse, CancelUserSubscriptionApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/api/v1/user/subscription/cancel`,
        method: 'POST',
        body: queryArg.cancelSubscription,
      }),
    }),
    deleteAccount: build.mutation<DeleteAccountApiResponse, DeleteAccountApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/delete/account`,
        method: 'POST',
        body: queryArg.deleteAccount,
      }),
    }),
    readEvent: build.query<ReadEventApiResponse, ReadEventApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/event`,
        params: {
          action: queryArg.action,
          payload: queryArg.payload,
        },
      }),
    }),
    writeEvent: build.mutation<WriteEventApiResponse, WriteEventApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/event`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    readEventSignUp: build.query<ReadEventSignUpApiResponse, ReadEventSignUpApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/eventSignUp`,
        params: {
          action: queryArg.action,
          payload: queryArg.payload,
        },
      }),
    }),
    writeEventSignUp: build.mutation<WriteEventSignUpApiResponse, WriteEventSignUpApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/eventSignUp`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    readGame: build.query<ReadGameApiResponse, ReadGameApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/game`,
        params: {
          action: queryArg.action,
          payload: queryArg.payload,
        },
      }),
    }),
    writeGame: build.mutation<WriteGameApiResponse, WriteGameApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/game`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    readLogger: build.query<ReadLoggerApiResponse, ReadLoggerApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/logger`,
        params: {
          action: queryArg.action,
          payload: queryArg.payload,
        },
      }),
    }),
    writeLogger: build.mutation<WriteLoggerApiResponse, WriteLoggerApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/logger`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    readPlayer: build.query<ReadPlayerApiResponse, ReadPlayerApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/player`,
        params: {
          action: queryArg.action,
          payload: queryArg.payload,
        },
      }),
    }),
    writePlayer: build.mutation<WritePlayerApiResponse, WritePlayerApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/player`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    uploadProfileImage: build.mutation<UploadProfileImageApiResponse, UploadProfileImageApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/profile/image`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    removeProfileImage: build.mutation<RemoveProfileImageApiResponse, RemoveProfileImageApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/profile/remove`,
        method: 'POST',
        body: queryArg.empty,
      }),
    }),
    updateProfile: build.mutation<UpdateProfileApiResponse, UpdateProfileApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/profile/update`,
        method: 'POST',
        body: queryArg.profileUpdate,
      }),
    }),
    getSite: build.query<GetSiteApiResponse, GetSiteApiArg>({
      query: () => ({ url: `/api/backend/site` }),
    }),
    stripeWebhook: build.mutation<StripeWebhookApiResponse, StripeWebhookApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/stripe/webhook`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    readSubscription: build.query<ReadSubscriptionApiResponse, ReadSubscriptionApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/subscription`,
        params: {
          action: queryArg.action,
          payload: queryArg.payload,
        },
      }),
    }),
    writeSubscription: build.mutation<WriteSubscriptionApiResponse, WriteSubscriptionApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/subscription`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    readUserProfile: build.query<ReadUserProfileApiResponse, ReadUserProfileApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/userprofile`,
        params: {
          action: queryArg.action,
          payload: queryArg.payload,
        },
      }),
    }),
    writeUserProfile: build.mutation<WriteUserProfileApiResponse, WriteUserProfileApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/userprofile`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    logData: build.mutation<LogDataApiResponse, LogDataApiArg>({
      query: (queryArg) => ({
        url: `/api/backend/v1/log/data`,
        method: 'POST',
        body: queryArg.clientLog,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedApi };
export type GetCalendarAuthUrlApiResponse = /** status 200 It succeeded. */ CalendarAuthUrlAnswer;
export type GetCalendarAuthUrlApiArg = void;
export type GetCalendarStatusApiResponse = /** status 200 It succeeded. */ CalendarStatusAnswer;
export type GetCalendarStatusApiArg = void;
export type RequestVerificationCodeApiResponse = /** status 200 It succeeded. */ RequestVerificationCodeAnswer;
export type RequestVerificationCodeApiArg = {
  requestVerificationCode: RequestVerificationCode;
};
export type UpdatePasswordApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type UpdatePasswordApiArg = {
  updatePassword: UpdatePassword;
};
export type ValidateVerificationCodeApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type ValidateVerificationCodeApiArg = {
  validateVerificationCode: ValidateVerificationCode;
};
export type CalendarCallbackApiResponse = unknown;
export type CalendarCallbackApiArg = {
  code?: string;
  state?: string;
  error?: string;
};
export type DisconnectCalendarApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type DisconnectCalendarApiArg = {
  empty: Empty;
};
export type CheckLoginApiResponse = /** status 200 It succeeded. */ CheckLoginAnswer;
export type CheckLoginApiArg = void;
export type RequestEmailChangeApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type RequestEmailChangeApiArg = {
  requestEmailChange: RequestEmailChange;
};
export type UndoEmailChangeApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type UndoEmailChangeApiArg = {
  undoEmailChange: UndoEmailChange;
};
export type VerifyEmailChangeApiResponse = /** status 200 It succeeded. */ EmailChangedAnswer;
export type VerifyEmailChangeApiArg = {
  verifyEmailChange: VerifyEmailChange;
};
export type RequestEmailCodeApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type RequestEmailCodeApiArg = {
  requestEmailCode: RequestEmailCode;
};
export type VerifyEmailApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type VerifyEmailApiArg = {
  verifyEmail: VerifyEmail;
};
export type PlayAsGuestApiResponse = /** status 200 It succeeded. */ LoginAnswer;
export type PlayAsGuestApiArg = {
  empty: Empty;
};
export type LoginApiResponse = /** status 200 It succeeded. */ LoginAnswer;
export type LoginApiArg = {
  loginRequest: LoginRequest;
};
export type LogoutApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type LogoutApiArg = {
  empty: Empty;
};
export type OidcCallbackApiResponse = unknown;
export type OidcCallbackApiArg = {
  code?: string;
  state?: string;
  error?: string;
};
export type StartOidcApiResponse = unknown;
export type StartOidcApiArg = {
  keepGuestGames?: boolean;
};
export type ChangePasswordApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type ChangePasswordApiArg = {
  changePassword: ChangePassword;
};
export type GetProvidersApiResponse = /** status 200 It succeeded. */ ProvidersAnswer;
export type GetProvidersApiArg = void;
export type RegisterApiResponse = /** status 200 It succeeded. */ LoginAnswer;
export type RegisterApiArg = {
  registerRequest: RegisterRequest;
};
export type RefreshTokenApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type RefreshTokenApiArg = {
  empty: Empty;
};
export type ListSessionsApiResponse = /** status 200 It succeeded. */ SessionsAnswer;
export type ListSessionsApiArg = void;
export type RevokeSessionApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type RevokeSessionApiArg = {
  revokeSession: RevokeSession;
};
export type GetSetupApiResponse = /** status 200 It succeeded. */ SetupAnswer;
export type GetSetupApiArg = {
  token?: string;
};
export type SetUpApiResponse = /** status 200 It succeeded. */ LoginAnswer;
export type SetUpApiArg = {
  setupRequest: SetupRequest;
};
export type ExportAccountApiResponse = /** status 200  */ any;
export type ExportAccountApiArg = void;
export type ReadAdminApiResponse =
  | /** status 200 The action's answer. */ AuditAnswer
  | BillingEventsAnswer
  | FoundIdsAnswer
  | LiveGamesAnswer
  | OverviewAnswer
  | TokensAnswer
  | UserSessionsAnswer
  | UserSubscriptionsAnswer
  | UsersListAnswer;
export type ReadAdminApiArg = {
  action:
    | 'overview'
    | 'list_users'
    | 'list_sessions'
    | 'list_audit'
    | 'list_subscriptions'
    | 'list_billing_events'
    | 'list_live_games'
    | 'list_tokens'
    | 'find_ids';
  /** The action's payload as JSON text; `x-actions` names its schema. */
  payload?: string;
};
export type WriteAdminApiResponse =
  /** status 200 The action's answer. */ Acknowledgement | AdminUserAnswer | CreateTokenAnswer | GameAnswer;
export type WriteAdminApiArg = {
  body:
    | ({
        action: 'adjudicate_game';
      } & AdjudicateGameAction)
    | ({
        action: 'create_admin';
      } & CreateAdminAction)
    | ({
        action: 'create_token';
      } & CreateTokenAction)
    | ({
        action: 'demote_user';
      } & DemoteUserAction)
    | ({
        action: 'grant_pro';
      } & GrantProAction)
    | ({
        action: 'promote_user';
      } & PromoteUserAction)
    | ({
        action: 'reset_password';
      } & ResetPasswordAction)
    | ({
        action: 'revoke_pro';
      } & RevokeProAction)
    | ({
        action: 'revoke_session';
      } & RevokeSessionActionAction)
    | ({
        action: 'revoke_token';
      } & RevokeTokenAction)
    | ({
        action: 'set_admin';
      } & SetAdminAction);
};
export type ListPaymentMethodsApiResponse = /** status 200 It succeeded. */ PaymentMethodsAnswer;
export type ListPaymentMethodsApiArg = void;
export type RemovePaymentMethodApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type RemovePaymentMethodApiArg = {
  removePaymentMethod: RemovePaymentMethod;
};
export type SearchUsersApiResponse = /** status 200 It succeeded. */ UsersAnswer;
export type SearchUsersApiArg = {
  username?: string;
};
export type GetUserSubscriptionApiResponse = /** status 200 It succeeded. */ SubscriptionAnswer;
export type GetUserSubscriptionApiArg = void;
export type CancelUserSubscriptionApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type CancelUserSubscriptionApiArg = {
  cancelSubscription: CancelSubscription;
};
export type DeleteAccountApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type DeleteAccountApiArg = {
  deleteAccount: DeleteAccount;
};
export type ReadEventApiResponse =
  /** status 200 The action's answer. */ EventAnswer | EventsAnswer | VerifyEventAnswer;
export type ReadEventApiArg = {
  action: 'get_event_by_id' | 'list_events' | 'verify_event';
  /** The action's payload as JSON text; `x-actions` names its schema. */
  payload?: string;
};
export type WriteEventApiResponse =
  /** status 200 The action's answer. */ Acknowledgement | EventAnswer | JoinEventAnswer | PlayerAnswer;
export type WriteEventApiArg = {
  body:
    | ({
        action: 'announce';
      } & AnnounceAction)
    | ({
        action: 'cancel_event';
      } & CancelEventAction)
    | ({
        action: 'conclude_event';
      } & ConcludeEventAction)
    | ({
        action: 'create_event';
      } & CreateEventAction)
    | ({
        action: 'delete_event';
      } & DeleteEventAction)
    | ({
        action: 'duplicate_event';
      } & DuplicateEventAction)
    | ({
        action: 'end_event';
      } & EndEventAction)
    | ({
        action: 'join_event';
      } & JoinEventAction)
    | ({
        action: 'remove_participant';
      } & RemoveParticipantAction)
    | ({
        action: 'reopen_event';
      } & ReopenEventAction)
    | ({
        action: 'start_event';
      } & StartEventAction)
    | ({
        action: 'update_event';
      } & UpdateEventAction);
};
export type ReadEventSignUpApiResponse =
  /** status 200 The action's answer. */ SignUpStatusAnswer | SignupAnswer | SignupsAnswer;
export type ReadEventSignUpApiArg = {
  action:
    'list_signups_for_event' | 'list_signups_for_user' | 'get_user_sign_up_status' | 'get_signup_by_event_and_user';
  /** The action's payload as JSON text; `x-actions` names its schema. */
  payload?: string;
};
export type WriteEventSignUpApiResponse = /** status 200 The action's answer. */ Acknowledgement | SignupAnswer;
export type WriteEventSignUpApiArg = {
  body:
    | ({
        action: 'remove_signup';
      } & RemoveSignupAction)
    | ({
        action: 'sign_up';
      } & SignUpAction);
};
export type ReadGameApiResponse = /** status 200 The action's answer. */ GameAnswer | GamesAnswer | ReplayAnswer;
export type ReadGameApiArg = {
  action: 'get_game' | 'get_games_by_event' | 'get_games_by_user' | 'spectatable_games' | 'get_replay';
  /** The action's payload as JSON text; `x-actions` names its schema. */
  payload?: string;
};
export type WriteGameApiResponse =
  /** status 200 The action's answer. */ CreateGameAnswer | GameAnswer | MakeMoveAnswer | ShareGameAnswer;
export type WriteGameApiArg = {
  body:
    | ({
        action: 'cancel_game';
      } & CancelGameActionAction)
    | ({
        action: 'claim_seat';
      } & ClaimSeatAction)
    | ({
        action: 'claim_win';
      } & ClaimWinAction)
    | ({
        action: 'create_game';
      } & CreateGameAction)
    | ({
        action: 'end_game';
      } & EndGameAction)
    | ({
        action: 'make_move';
      } & MakeMoveActionAction)
    | ({
        action: 'play_again';
      } & PlayAgainAction)
    | ({
        action: 'share_game';
      } & ShareGameAction);
};
export type ReadLoggerApiResponse =
  /** status 200 The action's answer. */ ExportLogsAnswer | LogStatsAnswer | LogsAnswer;
export type ReadLoggerApiArg = {
  action:
    'getLogs' | 'getLogsByLevel' | 'getLogsByPlatform' | 'getLogsByUser' | 'searchLogs' | 'getLogStats' | 'exportLogs';
  /** The action's payload as JSON text; `x-actions` names its schema. */
  payload?: string;
};
export type WriteLoggerApiResponse = /** status 200 The action's answer. */ Acknowledgement | ClearLogsAnswer;
export type WriteLoggerApiArg = {
  body:
    | ({
        action: 'bulkLog';
      } & BulkLogAction)
    | ({
        action: 'clearLogs';
      } & ClearLogsAction)
    | ({
        action: 'log';
      } & ClientLogAction);
};
export type ReadPlayerApiResponse =
  /** status 200 The action's answer. */ CheckPlayerAnswer | PlayerAnswer | PlayersAnswer;
export type ReadPlayerApiArg = {
  action: 'get_player' | 'getPlayersByEvent' | 'check_player_for_event' | 'get_leaderboard';
  /** The action's payload as JSON text; `x-actions` names its schema. */
  payload?: string;
};
export type WritePlayerApiResponse =
  /** status 200 The action's answer. */ Acknowledgement | JoinEventRoomAnswer | PlayerAnswer;
export type WritePlayerApiArg = {
  body:
    | ({
        action: 'clear_event';
      } & ClearEventAction)
    | ({
        action: 'create_player';
      } & CreatePlayerAction)
    | ({
        action: 'join_event_room';
      } & JoinEventRoomActionAction)
    | ({
        action: 'leave_event_room';
      } & LeaveEventRoomActionAction)
    | ({
        action: 'record_result';
      } & RecordResultAction)
    | ({
        action: 'set_event';
      } & SetEventAction)
    | ({
        action: 'update_player';
      } & UpdatePlayerAction);
};
export type UploadProfileImageApiResponse = /** status 200 It succeeded. */ ProfileImageAnswer;
export type UploadProfileImageApiArg = {
  body: {
    /** A png, gif or jpeg of at most 5 MiB. */
    file: Blob;
    userId?: string;
  };
};
export type RemoveProfileImageApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type RemoveProfileImageApiArg = {
  empty: Empty;
};
export type UpdateProfileApiResponse = /** status 200 It succeeded. */ OwnUserAnswer;
export type UpdateProfileApiArg = {
  profileUpdate: ProfileUpdate;
};
export type GetSiteApiResponse = /** status 200 It succeeded. */ SiteAnswer;
export type GetSiteApiArg = void;
export type StripeWebhookApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type StripeWebhookApiArg = {
  /** An event, signed in the header `Stripe-Signature`. */
  body: any;
};
export type ReadSubscriptionApiResponse =
  /** status 200 The action's answer. */ InvoicesAnswer | PlansAnswer | StripeKeyAnswer | SubscriptionAnswer;
export type ReadSubscriptionApiArg = {
  action: 'get_subscription' | 'get_stripekey' | 'get_plans' | 'list_invoices';
  /** The action's payload as JSON text; `x-actions` names its schema. */
  payload?: string;
};
export type WriteSubscriptionApiResponse =
  | /** status 200 The action's answer. */ Acknowledgement
  | CreateSubscriptionItemAnswer
  | PaymentMethodsAnswer
  | SetupIntentAnswer
  | SubscriptionAnswer;
export type WriteSubscriptionApiArg = {
  body:
    | ({
        action: 'add_payment_method';
      } & AddPaymentMethodAction)
    | ({
        action: 'cancel_subscription';
      } & CancelSubscriptionAction)
    | ({
        action: 'change_plan';
      } & ChangePlanAction)
    | ({
        action: 'create_setup_intent';
      } & CreateSetupIntentAction)
    | ({
        action: 'create_subscription_iten';
      } & CreateSubscriptionItemAction)
    | ({
        action: 'finish_plan_change';
      } & FinishPlanChangeAction)
    | ({
        action: 'resume_subscription';
      } & ResumeSubscriptionAction)
    | ({
        action: 'set_default_payment_method';
      } & SetDefaultPaymentMethodAction)
    | ({
        action: 'subscribe';
      } & SubscribeAction);
};
export type ReadUserProfileApiResponse = /** status 200 The action's answer. */ UserAnswer | UsersAnswer;
export type ReadUserProfileApiArg = {
  action: 'get_user_by_id' | 'find_user' | 'search_user' | 'search_user_profile';
  /** The action's payload as JSON text; `x-actions` names its schema. */
  payload?: string;
};
export type WriteUserProfileApiResponse =
  /** status 200 The action's answer. */ Acknowledgement | DisplayNameAnswer | OwnUserAnswer;
export type WriteUserProfileApiArg = {
  body:
    | ({
        action: 'assign_random_display_name';
      } & AssignRandomDisplayNameAction)
    | ({
        action: 'create_profile';
      } & CreateProfileAction)
    | ({
        action: 'delete_user_profile';
      } & DeleteUserProfileAction)
    | ({
        action: 'update_user_profile';
      } & UpdateUserProfileAction);
};
export type LogDataApiResponse = /** status 200 It succeeded. */ Acknowledgement;
export type LogDataApiArg = {
  clientLog: ClientLog;
};
export type CalendarAuthUrlAnswer = {
  authUrl: string;
  succeeded: boolean;
};
export type Failure = {
  /** For a program, in kebab-case. */
  errorCode: string;
  /** For a person. */
  errorMessage: string;
  /** What is wrong with which field, where the status is 422. */
  fieldErrors?: {
    [key: string]: string;
  };
  /** Found again in the server's log. */
  requestId: string;
  /** The free plan does not allow it; Pro would (`join_event`). */
  requiresUpgrade?: boolean;
  /** Always false. */
  succeeded: boolean;
};
export type CalendarStatusAnswer = {
  /** Calendars can be connected on this server. */
  configured: boolean;
  connected: boolean;
  succeeded: boolean;
};
export type SucceededData = {
  succeeded: boolean;
};
export type RequestVerificationCodeAnswer = {
  data: SucceededData;
  succeeded: boolean;
};
export type RequestVerificationCode = {
  email: string;
};
export type Acknowledgement = {
  succeeded: boolean;
};
export type UpdatePassword = {
  email: string;
  newPassword: string;
};
export type ValidateVerificationCode = {
  /** 100000 to 999999. */
  code: number;
  email: string;
};
export type Empty = object;
export type User = {
  createdAt: string;
  displayName: string;
  /** Empty for a guest. */
  email: string;
  emailVerified: boolean;
  firstName: string;
  /** Deleting the account and changing its email ask for the password. */
  hasPassword: boolean;
  isAdmin: boolean;
  isProUser: boolean;
  isTempUser: boolean;
  lastName: string;
  /** Address of the avatar at 256 pixels; empty without one. */
  profile: string;
  /** The same, 64 pixels wide; absent without one. */
  profileUrl?: string;
  userId: string;
  username: string;
  /** When the username may be changed again; absent if it may be now. */
  usernameChangeableAt?: string;
};
export type CheckLoginAnswer = {
  /** Games that a guest has, and may bring along when signing in to an account. Only for guests. */
  guestGames?: number;
  isLogIn: boolean;
  succeeded: boolean;
  user?: User;
};
export type RequestEmailChange = {
  newEmail: string;
  /** Needed unless the account has none; then the sign-in must be fresh. */
  password?: string;
};
export type UndoEmailChange = {
  token: string;
};
export type EmailChangedAnswer = {
  succeeded: boolean;
  user: User;
};
export type VerifyEmailChange = {
  /** 100000 to 999999. */
  code: number;
};
export type RequestEmailCode = {
  email?: string;
};
export type VerifyEmail = {
  /** 100000 to 999999. */
  code: number;
};
export type LoginAnswer = {
  /** Games that came along, where `keepGuestGames` asked for it. */
  guestGames?: number;
  isLogIn: boolean;
  /** This call made the account. With a provider its username was made of the name there, and can be changed. */
  isNew: boolean;
  succeeded: boolean;
  user: User;
};
export type AccountType = 'local' | 'google' | 'oidc';
export type LoginRequest = {
  accountType?: AccountType;
  /** The provider's ID token. */
  credential?: string;
  email: string;
  firstName?: string;
  isGoogleAccount: boolean;
  /** A guest brings their games along. */
  keepGuestGames?: boolean;
  lastName?: string;
  password?: string;
  username?: string;
};
export type ChangePassword = {
  currentPassword: string;
  newPassword: string;
};
export type Provider = {
  /** Calendars can be connected. */
  calendar: boolean;
  clientId: string;
  /** Google's own button is used; else the authorization code flow. */
  isGoogle: boolean;
  issuer: string;
  /** Shown on the button, for example `Google`. */
  name: string;
  /** To be carried by the ID token. */
  nonce: string;
};
export type ProvidersAnswer = {
  guests: boolean;
  /** Email and password. */
  local: boolean;
  /** Recovery mails really leave the machine. */
  mail: boolean;
  provider?: Provider;
  /** Local accounts may be made. */
  registration: boolean;
  succeeded: boolean;
};
export type RegisterRequest = {
  accountType: AccountType;
  /** The provider's ID token. */
  credential?: string;
  email: string;
  firstName: string;
  isGoogleAccount: boolean;
  /** A guest whose provider account exists already brings their games along; one who makes an account keeps them
    in any case. */
  keepGuestGames?: boolean;
  lastName: string;
  password?: string;
  /** Required without a provider; with one it is made of the name there if it is absent. */
  username?: string;
};
export type Session = {
  address: string;
  createdAt: string;
  /** For example `Firefox on Linux`. */
  device: string;
  /** The session that asks. */
  isCurrent: boolean;
  lastUsedAt: string;
  sessionId: string;
};
export type SessionsAnswer = {
  sessions: Session[];
  succeeded: boolean;
};
export type RevokeSession = {
  sessionId: string;
};
export type SetupAnswer = {
  /** There is no admin yet and the token, if one was sent, is good. */
  open: boolean;
  succeeded: boolean;
};
export type SetupRequest = {
  email: string;
  firstName: string;
  lastName: string;
  password: string;
  token: string;
  username: string;
};
export type AuditSubject = 'user' | 'event' | 'game';
export type AuditEntry = {
  action: string;
  /** A username, or the name of an operator token. */
  actor: string;
  address: string;
  at: string;
  auditId: string;
  detail?: string;
  subject: string;
  /** What the subject is, where it has a page. */
  subjectKind?: AuditSubject & any;
  /** What the subject is called today: a username, an event's title, a game's players. */
  subjectName?: string;
};
export type Pagination = {
  /** Counted from 1. */
  currentPage: number;
  hasNextPage: boolean;
  hasPrevPage: boolean;
  limit: number;
  totalCount: number;
};
export type AuditAnswer = {
  entries: AuditEntry[];
  pagination: Pagination;
  succeeded: boolean;
};
export type BillingEvent = {
  at: string;
  billingEventId: string;
  detail: string;
  kind: string;
  userId?: string;
};
export type BillingEventsAnswer = {
  events: BillingEvent[];
  pagination: Pagination;
  succeeded: boolean;
};
export type FoundIdsAnswer = {
  ids: string[];
  succeeded: boolean;
};
export type GameType = 'invite' | 'event';
export type GamePlayerRef = {
  displayName: string;
  /** Where the picture is, 64 pixels wide; absent without one. */
  profileUrl?: string;
  userId: string;
  username: string;
};
export type EndReason = 'line' | 'forfeit' | 'timeout' | 'noShow' | 'disconnect' | 'time' | 'adjudicated' | 'void';
export type GameStatus = 'waiting' | 'active' | 'completed' | 'cancelled';
export type Game = {
  boardSize: number;
  createdAt: string;
  /** Whose turn it is; absent while nobody may move. */
  currentTurn?: string;
  drawCount: number;
  endedAt?: string;
  eventId: string;
  gameId: string;
  gameType: GameType;
  initiatorUserId: string;
  inviteToken?: string;
  isDraw: boolean;
  /** The caller plays in it: it is opened to be played, never to be watched. Absent for others. */
  isOwn?: boolean;
  level: number;
  /** Moves of the present round so far. */
  moveCount?: number;
  notify: boolean;
  players: GamePlayerRef[];
  reason?: EndReason;
  status: GameStatus;
  winnerUserId?: string;
  /** The caller is to move. */
  yourTurn: boolean;
};
export type LiveGamesAnswer = {
  games: Game[];
  pagination: Pagination;
  succeeded: boolean;
};
export type StoreHealth = {
  /** Moves waiting for their commit. */
  pending: number;
  /** A write was answered within the last 5 seconds. */
  ready: boolean;
};
export type OverviewAnswer = {
  billingConfigured: boolean;
  connections: number;
  liveGames: number;
  /** Mails leave by SMTP; else they are written to the outbox folder. */
  mailConfigured: boolean;
  /** Since the start. */
  moves: number;
  serverTime: string;
  startedAt: string;
  store: StoreHealth;
  succeeded: boolean;
  users: number;
  version: string;
  waitingGames: number;
  warnings: string[];
};
export type OperatorToken = {
  createdAt: string;
  expiresAt?: string;
  lastUsedAt?: string;
  name: string;
  tokenId: string;
};
export type TokensAnswer = {
  /** The one with which this was asked, if it was one. */
  currentTokenId?: string;
  succeeded: boolean;
  tokens: OperatorToken[];
};
export type UserSessionsAnswer = {
  sessions: Session[];
  succeeded: boolean;
};
export type Subscription = {
  /** It ends then and is not renewed. */
  endsAt?: string;
  /** A payment failed; Pro lasts until then. */
  graceUntil?: string;
  /** Granted by an operator. */
  isGranted: boolean;
  /** A payment was made and has not arrived yet; Pro begins, or goes on, when it has. Absent otherwise. */
  isProcessing?: boolean;
  isSubScribe: boolean;
  name?: string;
  nextPaymentDate?: string;
  planId?: string;
  /** In cents. */
  price?: number;
};
export type UserSubscription = {
  displayName: string;
  isProUser: boolean;
  /** Where the picture is, 64 pixels wide; absent without one. */
  profileUrl?: string;
  /** The provider's name for it. */
  providerId?: string;
  /** Of a grant. */
  reason?: string;
  /** As the payment provider calls it, for example `active` or `past_due`; absent without a subscription. */
  status?: string;
  subscription: Subscription;
  userId: string;
  username: string;
};
export type UserSubscriptionsAnswer = {
  pagination: Pagination;
  subscriptions: UserSubscription[];
  succeeded: boolean;
};
export type UsersListAnswer = {
  pagination: Pagination;
  succeeded: boolean;
  users: User[];
};
export type AdminUserAnswer = {
  succeeded: boolean;
  user: User;
};
export type CreateTokenAnswer = {
  succeeded: boolean;
  token: string;
  tokenId: string;
};
export type Symbol = 'X' | 'O';
export type GameMove = {
  /** Unix milliseconds. */
  at: number;
  col: number;
  row: number;
  symbol: Symbol;
};
export type GamePlayer = {
  /** When the opponent may claim the win, or the server decides; Unix milliseconds. */
  absentUntil?: number;
  /** Is in the game right now. */
  connected: boolean;
  displayName: string;
  /** Where the picture is, 128 pixels wide; absent without one. */
  profileUrl?: string;
  symbol: Symbol;
  /** Milliseconds spent on own turns. */
  timeUsedMs: number;
  userId: string;
  username: string;
};
export type GameState = {
  board: string[][];
  boardSize: number;
  createdAt: string;
  /** Whose turn it is; absent while nobody may move. */
  currentTurn?: string;
  /** Rounds that ended in a draw so far. */
  drawCount: number;
  endedAt?: string;
  eventId: string;
  forfeiter?: string;
  gameId: string;
  gameType: GameType;
  initiatorUserId: string;
  /** For whom made the game, while a seat is open. */
  inviteToken?: string;
  isDraw: boolean;
  level: number;
  /** Moves of the present round, in order. */
  moves: GameMove[];
  /** Who offers the next game, while it waits for the other. */
  nextGameBy?: string;
  /** The game that Play Again made, unless it was called off; only `get_game` tells it. */
  nextGameId?: string;
  notify: boolean;
  /** An open seat is absent. */
  players: GamePlayer[];
  reason?: EndReason;
  /** Unix milliseconds. */
  serverTime: number;
  status: GameStatus;
  /** Unix milliseconds; absent without a timer. */
  turnDeadline?: number;
  /** One more for each change. */
  version: number;
  winner?: Symbol;
  winnerUserId?: string;
  /** Row and column of each cell of the winning line. */
  winningLine?: number[][];
};
export type GameAnswer = {
  game: GameState;
  succeeded: boolean;
};
export type AdjudicateGame = {
  gameId: string;
  reason: string;
  winnerUserId?: string;
};
export type AdjudicateGameAction = {
  action: 'adjudicate_game';
  payload: AdjudicateGame;
};
export type CreateAdmin = {
  email: string;
  password: string;
  username: string;
};
export type CreateAdminAction = {
  action: 'create_admin';
  payload: CreateAdmin;
};
export type CreateToken = {
  /** Days; it never ends if absent. */
  expiresInDays?: number;
  name: string;
};
export type CreateTokenAction = {
  action: 'create_token';
  payload: CreateToken;
};
export type DemoteUser = {
  account: string;
};
export type DemoteUserAction = {
  action: 'demote_user';
  payload: DemoteUser;
};
export type GrantPro = {
  reason: string;
  until?: string;
  userId: string;
};
export type GrantProAction = {
  action: 'grant_pro';
  payload: GrantPro;
};
export type PromoteUser = {
  account: string;
};
export type PromoteUserAction = {
  action: 'promote_user';
  payload: PromoteUser;
};
export type ResetPassword = {
  account: string;
  newPassword: string;
};
export type ResetPasswordAction = {
  action: 'reset_password';
  payload: ResetPassword;
};
export type RevokePro = {
  reason: string;
  userId: string;
};
export type RevokeProAction = {
  action: 'revoke_pro';
  payload: RevokePro;
};
export type RevokeSessionAction = {
  sessionId: string;
  userId: string;
};
export type RevokeSessionActionAction = {
  action: 'revoke_session';
  payload: RevokeSessionAction;
};
export type RevokeToken = {
  tokenId: string;
};
export type RevokeTokenAction = {
  action: 'revoke_token';
  payload: RevokeToken;
};
export type SetAdmin = {
  isAdmin: boolean;
  userId: string;
};
export type SetAdminAction = {
  action: 'set_admin';
  payload: SetAdmin;
};
export type PaymentMethod = {
  /** Of what is no card its kind, such as `sepa_debit`. */
  brand: string;
  expires?: string;
  isDefault: boolean;
  last4?: string;
  paymentMethodId: string;
};
export type PaymentMethodsAnswer = {
  paymentMethods: PaymentMethod[];
  succeeded: boolean;
};
export type RemovePaymentMethod = {
  paymentMethodId: string;
};
export type UserProfile = {
  displayName: string;
  isProUser: boolean;
  isTempUser: boolean;
  /** Address of the picture at 256 pixels; empty without one. */
  profile: string;
  /** The same, 64 pixels wide; absent without one. */
  profileUrl?: string;
  userId: string;
  username: string;
};
export type UsersAnswer = {
  succeeded: boolean;
  users: UserProfile[];
};
export type PaymentStatus = 'succeeded' | 'processing' | 'requiresAction';
export type SubscriptionAnswer = {
  /** With it a browser confirms the payment that a change of the plan waits for. */
  clientSecret?: string;
  freeEventsLimit?: number;
  /** When the count begins anew. */
  freeEventsResetAt?: string;
  /** Events joined this month, of those that the free plan allows; absent with Pro, which has no limit. */
  freeEventsUsed?: number;
  /** Answers `subscribe`, `change_plan` and `finish_plan_change`: what became of the payment. */
  paymentStatus?: PaymentStatus & any;
  subscription: Subscription;
  succeeded: boolean;
};
export type CancelSubscription = {
  /** A number is taken too. */
  planId?: string;
};
export type DeleteAccount = {
  /** Needed unless the account has none; then the sign-in must be fresh. Guests need neither. */
  password?: string;
};
export type Announcement = {
  at: string;
  message: string;
};
export type EventState = 'drafted' | 'published' | 'started' | 'ended' | 'cancelled';
export type EventType = 'open' | 'closed';
export type Winner = {
  displayName: string;
  level: number;
  /** Where the picture is, 64 pixels wide; absent without one. */
  profileUrl?: string;
  userId: string;
  username: string;
  wins: number;
};
export type Event = {
  _id: string;
  /** What its admins told those who take part: the latest 20, the newest last. */
  announcements: Announcement[];
  /** The winners are final; also true for a cancelled event. */
  concluded: boolean;
  createdAt: string;
  /** Between the end and the winners: the moment by which the last games are decided. Absent while a concluded
    event is open again for corrections. */
  decidedBy?: string;
  description: string;
  endTime?: string;
  /** When it really ended, or was cancelled. */
  endedAt?: string;
  eventId: string;
  eventState: EventState;
  eventType: EventType;
  /** Games that wait for their players or are played. */
  gamesInPlay: number;
  maxLosses: number;
  /** How many have joined to play. */
  participantCount: number;
  prize?: string;
  /** How many are registered. */
  signupCount: number;
  startTime?: string;
  /** When it really started. */
  startedAt?: string;
  title: string;
  updatedAt: string;
  winners: Winner[];
};
export type EventAnswer = {
  event: Event;
  succeeded: boolean;
};
export type EventsAnswer = {
  events: Event[];
  pagination: Pagination;
  succeeded: boolean;
};
export type Counts = {
  level: number;
  losses: number;
  wins: number;
};
export type CorrectionKind = 'standing' | 'result' | 'removal';
export type Correction = {
  after?: Counts;
  at: string;
  /** Absent, as what came after it, for a correction by an older version. */
  before?: Counts & any;
  /** A username, or the name of an operator token. */
  by: string;
  displayName: string;
  /** Where the picture is, 64 pixels wide; absent without one. */
  profileUrl?: string;
  reason?: string;
  userId: string;
  username: string;
  what: CorrectionKind;
};
export type VerifyEventAnswer = {
  /** Stored standings and winners agree with what the games and the corrections say. */
  agrees: boolean;
  /** What admins corrected, the first first. */
  corrections: Correction[];
  /** What differs, in words. */
  differences: string[];
  games: number;
  players: number;
  succeeded: boolean;
};
export type Player = {
  displayName: string;
  /** For admins only. */
  email?: string;
  eventId: string;
  isEliminated: boolean;
  /** Taken out by an admin; absent for all others. */
  isRemoved?: boolean;
  level: number;
  losses: number;
  /** Where the picture is, 64 pixels wide; absent without one. */
  profileUrl?: string;
  /** From 1, in the order of the leaderboard. */
  rank?: number;
  userId: string;
  username: string;
  wins: number;
};
export type JoinEventAnswer = {
  player?: Player;
  requiresUpgrade: boolean;
  succeeded: boolean;
};
export type PlayerAnswer = {
  player: Player;
  succeeded: boolean;
};
export type Announce = {
  eventId: string;
  message: string;
};
export type AnnounceAction = {
  action: 'announce';
  payload: Announce;
};
export type CancelEvent = {
  eventId: string;
};
export type CancelEventAction = {
  action: 'cancel_event';
  payload: CancelEvent;
};
export type ConcludeEvent = {
  eventId: string;
};
export type ConcludeEventAction = {
  action: 'conclude_event';
  payload: ConcludeEvent;
};
export type CreateEvent = {
  description?: string;
  endTime?: string;
  /** Drafted, if given. */
  eventState?: EventState & any;
  /** Open if absent. */
  eventType?: EventType & any;
  /** 0 never eliminates; 3 if absent. */
  maxLosses?: number;
  prize?: string;
  startTime?: string;
  /** Trimmed; required. */
  title: string;
};
export type CreateEventAction = {
  action: 'create_event';
  payload: CreateEvent;
};
export type DeleteEvent = {
  eventId: string;
};
export type DeleteEventAction = {
  action: 'delete_event';
  payload: DeleteEvent;
};
export type DuplicateEvent = {
  eventId: string;
};
export type DuplicateEventAction = {
  action: 'duplicate_event';
  payload: DuplicateEvent;
};
export type EndEvent = {
  eventId: string;
};
export type EndEventAction = {
  action: 'end_event';
  payload: EndEvent;
};
export type JoinEvent = {
  eventId: string;
  userId?: string;
  username?: string;
};
export type JoinEventAction = {
  action: 'join_event';
  payload: JoinEvent;
};
export type RemoveParticipant = {
  eventId: string;
  reason: string;
  userId: string;
};
export type RemoveParticipantAction = {
  action: 'remove_participant';
  payload: RemoveParticipant;
};
export type ReopenEvent = {
  eventId: string;
  reason: string;
};
export type ReopenEventAction = {
  action: 'reopen_event';
  payload: ReopenEvent;
};
export type StartEvent = {
  eventId: string;
};
export type StartEventAction = {
  action: 'start_event';
  payload: StartEvent;
};
export type UpdateEvent = {
  description?: string;
  endTime?: string;
  eventId: string;
  /** `published` publishes a draft; nothing else is set this way. */
  eventState?: EventState & any;
  eventType?: EventType;
  maxLosses?: number;
  prize?: string;
  startTime?: string;
  title?: string;
};
export type UpdateEventAction = {
  action: 'update_event';
  payload: UpdateEvent;
};
export type SignUpStatusAnswer = {
  isSignedUp: boolean;
  succeeded: boolean;
};
export type SignupStatus = 'registered' | 'active' | 'eliminated' | 'removed';
export type Signup = {
  _id: string;
  createdAt: string;
  displayName: string;
  /** For admins only. */
  email?: string;
  eventId: string;
  level: number;
  losses: number;
  /** Where the picture is, 64 pixels wide; absent without one. */
  profileUrl?: string;
  signupId: string;
  status: SignupStatus;
  userId: string;
  username: string;
  wins: number;
};
export type SignupAnswer = {
  signup: Signup;
  succeeded: boolean;
};
export type SignupsAnswer = {
  pagination: Pagination;
  signups: Signup[];
  succeeded: boolean;
};
export type RemoveSignup = {
  eventId: string;
  userId?: string;
};
export type RemoveSignupAction = {
  action: 'remove_signup';
  payload: RemoveSignup;
};
export type SignUp = {
  eventId: string;
  userId?: string;
};
export type SignUpAction = {
  action: 'sign_up';
  payload: SignUp;
};
export type GamesAnswer = {
  games: Game[];
  pagination: Pagination;
  succeeded: boolean;
};
export type ReplayPlayer = {
  displayName: string;
  /** Where the picture is, 128 pixels wide; absent without one. */
  profileUrl?: string;
  symbol: Symbol;
  userId: string;
  username: string;
};
export type ReplayRound = {
  boardSize: number;
  moves: GameMove[];
  starter: Symbol;
};
export type Replay = {
  createdAt: string;
  endedAt?: string;
  eventId: string;
  gameId: string;
  gameType: GameType;
  isDraw: boolean;
  players: ReplayPlayer[];
  reason?: EndReason;
  rounds: ReplayRound[];
  winner?: Symbol;
};
export type ReplayAnswer = {
  replay: Replay;
  succeeded: boolean;
};
export type CreateGameAnswer = {
  game: Game;
  succeeded: boolean;
};
export type MakeMoveAnswer = {
  game: GameState;
  succeeded: boolean;
};
export type ShareGameAnswer = {
  shareToken: string;
  succeeded: boolean;
};
export type CancelGameAction = {
  gameId: string;
  userId?: string;
};
export type CancelGameActionAction = {
  action: 'cancel_game';
  payload: CancelGameAction;
};
export type ClaimSeat = {
  gameId: string;
  inviteToken: string;
};
export type ClaimSeatAction = {
  action: 'claim_seat';
  payload: ClaimSeat;
};
export type ClaimWin = {
  gameId: string;
};
export type ClaimWinAction = {
  action: 'claim_win';
  payload: ClaimWin;
};
export type PlayerRef = {
  userId: string;
  username?: string;
};
export type CreateGame = {
  /** 3 to 6; 3 if absent. */
  boardSize?: number;
  /** `remote-` and the game's id, if given. */
  eventId?: string;
  /** A random UUID; the server makes one if it is absent. */
  gameId?: string;
  gameType: GameType;
  initiatorUserId?: string;
  /** 1, if given. */
  level?: number;
  /** Tells the invited player; true if absent. */
  notify?: boolean;
  players: PlayerRef[];
};
export type CreateGameAction = {
  action: 'create_game';
  payload: CreateGame;
};
export type EndGame = {
  gameId: string;
  userId?: string;
};
export type EndGameAction = {
  action: 'end_game';
  payload: EndGame;
};
export type MakeMoveAction = {
  /** Counted from 0. */
  col: number;
  gameId: string;
  /** Counted from 0. */
  row: number;
  userId?: string;
  /** The version of the state that the move was made on. */
  version?: number;
};
export type MakeMoveActionAction = {
  action: 'make_move';
  payload: MakeMoveAction;
};
export type PlayAgain = {
  gameId: string;
};
export type PlayAgainAction = {
  action: 'play_again';
  payload: PlayAgain;
};
export type ShareGame = {
  gameId: string;
};
export type ShareGameAction = {
  action: 'share_game';
  payload: ShareGame;
};
export type ExportLogsAnswer = {
  ndjson: string;
  succeeded: boolean;
};
export type RecentActivity = {
  /** Errors among all records of the last 24 hours, 0 to 1. */
  errorRate: number;
  last24Hours: number;
};
export type LogStats = {
  /** Records that the full queue let go since the start. */
  dropped: number;
  /** Records an hour over the last 24 hours, oldest first, per level. */
  hourly: {
    [key: string]: number[];
  };
  levelStats: {
    [key: string]: number;
  };
  recentActivity: RecentActivity;
  /** The program's own parts. */
  services: string[];
};
export type LogStatsAnswer = {
  data: LogStats;
  succeeded: boolean;
};
export type LogLevel = 'error' | 'warning' | 'info' | 'debug';
export type LogEntry = {
  _id: string;
  context?: string;
  fileName?: string;
  level: LogLevel;
  logId: string;
  message: string;
  platform: string;
  requestId?: string;
  service: string;
  sessionId?: string;
  stack?: string;
  timestamp: string;
  userId?: string;
};
export type LogsData = {
  logs: LogEntry[];
  nextCursor?: string;
  pagination: Pagination;
};
export type LogsAnswer = {
  data: LogsData;
  succeeded: boolean;
};
export type ClearLogsAnswer = {
  cleared: number;
  succeeded: boolean;
};
export type ClientLog = {
  context?: string;
  date?: string;
  fileName?: string;
  isError?: boolean;
  level: LogLevel;
  message: string;
  /** `web`, if absent. */
  platform?: string;
  requestId?: string;
  sessionId?: string;
  stack?: string;
  timestamp?: string;
};
export type BulkLog = {
  messages: ClientLog[];
};
export type BulkLogAction = {
  action: 'bulkLog';
  payload: BulkLog;
};
export type ClearLogs = {
  /** Only what is older. */
  before?: string;
};
export type ClearLogsAction = {
  action: 'clearLogs';
  payload: ClearLogs;
};
export type ClientLogAction = {
  action: 'log';
  payload: ClientLog;
};
export type CheckPlayerAnswer = {
  isEliminated: boolean;
  player?: Player;
  succeeded: boolean;
  /** Why they were taken out of the event room; absent unless they were, and once they are back. */
  takenOut?: string;
};
export type PlayersAnswer = {
  pagination: Pagination;
  players: Player[];
  succeeded: boolean;
};
export type JoinEventRoomAnswer = {
  player: Player;
  queueSize: number;
  /** As of `eventJoined`. */
  stillThere?: boolean;
  succeeded: boolean;
};
export type ClearEvent = {
  userId: string;
};
export type ClearEventAction = {
  action: 'clear_event';
  payload: ClearEvent;
};
export type CreatePlayer = {
  eventId: string;
  userId: string;
};
export type CreatePlayerAction = {
  action: 'create_player';
  payload: CreatePlayer;
};
export type JoinEventRoomAction = {
  eventId: string;
  socketId?: string;
  userId?: string;
};
export type JoinEventRoomActionAction = {
  action: 'join_event_room';
  payload: JoinEventRoomAction;
};
export type LeaveEventRoomAction = {
  eventId: string;
  userId?: string;
};
export type LeaveEventRoomActionAction = {
  action: 'leave_event_room';
  payload: LeaveEventRoomAction;
};
export type RecordResult = {
  didWin: boolean;
  eventId?: string;
  /** Why; it stands in the receipt. */
  reason?: string;
  userId: string;
};
export type RecordResultAction = {
  action: 'record_result';
  payload: RecordResult;
};
export type SetEvent = {
  eventId: string;
  userId: string;
};
export type SetEventAction = {
  action: 'set_event';
  payload: SetEvent;
};
export type PlayerUpdates = {
  isEliminated?: boolean;
  level?: number;
  losses?: number;
  wins?: number;
};
export type UpdatePlayer = {
  eventId?: string;
  /** Why; it stands in the receipt. */
  reason?: string;
  updates: PlayerUpdates;
  userId: string;
};
export type UpdatePlayerAction = {
  action: 'update_player';
  payload: UpdatePlayer;
};
export type ProfileImageAnswer = {
  profileUrl: string;
  succeeded: boolean;
};
export type OwnUserAnswer = {
  succeeded: boolean;
  user: User;
};
export type ProfileUpdate = {
  /** Not looked at. */
  createdAt?: string;
  displayName?: string;
  /** As it is. */
  email?: string;
  /** Not looked at. */
  emailVerified?: boolean;
  firstName?: string;
  /** Not looked at. */
  hasPassword?: boolean;
  /** As it is. */
  isAdmin?: boolean;
  /** As it is. */
  isProUser?: boolean;
  /** As it is. */
  isTempUser?: boolean;
  lastName?: string;
  /** Not looked at. */
  profile?: string;
  /** Not looked at. */
  profileUrl?: string;
  userId?: string;
  username?: string;
  /** Not looked at. */
  usernameChangeableAt?: string;
};
export type SiteAnswer = {
  androidAppUrl?: string;
  iosAppUrl?: string;
  /** Where identities are verified. */
  kycUrl?: string;
  /** A mail address or a URL. */
  operatorContact?: string;
  operatorName?: string;
  succeeded: boolean;
};
export type Invoice = {
  amount: number;
  createdAt: string;
  currency: string;
  invoiceId: string;
  status: string;
  url?: string;
};
export type InvoicesAnswer = {
  invoices: Invoice[];
  pagination: Pagination;
  succeeded: boolean;
};
export type FromPrice = {
  currency: string;
  /** Of one paid period. */
  months: number;
  /** In cents. */
  price: number;
};
export type Plan = {
  currency: string;
  isPopularChoice: boolean;
  /** Of one paid period. */
  months: number;
  name: string;
  planId: string;
  /** In cents. */
  price: number;
  /** For example `27%`. */
  savings?: string;
};
export type PlansAnswer = {
  /** What Pro gives, a line each, as the operator promises it. */
  benefits: string[];
  /** Payments are set up on this server. */
  configured: boolean;
  /** Events that a free account may join in a calendar month (UTC). */
  freeEventsPerMonth: number;
  /** Absent where payments are not set up. */
  fromPrice?: FromPrice & any;
  plans: Plan[];
  succeeded: boolean;
};
export type StripeKeyAnswer = {
  /** Only ever a publishable key (`pk_…`). */
  PUBLISHABLE_SECRET_KEY: string;
  /** Where the payment form is to call instead of Stripe, without a trailing slash: a stand-in for developing
    and testing, which Stripe's own form cannot talk to. Absent with Stripe itself. */
  apiBase?: string;
  succeeded: boolean;
};
export type CreateSubscriptionItemAnswer = {
  clientSecret: string;
  succeeded: boolean;
};
export type SetupIntentAnswer = {
  clientSecret: string;
  succeeded: boolean;
};
export type AddPaymentMethod = {
  /** The plan is paid with it from now on. The first one is the default in any case. */
  makeDefault?: boolean;
  /** One that it takes the place of, as the default too, and that is not kept any more. */
  replaces?: string;
  setupIntentId: string;
};
export type AddPaymentMethodAction = {
  action: 'add_payment_method';
  payload: AddPaymentMethod;
};
export type CancelSubscriptionAction = {
  action: 'cancel_subscription';
  payload: CancelSubscription;
};
export type ChangePlan = {
  /** A number is taken too. */
  planId: string;
};
export type ChangePlanAction = {
  action: 'change_plan';
  payload: ChangePlan;
};
export type CreateSetupIntent = object;
export type CreateSetupIntentAction = {
  action: 'create_setup_intent';
  payload: CreateSetupIntent;
};
export type CreateSubscriptionItem = {
  /** A number is taken too. */
  planId: string;
  /** The caller, if given. */
  user?: string;
};
export type CreateSubscriptionItemAction = {
  action: 'create_subscription_iten';
  payload: CreateSubscriptionItem;
};
export type FinishPlanChange = {
  /** A number is taken too. */
  planId: string;
};
export type FinishPlanChangeAction = {
  action: 'finish_plan_change';
  payload: FinishPlanChange;
};
export type ResumeSubscription = object;
export type ResumeSubscriptionAction = {
  action: 'resume_subscription';
  payload: ResumeSubscription;
};
export type SetDefaultPaymentMethod = {
  paymentMethodId: string;
};
export type SetDefaultPaymentMethodAction = {
  action: 'set_default_payment_method';
  payload: SetDefaultPaymentMethod;
};
export type Subscribe = {
  /** Not believed. */
  isPaid: boolean;
  paymentIntentId: string;
  paymentMethodeId: string;
  /** A number is taken too. */
  planId: string;
  /** The caller, if given. */
  user?: string;
};
export type SubscribeAction = {
  action: 'subscribe';
  payload: Subscribe;
};
export type UserAnswer = {
  /** Only for one's own. */
  account?: User & any;
  succeeded: boolean;
  user: UserProfile;
};
export type DisplayNameAnswer = {
  displayName: string;
  succeeded: boolean;
};
export type AssignRandomDisplayName = {
  userId?: string;
};
export type AssignRandomDisplayNameAction = {
  action: 'assign_random_display_name';
  payload: AssignRandomDisplayName;
};
export type CreateProfile = {
  displayName?: string;
  firstName?: string;
  lastName?: string;
  userId?: string;
};
export type CreateProfileAction = {
  action: 'create_profile';
  payload: CreateProfile;
};
export type DeleteUserProfile = {
  password?: string;
  userId: string;
};
export type DeleteUserProfileAction = {
  action: 'delete_user_profile';
  payload: DeleteUserProfile;
};
export type UpdateUserProfile = {
  displayName?: string;
  firstName?: string;
  lastName?: string;
  userId: string;
  username?: string;
};
export type UpdateUserProfileAction = {
  action: 'update_user_profile';
  payload: UpdateUserProfile;
};

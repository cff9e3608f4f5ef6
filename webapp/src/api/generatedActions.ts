/* @generated from openapi/openapi.json by `npm run api`: do not edit. */

import type { components } from './schema';

type Schemas = components['schemas'];

/** The action API: each resource's actions, whether they read or write, and what they take and answer. */
export interface Actions {
  admin: {
    overview: { kind: 'read'; payload: Schemas['Overview']; answer: Schemas['OverviewAnswer'] };
    history: { kind: 'read'; payload: Schemas['History']; answer: Schemas['HistoryAnswer'] };
    list_users: { kind: 'read'; payload: Schemas['ListUsers']; answer: Schemas['UsersListAnswer'] };
    list_admins: { kind: 'read'; payload: Schemas['ListAdmins']; answer: Schemas['UsersListAnswer'] };
    list_sessions: { kind: 'read'; payload: Schemas['ListSessions']; answer: Schemas['UserSessionsAnswer'] };
    list_personal_tokens: {
      kind: 'read';
      payload: Schemas['ListPersonalTokensOf'];
      answer: Schemas['UserTokensAnswer'];
    };
    list_audit: { kind: 'read'; payload: Schemas['ListAudit']; answer: Schemas['AuditAnswer'] };
    verify_audit: { kind: 'read'; payload: Schemas['VerifyAudit']; answer: Schemas['VerifyAuditAnswer'] };
    verify_ratings: { kind: 'read'; payload: Schemas['VerifyRatings']; answer: Schemas['VerifyRatingsAnswer'] };
    export_audit: { kind: 'read'; payload: Schemas['ExportAudit']; answer: Schemas['ExportAuditAnswer'] };
    list_subscriptions: {
      kind: 'read';
      payload: Schemas['ListSubscriptions'];
      answer: Schemas['UserSubscriptionsAnswer'];
    };
    list_billing_events: {
      kind: 'read';
      payload: Schemas['ListBillingEvents'];
      answer: Schemas['BillingEventsAnswer'];
    };
    list_live_games: { kind: 'read'; payload: Schemas['ListLiveGames']; answer: Schemas['LiveGamesAnswer'] };
    quick_match_queue: { kind: 'read'; payload: Schemas['QuickMatchQueue']; answer: Schemas['QuickMatchQueueAnswer'] };
    list_tokens: { kind: 'read'; payload: Schemas['ListTokens']; answer: Schemas['TokensAnswer'] };
    list_backups: { kind: 'read'; payload: Schemas['ListBackups']; answer: Schemas['BackupsAnswer'] };
    cluster: { kind: 'read'; payload: Schemas['Cluster']; answer: Schemas['ClusterAnswer'] };
    list_webhooks: { kind: 'read'; payload: Schemas['ListWebhooks']; answer: Schemas['WebhooksAnswer'] };
    list_deliveries: { kind: 'read'; payload: Schemas['ListDeliveries']; answer: Schemas['WebhookDeliveriesAnswer'] };
    find_ids: { kind: 'read'; payload: Schemas['FindIds']; answer: Schemas['FoundIdsAnswer'] };
    list_suspended: { kind: 'read'; payload: Schemas['ListSuspended']; answer: Schemas['UsersListAnswer'] };
    list_reports: { kind: 'read'; payload: Schemas['ListReports']; answer: Schemas['ReportsAnswer'] };
    list_engine_scores: { kind: 'read'; payload: Schemas['ListEngineScores']; answer: Schemas['EngineScoresAnswer'] };
    get_engine_evidence: {
      kind: 'read';
      payload: Schemas['GetEngineEvidence'];
      answer: Schemas['EngineEvidenceAnswer'];
    };
    revoke_session: { kind: 'write'; payload: Schemas['RevokeSessionAction']; answer: Schemas['Acknowledgement'] };
    delete_personal_tokens: {
      kind: 'write';
      payload: Schemas['DeletePersonalTokensOf'];
      answer: Schemas['DeletedTokensAnswer'];
    };
    set_admin: { kind: 'write'; payload: Schemas['SetAdmin']; answer: Schemas['AdminUserAnswer'] };
    grant_pro: { kind: 'write'; payload: Schemas['GrantPro']; answer: Schemas['AdminUserAnswer'] };
    revoke_pro: { kind: 'write'; payload: Schemas['RevokePro']; answer: Schemas['AdminUserAnswer'] };
    adjudicate_game: { kind: 'write'; payload: Schemas['AdjudicateGame']; answer: Schemas['GameAnswer'] };
    create_admin: { kind: 'write'; payload: Schemas['CreateAdmin']; answer: Schemas['AdminUserAnswer'] };
    promote_user: { kind: 'write'; payload: Schemas['PromoteUser']; answer: Schemas['AdminUserAnswer'] };
    demote_user: { kind: 'write'; payload: Schemas['DemoteUser']; answer: Schemas['AdminUserAnswer'] };
    reset_password: { kind: 'write'; payload: Schemas['ResetPassword']; answer: Schemas['Acknowledgement'] };
    remove_second_factor: { kind: 'write'; payload: Schemas['RemoveSecondFactor']; answer: Schemas['Acknowledgement'] };
    create_password_link: {
      kind: 'write';
      payload: Schemas['CreatePasswordLink'];
      answer: Schemas['PasswordLinkAnswer'];
    };
    change_email: { kind: 'write'; payload: Schemas['ChangeEmail']; answer: Schemas['AdminUserAnswer'] };
    create_token: { kind: 'write'; payload: Schemas['CreateToken']; answer: Schemas['CreateTokenAnswer'] };
    revoke_token: { kind: 'write'; payload: Schemas['RevokeToken']; answer: Schemas['Acknowledgement'] };
    create_backup: { kind: 'write'; payload: Schemas['CreateBackup']; answer: Schemas['Acknowledgement'] };
    verify_backup: { kind: 'write'; payload: Schemas['VerifyBackup']; answer: Schemas['Acknowledgement'] };
    create_webhook: { kind: 'write'; payload: Schemas['CreateWebhook']; answer: Schemas['CreateWebhookAnswer'] };
    delete_webhook: { kind: 'write'; payload: Schemas['DeleteWebhook']; answer: Schemas['Acknowledgement'] };
    resend_delivery: { kind: 'write'; payload: Schemas['ResendDelivery']; answer: Schemas['WebhookDeliveryAnswer'] };
    test_webhook: { kind: 'write'; payload: Schemas['TestWebhook']; answer: Schemas['Acknowledgement'] };
    suspend_user: { kind: 'write'; payload: Schemas['SuspendUser']; answer: Schemas['AdminUserAnswer'] };
    lift_suspension: { kind: 'write'; payload: Schemas['LiftSuspension']; answer: Schemas['AdminUserAnswer'] };
    rename_user: { kind: 'write'; payload: Schemas['RenameUser']; answer: Schemas['AdminUserAnswer'] };
    remove_picture: { kind: 'write'; payload: Schemas['RemovePicture']; answer: Schemas['AdminUserAnswer'] };
    allow_hosting: { kind: 'write'; payload: Schemas['AllowHosting']; answer: Schemas['AdminUserAnswer'] };
    delete_user: { kind: 'write'; payload: Schemas['DeleteUser']; answer: Schemas['Acknowledgement'] };
    close_report: { kind: 'write'; payload: Schemas['CloseReport']; answer: Schemas['ReportAnswer'] };
  };
  event: {
    get_event_by_id: { kind: 'read'; payload: Schemas['GetEventById']; answer: Schemas['EventAnswer'] };
    list_events: { kind: 'read'; payload: Schemas['ListEvents']; answer: Schemas['EventsAnswer'] };
    verify_event: { kind: 'read'; payload: Schemas['VerifyEvent']; answer: Schemas['VerifyEventAnswer'] };
    get_rounds: { kind: 'read'; payload: Schemas['GetRounds']; answer: Schemas['RoundsAnswer'] };
    get_standings: { kind: 'read'; payload: Schemas['GetStandings']; answer: Schemas['StandingsAnswer'] };
    get_hosting: { kind: 'read'; payload: Schemas['GetHosting']; answer: Schemas['HostingAnswer'] };
    list_invitations: { kind: 'read'; payload: Schemas['ListInvitations']; answer: Schemas['InvitationsAnswer'] };
    create_event: { kind: 'write'; payload: Schemas['CreateEvent']; answer: Schemas['EventAnswer'] };
    update_event: { kind: 'write'; payload: Schemas['UpdateEvent']; answer: Schemas['EventAnswer'] };
    delete_event: { kind: 'write'; payload: Schemas['DeleteEvent']; answer: Schemas['Acknowledgement'] };
    join_event: { kind: 'write'; payload: Schemas['JoinEvent']; answer: Schemas['JoinEventAnswer'] };
    start_event: { kind: 'write'; payload: Schemas['StartEvent']; answer: Schemas['EventAnswer'] };
    end_event: { kind: 'write'; payload: Schemas['EndEvent']; answer: Schemas['EventAnswer'] };
    cancel_event: { kind: 'write'; payload: Schemas['CancelEvent']; answer: Schemas['EventAnswer'] };
    reopen_event: { kind: 'write'; payload: Schemas['ReopenEvent']; answer: Schemas['EventAnswer'] };
    conclude_event: { kind: 'write'; payload: Schemas['ConcludeEvent']; answer: Schemas['EventAnswer'] };
    duplicate_event: { kind: 'write'; payload: Schemas['DuplicateEvent']; answer: Schemas['EventAnswer'] };
    announce: { kind: 'write'; payload: Schemas['Announce']; answer: Schemas['EventAnswer'] };
    remove_participant: { kind: 'write'; payload: Schemas['RemoveParticipant']; answer: Schemas['PlayerAnswer'] };
    set_result: { kind: 'write'; payload: Schemas['SetResult']; answer: Schemas['EventAnswer'] };
    withdraw_player: { kind: 'write'; payload: Schemas['WithdrawPlayer']; answer: Schemas['EventAnswer'] };
    disqualify_player: { kind: 'write'; payload: Schemas['DisqualifyPlayer']; answer: Schemas['EventAnswer'] };
    reinstate_player: { kind: 'write'; payload: Schemas['ReinstatePlayer']; answer: Schemas['EventAnswer'] };
    check_in_player: { kind: 'write'; payload: Schemas['CheckInPlayer']; answer: Schemas['EventAnswer'] };
    start_round: { kind: 'write'; payload: Schemas['StartRound']; answer: Schemas['EventAnswer'] };
    replay_match: { kind: 'write'; payload: Schemas['ReplayMatch']; answer: Schemas['EventAnswer'] };
    extend_event: { kind: 'write'; payload: Schemas['ExtendEvent']; answer: Schemas['EventAnswer'] };
    pause_event: { kind: 'write'; payload: Schemas['PauseEvent']; answer: Schemas['EventAnswer'] };
    resume_event: { kind: 'write'; payload: Schemas['ResumeEvent']; answer: Schemas['EventAnswer'] };
    renew_join_code: { kind: 'write'; payload: Schemas['RenewJoinCode']; answer: Schemas['EventAnswer'] };
    invite_player: { kind: 'write'; payload: Schemas['InvitePlayer']; answer: Schemas['Acknowledgement'] };
    withdraw_invitation: { kind: 'write'; payload: Schemas['WithdrawInvitation']; answer: Schemas['Acknowledgement'] };
  };
  eventSignUp: {
    list_signups_for_event: { kind: 'read'; payload: Schemas['ListSignupsForEvent']; answer: Schemas['SignupsAnswer'] };
    list_signups_for_user: { kind: 'read'; payload: Schemas['ListSignupsForUser']; answer: Schemas['SignupsAnswer'] };
    get_user_sign_up_status: {
      kind: 'read';
      payload: Schemas['GetUserSignUpStatus'];
      answer: Schemas['SignUpStatusAnswer'];
    };
    get_signup_by_event_and_user: {
      kind: 'read';
      payload: Schemas['GetSignupByEventAndUser'];
      answer: Schemas['SignupAnswer'];
    };
    check_entry: { kind: 'read'; payload: Schemas['CheckEntry']; answer: Schemas['EntryAnswer'] };
    list_own_invitations: {
      kind: 'read';
      payload: Schemas['ListOwnInvitations'];
      answer: Schemas['OwnInvitationsAnswer'];
    };
    sign_up: { kind: 'write'; payload: Schemas['SignUp']; answer: Schemas['SignupAnswer'] };
    sign_up_by_code: { kind: 'write'; payload: Schemas['SignUpByCode']; answer: Schemas['SignupAnswer'] };
    check_in: { kind: 'write'; payload: Schemas['CheckIn']; answer: Schemas['SignupAnswer'] };
    remove_signup: { kind: 'write'; payload: Schemas['RemoveSignup']; answer: Schemas['Acknowledgement'] };
    answer_invitation: {
      kind: 'write';
      payload: Schemas['AnswerInvitation'];
      answer: Schemas['AnswerInvitationAnswer'];
    };
  };
  game: {
    get_game: { kind: 'read'; payload: Schemas['GetGame']; answer: Schemas['GameAnswer'] };
    get_games_by_event: { kind: 'read'; payload: Schemas['GetGamesByEvent']; answer: Schemas['GamesAnswer'] };
    get_games_by_user: { kind: 'read'; payload: Schemas['GetGamesByUser']; answer: Schemas['GamesAnswer'] };
    spectatable_games: { kind: 'read'; payload: Schemas['SpectatableGames']; answer: Schemas['GamesAnswer'] };
    live_games: { kind: 'read'; payload: Schemas['LiveGames']; answer: Schemas['LiveNowAnswer'] };
    get_replay: { kind: 'read'; payload: Schemas['GetReplay']; answer: Schemas['ReplayAnswer'] };
    create_game: { kind: 'write'; payload: Schemas['CreateGame']; answer: Schemas['CreateGameAnswer'] };
    make_move: { kind: 'write'; payload: Schemas['MakeMoveAction']; answer: Schemas['MakeMoveAnswer'] };
    end_game: { kind: 'write'; payload: Schemas['EndGame']; answer: Schemas['GameAnswer'] };
    cancel_game: { kind: 'write'; payload: Schemas['CancelGameAction']; answer: Schemas['GameAnswer'] };
    claim_seat: { kind: 'write'; payload: Schemas['ClaimSeat']; answer: Schemas['GameAnswer'] };
    play_again: { kind: 'write'; payload: Schemas['PlayAgain']; answer: Schemas['CreateGameAnswer'] };
    claim_win: { kind: 'write'; payload: Schemas['ClaimWin']; answer: Schemas['GameAnswer'] };
    share_game: { kind: 'write'; payload: Schemas['ShareGame']; answer: Schemas['ShareGameAnswer'] };
  };
  logger: {
    getLogs: { kind: 'read'; payload: Schemas['GetLogs']; answer: Schemas['LogsAnswer'] };
    getLogsByLevel: { kind: 'read'; payload: Schemas['GetLogsByLevel']; answer: Schemas['LogsAnswer'] };
    getLogsByPlatform: { kind: 'read'; payload: Schemas['GetLogsByPlatform']; answer: Schemas['LogsAnswer'] };
    getLogsByUser: { kind: 'read'; payload: Schemas['GetLogsByUser']; answer: Schemas['LogsAnswer'] };
    searchLogs: { kind: 'read'; payload: Schemas['SearchLogs']; answer: Schemas['LogsAnswer'] };
    getLogStats: { kind: 'read'; payload: Schemas['GetLogStats']; answer: Schemas['LogStatsAnswer'] };
    exportLogs: { kind: 'read'; payload: Schemas['ExportLogs']; answer: Schemas['ExportLogsAnswer'] };
    log: { kind: 'write'; payload: Schemas['ClientLog']; answer: Schemas['Acknowledgement'] };
    bulkLog: { kind: 'write'; payload: Schemas['BulkLog']; answer: Schemas['Acknowledgement'] };
    clearLogs: { kind: 'write'; payload: Schemas['ClearLogs']; answer: Schemas['ClearLogsAnswer'] };
  };
  player: {
    get_player: { kind: 'read'; payload: Schemas['GetPlayer']; answer: Schemas['PlayerAnswer'] };
    getPlayersByEvent: { kind: 'read'; payload: Schemas['GetPlayersByEvent']; answer: Schemas['PlayersAnswer'] };
    check_player_for_event: {
      kind: 'read';
      payload: Schemas['CheckPlayerForEvent'];
      answer: Schemas['CheckPlayerAnswer'];
    };
    get_leaderboard: { kind: 'read'; payload: Schemas['GetLeaderboard']; answer: Schemas['PlayersAnswer'] };
    get_rating_list: { kind: 'read'; payload: Schemas['GetRatingList']; answer: Schemas['RatingListAnswer'] };
    list_bots: { kind: 'read'; payload: Schemas['ListBots']; answer: Schemas['BotsAnswer'] };
    get_profile: { kind: 'read'; payload: Schemas['GetProfile']; answer: Schemas['ProfileAnswer'] };
    get_history: { kind: 'read'; payload: Schemas['GetHistory']; answer: Schemas['PlayedGamesAnswer'] };
    get_head_to_head: { kind: 'read'; payload: Schemas['GetHeadToHead']; answer: Schemas['HeadToHeadAnswer'] };
    list_opponents: { kind: 'read'; payload: Schemas['ListOpponents']; answer: Schemas['OpponentsAnswer'] };
    create_player: { kind: 'write'; payload: Schemas['CreatePlayer']; answer: Schemas['PlayerAnswer'] };
    import_players: { kind: 'write'; payload: Schemas['ImportPlayers']; answer: Schemas['ImportPlayersAnswer'] };
    update_player: { kind: 'write'; payload: Schemas['UpdatePlayer']; answer: Schemas['PlayerAnswer'] };
    set_event: { kind: 'write'; payload: Schemas['SetEvent']; answer: Schemas['PlayerAnswer'] };
    clear_event: { kind: 'write'; payload: Schemas['ClearEvent']; answer: Schemas['Acknowledgement'] };
    record_result: { kind: 'write'; payload: Schemas['RecordResult']; answer: Schemas['PlayerAnswer'] };
    join_event_room: { kind: 'write'; payload: Schemas['JoinEventRoomAction']; answer: Schemas['JoinEventRoomAnswer'] };
    leave_event_room: { kind: 'write'; payload: Schemas['LeaveEventRoomAction']; answer: Schemas['Acknowledgement'] };
  };
  series: {
    list_series: { kind: 'read'; payload: Schemas['ListSeries']; answer: Schemas['SeriesListAnswer'] };
    get_series: { kind: 'read'; payload: Schemas['GetSeries']; answer: Schemas['SeriesPageAnswer'] };
    get_series_table: { kind: 'read'; payload: Schemas['GetSeriesTable']; answer: Schemas['SeriesTableAnswer'] };
    preview_series: { kind: 'read'; payload: Schemas['PreviewSeries']; answer: Schemas['SeriesDatesAnswer'] };
    create_series: { kind: 'write'; payload: Schemas['CreateSeries']; answer: Schemas['SeriesAnswer'] };
    update_series: { kind: 'write'; payload: Schemas['UpdateSeries']; answer: Schemas['SeriesAnswer'] };
    end_series: { kind: 'write'; payload: Schemas['EndSeries']; answer: Schemas['SeriesAnswer'] };
    delete_series: { kind: 'write'; payload: Schemas['DeleteSeries']; answer: Schemas['Acknowledgement'] };
  };
  subscription: {
    get_subscription: { kind: 'read'; payload: Schemas['GetSubscription']; answer: Schemas['SubscriptionAnswer'] };
    get_stripekey: { kind: 'read'; payload: Schemas['GetStripekey']; answer: Schemas['StripeKeyAnswer'] };
    get_plans: { kind: 'read'; payload: Schemas['GetPlans']; answer: Schemas['PlansAnswer'] };
    list_invoices: { kind: 'read'; payload: Schemas['ListInvoices']; answer: Schemas['InvoicesAnswer'] };
    subscribe: { kind: 'write'; payload: Schemas['Subscribe']; answer: Schemas['SubscriptionAnswer'] };
    create_subscription_iten: {
      kind: 'write';
      payload: Schemas['CreateSubscriptionItem'];
      answer: Schemas['CreateSubscriptionItemAnswer'];
    };
    cancel_subscription: { kind: 'write'; payload: Schemas['CancelSubscription']; answer: Schemas['Acknowledgement'] };
    resume_subscription: {
      kind: 'write';
      payload: Schemas['ResumeSubscription'];
      answer: Schemas['SubscriptionAnswer'];
    };
    change_plan: { kind: 'write'; payload: Schemas['ChangePlan']; answer: Schemas['SubscriptionAnswer'] };
    finish_plan_change: { kind: 'write'; payload: Schemas['FinishPlanChange']; answer: Schemas['SubscriptionAnswer'] };
    create_setup_intent: { kind: 'write'; payload: Schemas['CreateSetupIntent']; answer: Schemas['SetupIntentAnswer'] };
    add_payment_method: {
      kind: 'write';
      payload: Schemas['AddPaymentMethod'];
      answer: Schemas['PaymentMethodsAnswer'];
    };
    set_default_payment_method: {
      kind: 'write';
      payload: Schemas['SetDefaultPaymentMethod'];
      answer: Schemas['PaymentMethodsAnswer'];
    };
  };
  userprofile: {
    get_user_by_id: { kind: 'read'; payload: Schemas['GetUserById']; answer: Schemas['UserAnswer'] };
    find_user: { kind: 'read'; payload: Schemas['FindUser']; answer: Schemas['UserAnswer'] };
    search_user: { kind: 'read'; payload: Schemas['SearchUser']; answer: Schemas['UsersAnswer'] };
    search_user_profile: { kind: 'read'; payload: Schemas['SearchUserProfile']; answer: Schemas['UsersAnswer'] };
    list_blocked: { kind: 'read'; payload: Schemas['ListBlocked']; answer: Schemas['BlockedAnswer'] };
    get_notification_settings: {
      kind: 'read';
      payload: Schemas['GetNotificationSettings'];
      answer: Schemas['NotificationSettingsAnswer'];
    };
    create_profile: { kind: 'write'; payload: Schemas['CreateProfile']; answer: Schemas['OwnUserAnswer'] };
    update_user_profile: { kind: 'write'; payload: Schemas['UpdateUserProfile']; answer: Schemas['OwnUserAnswer'] };
    delete_user_profile: { kind: 'write'; payload: Schemas['DeleteUserProfile']; answer: Schemas['Acknowledgement'] };
    assign_random_display_name: {
      kind: 'write';
      payload: Schemas['AssignRandomDisplayName'];
      answer: Schemas['DisplayNameAnswer'];
    };
    become_bot: { kind: 'write'; payload: Schemas['BecomeBot']; answer: Schemas['OwnUserAnswer'] };
    report_user: { kind: 'write'; payload: Schemas['ReportUser']; answer: Schemas['Acknowledgement'] };
    block_user: { kind: 'write'; payload: Schemas['BlockUser']; answer: Schemas['Acknowledgement'] };
    unblock_user: { kind: 'write'; payload: Schemas['UnblockUser']; answer: Schemas['Acknowledgement'] };
    update_notification_settings: {
      kind: 'write';
      payload: Schemas['UpdateNotificationSettings'];
      answer: Schemas['NotificationSettingsAnswer'];
    };
    subscribe_push: { kind: 'write'; payload: Schemas['SubscribePush']; answer: Schemas['NotificationSettingsAnswer'] };
    unsubscribe_push: {
      kind: 'write';
      payload: Schemas['UnsubscribePush'];
      answer: Schemas['NotificationSettingsAnswer'];
    };
    show_push_example: { kind: 'write'; payload: Schemas['ShowPushExample']; answer: Schemas['Acknowledgement'] };
  };
}

/** Where each operation of the contract is. */
export const OPERATIONS = {
  getCalendarAuthUrl: { method: 'get', path: '/api/auth/api/v1/calendar/auth-url' },
  getCalendarStatus: { method: 'get', path: '/api/auth/api/v1/calendar/status' },
  requestVerificationCode: { method: 'post', path: '/api/auth/api/v1/requestverificationcode' },
  updatePassword: { method: 'post', path: '/api/auth/api/v1/update-password' },
  validateVerificationCode: { method: 'post', path: '/api/auth/api/v1/validate-verification-code' },
  calendarCallback: { method: 'get', path: '/api/auth/calendar/callback' },
  disconnectCalendar: { method: 'post', path: '/api/auth/calendar/disconnect' },
  checkLogin: { method: 'get', path: '/api/auth/check-login' },
  requestEmailChange: { method: 'post', path: '/api/auth/email/change/request' },
  undoEmailChange: { method: 'post', path: '/api/auth/email/change/undo' },
  verifyEmailChange: { method: 'post', path: '/api/auth/email/change/verify' },
  requestEmailCode: { method: 'post', path: '/api/auth/email/request-code' },
  verifyEmail: { method: 'post', path: '/api/auth/email/verify' },
  playAsGuest: { method: 'post', path: '/api/auth/guest' },
  login: { method: 'post', path: '/api/auth/login' },
  logout: { method: 'post', path: '/api/auth/logout' },
  oidcCallback: { method: 'get', path: '/api/auth/oidc/callback' },
  startOidc: { method: 'get', path: '/api/auth/oidc/start' },
  oidcCallbackFrom: { method: 'get', path: '/api/auth/oidc/{id}/callback' },
  startOidcWith: { method: 'get', path: '/api/auth/oidc/{id}/start' },
  loginWithPasskey: { method: 'post', path: '/api/auth/passkey/login' },
  getPasskeyOptions: { method: 'post', path: '/api/auth/passkey/options' },
  beginPasskey: { method: 'post', path: '/api/auth/passkeys/begin' },
  finishPasskey: { method: 'post', path: '/api/auth/passkeys/finish' },
  removePasskey: { method: 'post', path: '/api/auth/passkeys/remove' },
  renamePasskey: { method: 'post', path: '/api/auth/passkeys/rename' },
  changePassword: { method: 'post', path: '/api/auth/password' },
  checkPasswordLink: { method: 'post', path: '/api/auth/password-link' },
  beginPasskeyByLink: { method: 'post', path: '/api/auth/password-link/passkey/begin' },
  useLinkForPasskey: { method: 'post', path: '/api/auth/password-link/passkey/use' },
  usePasswordLink: { method: 'post', path: '/api/auth/password-link/use' },
  prove: { method: 'post', path: '/api/auth/proof' },
  getProofOptions: { method: 'post', path: '/api/auth/proof/options' },
  getProviders: { method: 'get', path: '/api/auth/providers' },
  register: { method: 'post', path: '/api/auth/register' },
  getSecondFactor: { method: 'get', path: '/api/auth/second-factor' },
  getSecondFactorOptions: { method: 'post', path: '/api/auth/second-factor/options' },
  renewRecoveryCodes: { method: 'post', path: '/api/auth/second-factor/recovery-codes' },
  beginTotp: { method: 'post', path: '/api/auth/second-factor/totp/begin' },
  confirmTotp: { method: 'post', path: '/api/auth/second-factor/totp/confirm' },
  removeTotp: { method: 'post', path: '/api/auth/second-factor/totp/remove' },
  verifySecondFactor: { method: 'post', path: '/api/auth/second-factor/verify' },
  refreshToken: { method: 'post', path: '/api/auth/secure/token/refresh' },
  listSessions: { method: 'get', path: '/api/auth/sessions' },
  revokeSession: { method: 'post', path: '/api/auth/sessions/revoke' },
  revokeAllSessions: { method: 'post', path: '/api/auth/sessions/revoke-all' },
  getSetup: { method: 'get', path: '/api/auth/setup' },
  setUp: { method: 'post', path: '/api/auth/setup' },
  listPersonalTokens: { method: 'get', path: '/api/auth/tokens' },
  createPersonalToken: { method: 'post', path: '/api/auth/tokens' },
  deletePersonalToken: { method: 'post', path: '/api/auth/tokens/delete' },
  exportAccount: { method: 'get', path: '/api/backend/account/export' },
  readAdmin: { method: 'get', path: '/api/backend/admin' },
  writeAdmin: { method: 'post', path: '/api/backend/admin' },
  listPaymentMethods: { method: 'get', path: '/api/backend/api/v1/payment/methode' },
  removePaymentMethod: { method: 'post', path: '/api/backend/api/v1/payment/methode/remove' },
  searchUsers: { method: 'get', path: '/api/backend/api/v1/user/search' },
  getUserSubscription: { method: 'get', path: '/api/backend/api/v1/user/subscription' },
  cancelUserSubscription: { method: 'post', path: '/api/backend/api/v1/user/subscription/cancel' },
  deleteAccount: { method: 'post', path: '/api/backend/delete/account' },
  readEvent: { method: 'get', path: '/api/backend/event' },
  writeEvent: { method: 'post', path: '/api/backend/event' },
  readEventSignUp: { method: 'get', path: '/api/backend/eventSignUp' },
  writeEventSignUp: { method: 'post', path: '/api/backend/eventSignUp' },
  getSeriesCalendar: { method: 'get', path: '/api/backend/events/series/{series_id}/calendar.ics' },
  getEventCalendar: { method: 'get', path: '/api/backend/events/{event_id}/calendar.ics' },
  getEventResultsFile: { method: 'get', path: '/api/backend/events/{event_id}/results.csv' },
  getEventStandingsFile: { method: 'get', path: '/api/backend/events/{event_id}/standings.csv' },
  getEventSwissFile: { method: 'get', path: '/api/backend/events/{event_id}/swiss.trf' },
  readGame: { method: 'get', path: '/api/backend/game' },
  writeGame: { method: 'post', path: '/api/backend/game' },
  exportGames: { method: 'get', path: '/api/backend/game/export_games' },
  readLogger: { method: 'get', path: '/api/backend/logger' },
  writeLogger: { method: 'post', path: '/api/backend/logger' },
  readPlayer: { method: 'get', path: '/api/backend/player' },
  writePlayer: { method: 'post', path: '/api/backend/player' },
  uploadProfileImage: { method: 'post', path: '/api/backend/profile/image' },
  getProfileImage: { method: 'get', path: '/api/backend/profile/image/{user_id}/{size}' },
  removeProfileImage: { method: 'post', path: '/api/backend/profile/remove' },
  updateProfile: { method: 'post', path: '/api/backend/profile/update' },
  readSeries: { method: 'get', path: '/api/backend/series' },
  writeSeries: { method: 'post', path: '/api/backend/series' },
  getSite: { method: 'get', path: '/api/backend/site' },
  stripeWebhook: { method: 'post', path: '/api/backend/stripe/webhook' },
  readSubscription: { method: 'get', path: '/api/backend/subscription' },
  writeSubscription: { method: 'post', path: '/api/backend/subscription' },
  readUserProfile: { method: 'get', path: '/api/backend/userprofile' },
  writeUserProfile: { method: 'post', path: '/api/backend/userprofile' },
  logData: { method: 'post', path: '/api/backend/v1/log/data' },
} as const;

import { api, PAGE_LIMIT, read, write } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

export type EngineScore = Schemas['EngineScore'];
export type AuditEntry = Schemas['AuditEntry'];
export type BillingEvent = Schemas['BillingEvent'];
export type UserSubscription = Schemas['UserSubscription'];
export type Report = Schemas['Report'];
export type Session = Schemas['Session'];
export type OperatorToken = Schemas['OperatorToken'];
export type TokenScope = Schemas['TokenScope'];
export type Webhook = Schemas['Webhook'];
export type WebhookKind = Schemas['WebhookKind'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type Backup = Schemas['Backup'];
export type HistorySample = Schemas['HistorySample'];
export type Overview = Schemas['OverviewAnswer'];
export type User = Schemas['User'];

const accountsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listAudit: build.query<Schemas['AuditAnswer'], Schemas['ListAudit']>({
      query: (payload) => read('admin', 'list_audit', payload),
      providesTags: ['Audit'],
    }),
    /** Newest first, in pages as long as the server allows. */
    auditTrail: build.infiniteQuery<Schemas['AuditAnswer'], void, number>({
      infiniteQueryOptions: {
        initialPageParam: 1,
        getNextPageParam: ({ pagination: { hasNextPage, currentPage } }) => (hasNextPage ? currentPage + 1 : undefined),
      },
      query: ({ pageParam: page }) => read('admin', 'list_audit', { page, limit: PAGE_LIMIT }),
      providesTags: ['Audit'],
    }),
    listUsers: build.query<Schemas['UsersListAnswer'], Schemas['ListUsers']>({
      query: (payload) => read('admin', 'list_users', payload),
      providesTags: ['Accounts'],
    }),
    sessionsOf: build.query<Schemas['UserSessionsAnswer'], string>({
      query: (userId) => read('admin', 'list_sessions', { userId }),
      providesTags: (_answer, _error, userId) => [{ type: 'Accounts', id: userId }],
    }),
    revokeSessionOf: build.mutation<Schemas['Acknowledgement'], Schemas['RevokeSessionAction']>({
      query: (payload) => write('admin', 'revoke_session', payload),
      invalidatesTags: (_answer, _error, { userId }) => [{ type: 'Accounts', id: userId }, 'Audit'],
    }),
    personalTokensOf: build.query<Schemas['UserTokensAnswer'], string>({
      query: (userId) => read('admin', 'list_personal_tokens', { userId }),
      providesTags: (_answer, _error, userId) => [{ type: 'Accounts', id: userId }],
    }),
    deletePersonalTokensOf: build.mutation<Schemas['DeletedTokensAnswer'], Schemas['DeletePersonalTokensOf']>({
      query: (payload) => write('admin', 'delete_personal_tokens', payload),
      invalidatesTags: (_answer, _error, { userId }) => [{ type: 'Accounts', id: userId }, 'Audit'],
    }),
    setAdmin: build.mutation<Schemas['AdminUserAnswer'], Schemas['SetAdmin']>({
      query: (payload) => write('admin', 'set_admin', payload),
      invalidatesTags: ['Accounts', 'Audit'],
    }),
    grantPro: build.mutation<Schemas['AdminUserAnswer'], Schemas['GrantPro']>({
      query: (payload) => write('admin', 'grant_pro', payload),
      invalidatesTags: ['Accounts', 'Audit', 'Ledger'],
    }),
    revokePro: build.mutation<Schemas['AdminUserAnswer'], Schemas['RevokePro']>({
      query: (payload) => write('admin', 'revoke_pro', payload),
      invalidatesTags: ['Accounts', 'Audit', 'Ledger'],
    }),
  }),
});

/** Only after a success: with a list that is loaded again the dialog that says why it failed might go. */
const moderated = (_answer: unknown, error: unknown) =>
  error === undefined ? (['Accounts', 'Audit', 'Reports'] as const) : [];

const moderationApi = accountsApi.injectEndpoints({
  endpoints: (build) => ({
    /** Accounts with a suspension, also one that is over. */
    listSuspended: build.query<Schemas['UsersListAnswer'], Schemas['ListSuspended']>({
      query: (payload) => read('admin', 'list_suspended', payload),
      providesTags: ['Accounts'],
    }),
    listReports: build.query<Schemas['ReportsAnswer'], Schemas['ListReports']>({
      query: (payload) => read('admin', 'list_reports', payload),
      providesTags: ['Reports'],
    }),
    /** How many reports are open. */
    openReports: build.query<number, void>({
      query: () => read('admin', 'overview', {}),
      transformResponse: ({ openReports }: Schemas['OverviewAnswer']) => openReports,
      providesTags: ['Reports'],
    }),
    closeReport: build.mutation<Schemas['ReportAnswer'], Schemas['CloseReport']>({
      query: (payload) => write('admin', 'close_report', payload),
      invalidatesTags: moderated,
    }),
    /** How moves of rated games compare with the solver's, the most unusual first. */
    listEngineScores: build.query<Schemas['EngineScoresAnswer'], Schemas['ListEngineScores']>({
      query: (payload) => read('admin', 'list_engine_scores', payload),
      providesTags: ['Accounts'],
    }),
    engineEvidence: build.query<Schemas['EngineEvidenceAnswer'], string>({
      query: (userId) => read('admin', 'get_engine_evidence', { userId }),
      providesTags: (_answer, _error, userId) => [{ type: 'Accounts', id: userId }],
    }),
    suspendUser: build.mutation<Schemas['AdminUserAnswer'], Schemas['SuspendUser']>({
      query: (payload) => write('admin', 'suspend_user', payload),
      invalidatesTags: moderated,
    }),
    liftSuspension: build.mutation<Schemas['AdminUserAnswer'], Schemas['LiftSuspension']>({
      query: (payload) => write('admin', 'lift_suspension', payload),
      invalidatesTags: moderated,
    }),
    renameUser: build.mutation<Schemas['AdminUserAnswer'], Schemas['RenameUser']>({
      query: (payload) => write('admin', 'rename_user', payload),
      invalidatesTags: moderated,
    }),
    removePicture: build.mutation<Schemas['AdminUserAnswer'], Schemas['RemovePicture']>({
      query: (payload) => write('admin', 'remove_picture', payload),
      invalidatesTags: moderated,
    }),
    allowHosting: build.mutation<Schemas['AdminUserAnswer'], Schemas['AllowHosting']>({
      query: (payload) => write('admin', 'allow_hosting', payload),
      invalidatesTags: moderated,
    }),
    deleteUser: build.mutation<Schemas['Acknowledgement'], Schemas['DeleteUser']>({
      query: (payload) => write('admin', 'delete_user', payload),
      invalidatesTags: moderated,
    }),
  }),
});

const signInApi = moderationApi.injectEndpoints({
  endpoints: (build) => ({
    createPasswordLink: build.mutation<Schemas['PasswordLinkAnswer'], Schemas['CreatePasswordLink']>({
      query: (payload) => write('admin', 'create_password_link', payload),
      invalidatesTags: ['Audit'],
    }),
    changeEmailOf: build.mutation<Schemas['AdminUserAnswer'], Schemas['ChangeEmail']>({
      query: (payload) => write('admin', 'change_email', payload),
      invalidatesTags: moderated,
    }),
    removeSecondFactorOf: build.mutation<Schemas['Acknowledgement'], Schemas['RemoveSecondFactor']>({
      query: (payload) => write('admin', 'remove_second_factor', payload),
      invalidatesTags: moderated,
    }),
    listTokens: build.query<Schemas['TokensAnswer'], void>({
      query: () => read('admin', 'list_tokens', {}),
      providesTags: ['Tokens'],
    }),
    createToken: build.mutation<Schemas['CreateTokenAnswer'], Schemas['CreateToken']>({
      query: (payload) => write('admin', 'create_token', payload),
      invalidatesTags: ['Tokens', 'Audit'],
    }),
    revokeToken: build.mutation<Schemas['Acknowledgement'], Schemas['RevokeToken']>({
      query: (payload) => write('admin', 'revoke_token', payload),
      invalidatesTags: ['Tokens', 'Audit'],
    }),
  }),
});

const serverApi = signInApi.injectEndpoints({
  endpoints: (build) => ({
    overview: build.query<Schemas['OverviewAnswer'], void>({
      query: () => read('admin', 'overview', {}),
      providesTags: ['Server'],
    }),
    lastHour: build.query<Schemas['HistoryAnswer'], void>({
      query: () => read('admin', 'history', {}),
      providesTags: ['Server'],
    }),
    listBackups: build.query<Schemas['BackupsAnswer'], void>({
      query: () => read('admin', 'list_backups', {}),
      providesTags: ['Server'],
    }),
    createBackup: build.mutation<Schemas['Acknowledgement'], void>({
      query: () => write('admin', 'create_backup', {}),
      invalidatesTags: ['Server', 'Audit'],
    }),
    verifyBackup: build.mutation<Schemas['Acknowledgement'], string>({
      query: (backupId) => write('admin', 'verify_backup', { backupId }),
      invalidatesTags: ['Server', 'Audit'],
    }),
    listLiveGames: build.query<Schemas['LiveGamesAnswer'], Schemas['ListLiveGames']>({
      query: (payload) => read('admin', 'list_live_games', payload),
      providesTags: ['LiveGames'],
    }),
    adjudicateGame: build.mutation<Schemas['GameAnswer'], Schemas['AdjudicateGame']>({
      query: (payload) => write('admin', 'adjudicate_game', payload),
      invalidatesTags: ['LiveGames', 'Audit'],
    }),
    verifyAudit: build.query<Schemas['VerifyAuditAnswer'], void>({
      query: () => read('admin', 'verify_audit', {}),
      keepUnusedDataFor: 0,
    }),
    /** A part of the trail, the oldest first; `next` begins the part behind it. */
    exportAudit: build.query<Schemas['ExportAuditAnswer'], Schemas['ExportAudit']>({
      query: (payload) => read('admin', 'export_audit', payload),
      keepUnusedDataFor: 0,
    }),
  }),
});

const webhooksApi = serverApi.injectEndpoints({
  endpoints: (build) => ({
    listWebhooks: build.query<Schemas['WebhooksAnswer'], void>({
      query: () => read('admin', 'list_webhooks', {}),
      providesTags: ['Webhooks'],
    }),
    /** What a webhook was told, the newest first. */
    listDeliveries: build.query<Schemas['WebhookDeliveriesAnswer'], Schemas['ListDeliveries']>({
      query: (payload) => read('admin', 'list_deliveries', payload),
      providesTags: ['Webhooks'],
    }),
    createWebhook: build.mutation<Schemas['CreateWebhookAnswer'], Schemas['CreateWebhook']>({
      query: (payload) => write('admin', 'create_webhook', payload),
      invalidatesTags: ['Webhooks', 'Audit'],
    }),
    deleteWebhook: build.mutation<Schemas['Acknowledgement'], Schemas['DeleteWebhook']>({
      query: (payload) => write('admin', 'delete_webhook', payload),
      invalidatesTags: ['Webhooks', 'Audit'],
    }),
    resendDelivery: build.mutation<Schemas['WebhookDeliveryAnswer'], Schemas['ResendDelivery']>({
      query: (payload) => write('admin', 'resend_delivery', payload),
      invalidatesTags: ['Webhooks', 'Audit'],
    }),
    testWebhook: build.mutation<Schemas['Acknowledgement'], Schemas['TestWebhook']>({
      query: (payload) => write('admin', 'test_webhook', payload),
      invalidatesTags: ['Webhooks', 'Audit'],
    }),
  }),
});

/** Accounts, moderation, the audit trail, subscriptions, and the server itself, for admins. */
export const adminApi = webhooksApi.injectEndpoints({
  endpoints: (build) => ({
    /** Accounts that pay, paid or were granted Pro. */
    subscriptions: build.query<Schemas['UserSubscriptionsAnswer'], Schemas['ListSubscriptions']>({
      query: (payload) => read('admin', 'list_subscriptions', payload),
      providesTags: ['Ledger'],
    }),
    /** Every billing event of every subscription, newest first. */
    billingEvents: build.query<Schemas['BillingEventsAnswer'], Schemas['ListBillingEvents']>({
      query: (payload) => read('admin', 'list_billing_events', payload),
      providesTags: ['Ledger'],
    }),
  }),
});

export const {
  useListAuditQuery,
  useAuditTrailInfiniteQuery,
  useListUsersQuery,
  useSessionsOfQuery,
  usePersonalTokensOfQuery,
  useDeletePersonalTokensOfMutation,
  useRevokeSessionOfMutation,
  useSetAdminMutation,
  useGrantProMutation,
  useListSuspendedQuery,
  useListReportsQuery,
  useOpenReportsQuery,
  useListEngineScoresQuery,
  useEngineEvidenceQuery,
  useCloseReportMutation,
  useSuspendUserMutation,
  useAllowHostingMutation,
  useLiftSuspensionMutation,
  useRenameUserMutation,
  useRemovePictureMutation,
  useDeleteUserMutation,
  useRevokeProMutation,
  useSubscriptionsQuery,
  useBillingEventsQuery,
  useCreatePasswordLinkMutation,
  useChangeEmailOfMutation,
  useRemoveSecondFactorOfMutation,
  useListTokensQuery,
  useCreateTokenMutation,
  useRevokeTokenMutation,
  useOverviewQuery,
  useLastHourQuery,
  useListBackupsQuery,
  useCreateBackupMutation,
  useVerifyBackupMutation,
  useListLiveGamesQuery,
  useAdjudicateGameMutation,
  useListWebhooksQuery,
  useListDeliveriesQuery,
  useCreateWebhookMutation,
  useDeleteWebhookMutation,
  useResendDeliveryMutation,
  useTestWebhookMutation,
  useLazyVerifyAuditQuery,
  useLazyExportAuditQuery,
} = adminApi;

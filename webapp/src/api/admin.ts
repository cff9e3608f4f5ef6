import { api, read, write } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

export type AuditEntry = Schemas['AuditEntry'];
export type Session = Schemas['Session'];
export type User = Schemas['User'];

/** What admins ask about accounts, and what was done by admins. */
export const adminApi = api.injectEndpoints({
  endpoints: (build) => ({
    listAudit: build.query<Schemas['AuditAnswer'], Schemas['ListAudit']>({
      query: (payload) => read('admin', 'list_audit', payload),
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
    setAdmin: build.mutation<Schemas['AdminUserAnswer'], Schemas['SetAdmin']>({
      query: (payload) => write('admin', 'set_admin', payload),
      invalidatesTags: ['Accounts', 'Audit'],
    }),
  }),
});

export const {
  useListAuditQuery,
  useLazyListAuditQuery,
  useListUsersQuery,
  useSessionsOfQuery,
  useRevokeSessionOfMutation,
  useSetAdminMutation,
} = adminApi;

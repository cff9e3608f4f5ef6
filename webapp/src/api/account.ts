import { api, LONG_TIMEOUT_MS, request, type RequestBody, type ResponseBody, write } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

/** Why nobody can sign in to an account, and until when. */
export type Suspension = Schemas['Suspension'];

export type Provider = Schemas['Provider'];
export type Providers = Schemas['ProvidersAnswer'];
export type Session = Schemas['Session'];
export type User = Schemas['User'];

const signInApi = api.injectEndpoints({
  endpoints: (build) => ({
    getProviders: build.query<ResponseBody<'getProviders'>, void>({
      query: () => request('getProviders'),
    }),
    checkLogin: build.query<ResponseBody<'checkLogin'>, void>({
      query: () => request('checkLogin'),
    }),
    login: build.mutation<ResponseBody<'login'>, RequestBody<'login'>>({
      query: (body) => request('login', body),
    }),
    register: build.mutation<ResponseBody<'register'>, RequestBody<'register'>>({
      query: (body) => request('register', body),
    }),
    playAsGuest: build.mutation<ResponseBody<'playAsGuest'>, void>({
      query: () => request('playAsGuest', {}),
    }),
    refreshToken: build.mutation<ResponseBody<'refreshToken'>, void>({
      query: () => request('refreshToken', {}),
    }),
    logout: build.mutation<ResponseBody<'logout'>, void>({
      query: () => request('logout', {}),
    }),
    getSetup: build.query<ResponseBody<'getSetup'>, { token: string }>({
      query: (params) => ({ ...request('getSetup'), params }),
    }),
    setUp: build.mutation<ResponseBody<'setUp'>, RequestBody<'setUp'>>({
      query: (body) => request('setUp', body),
    }),
  }),
});

const securityApi = signInApi.injectEndpoints({
  endpoints: (build) => ({
    requestVerificationCode: build.mutation<
      ResponseBody<'requestVerificationCode'>,
      RequestBody<'requestVerificationCode'>
    >({
      query: (body) => request('requestVerificationCode', body),
    }),
    validateVerificationCode: build.mutation<
      ResponseBody<'validateVerificationCode'>,
      RequestBody<'validateVerificationCode'>
    >({
      query: (body) => request('validateVerificationCode', body),
    }),
    updatePassword: build.mutation<ResponseBody<'updatePassword'>, RequestBody<'updatePassword'>>({
      query: (body) => request('updatePassword', body),
    }),
    changePassword: build.mutation<ResponseBody<'changePassword'>, RequestBody<'changePassword'>>({
      query: (body) => request('changePassword', body),
      invalidatesTags: ['Sessions', 'Programs'],
    }),
    requestEmailCode: build.mutation<ResponseBody<'requestEmailCode'>, RequestBody<'requestEmailCode'>>({
      query: (body) => request('requestEmailCode', body),
    }),
    verifyEmail: build.mutation<ResponseBody<'verifyEmail'>, RequestBody<'verifyEmail'>>({
      query: (body) => request('verifyEmail', body),
    }),
    requestEmailChange: build.mutation<ResponseBody<'requestEmailChange'>, RequestBody<'requestEmailChange'>>({
      query: (body) => request('requestEmailChange', body),
    }),
    verifyEmailChange: build.mutation<ResponseBody<'verifyEmailChange'>, RequestBody<'verifyEmailChange'>>({
      query: (body) => request('verifyEmailChange', body),
    }),
    undoEmailChange: build.mutation<ResponseBody<'undoEmailChange'>, RequestBody<'undoEmailChange'>>({
      query: (body) => request('undoEmailChange', body),
    }),
    /** Whose account an operator's one-time link opens. */
    passwordLinkOwner: build.query<ResponseBody<'checkPasswordLink'>, string>({
      query: (token) => request('checkPasswordLink', { token }),
      // Once it is used it is another answer.
      keepUnusedDataFor: 0,
    }),
    usePasswordLink: build.mutation<ResponseBody<'usePasswordLink'>, RequestBody<'usePasswordLink'>>({
      query: (body) => request('usePasswordLink', body),
    }),
    beginPasskeyByLink: build.mutation<ResponseBody<'beginPasskeyByLink'>, RequestBody<'beginPasskeyByLink'>>({
      query: (body) => request('beginPasskeyByLink', body),
    }),
    useLinkForPasskey: build.mutation<ResponseBody<'useLinkForPasskey'>, RequestBody<'useLinkForPasskey'>>({
      query: (body) => request('useLinkForPasskey', body),
    }),
    listSessions: build.query<ResponseBody<'listSessions'>, void>({
      query: () => request('listSessions'),
      providesTags: ['Sessions'],
    }),
    revokeSession: build.mutation<ResponseBody<'revokeSession'>, RequestBody<'revokeSession'>>({
      query: (body) => request('revokeSession', body),
      invalidatesTags: ['Sessions'],
    }),
    revokeAllSessions: build.mutation<ResponseBody<'revokeAllSessions'>, RequestBody<'revokeAllSessions'>>({
      query: (body) => request('revokeAllSessions', body),
      // After the end of this session there is nothing to list.
      invalidatesTags: (_answer, _error, { includeCurrent }) => (includeCurrent ? [] : ['Sessions', 'Programs']),
    }),
  }),
});

/** Sign-in, sessions, passwords, email addresses and profiles. */
export const accountApi = securityApi.injectEndpoints({
  endpoints: (build) => ({
    getCalendarStatus: build.query<ResponseBody<'getCalendarStatus'>, void>({
      query: () => request('getCalendarStatus'),
      providesTags: ['Calendar'],
    }),
    getCalendarAuthUrl: build.query<ResponseBody<'getCalendarAuthUrl'>, void>({
      query: () => request('getCalendarAuthUrl'),
    }),
    disconnectCalendar: build.mutation<ResponseBody<'disconnectCalendar'>, void>({
      query: () => request('disconnectCalendar', {}),
      invalidatesTags: ['Calendar'],
    }),
    exportAccount: build.query<ResponseBody<'exportAccount'>, void>({
      query: () => ({ ...request('exportAccount'), timeout: LONG_TIMEOUT_MS }),
      // The export is saved as a file; it need not stay in memory.
      keepUnusedDataFor: 0,
    }),
    deleteAccount: build.mutation<ResponseBody<'deleteAccount'>, RequestBody<'deleteAccount'>>({
      query: (body) => request('deleteAccount', body),
    }),
    updateProfile: build.mutation<ResponseBody<'updateProfile'>, RequestBody<'updateProfile'>>({
      query: (body) => request('updateProfile', body),
    }),
    removeProfileImage: build.mutation<ResponseBody<'removeProfileImage'>, void>({
      query: () => request('removeProfileImage', {}),
    }),
    uploadAvatar: build.mutation<ResponseBody<'uploadProfileImage'>, { userId: string; picture: Blob }>({
      query: ({ userId, picture }) => {
        const body = new FormData();
        body.set('userId', userId);
        body.set('file', picture, picture.type === 'image/png' ? 'avatar.png' : 'avatar.jpg');
        return { url: '/api/backend/profile/image', method: 'POST', body, timeout: LONG_TIMEOUT_MS };
      },
    }),
    createProfile: build.mutation<Schemas['OwnUserAnswer'], { userId: string; displayName: string }>({
      query: (payload) => write('userprofile', 'create_profile', payload),
    }),
    changeUsername: build.mutation<Schemas['OwnUserAnswer'], { userId: string; username: string }>({
      query: (payload) => write('userprofile', 'update_user_profile', payload),
    }),
    assignRandomDisplayName: build.mutation<Schemas['DisplayNameAnswer'], { userId: string }>({
      query: (payload) => write('userprofile', 'assign_random_display_name', payload),
    }),
  }),
});

export type Registration = Pick<Schemas['RegisterRequest'], 'email' | 'firstName' | 'lastName'> & {
  username: string;
  password: string;
};

export function localLogin(credentials: { email: string; password: string; keepGuestGames?: boolean }) {
  return { ...credentials, isGoogleAccount: false };
}

export function localRegistration(registration: Registration) {
  return { ...registration, accountType: 'local' as const, isGoogleAccount: false };
}

/** What a provider's button returns. The claims in `credential` take precedence over the other fields. */
export interface Identity {
  email: string;
  firstName: string;
  lastName: string;
  /** The ID token. */
  credential: string;
}

export function googleLogin(identity: Identity & { keepGuestGames?: boolean }) {
  return { ...identity, accountType: 'google' as const, isGoogleAccount: true };
}

export function googleRegistration(identity: Identity) {
  return { ...identity, accountType: 'google' as const, isGoogleAccount: true };
}

export const {
  useGetProvidersQuery,
  useLoginMutation,
  useRegisterMutation,
  usePlayAsGuestMutation,
  useLogoutMutation,
  useGetSetupQuery,
  useSetUpMutation,
  useRequestVerificationCodeMutation,
  useValidateVerificationCodeMutation,
  useUpdatePasswordMutation,
  useChangePasswordMutation,
  useRequestEmailCodeMutation,
  useVerifyEmailMutation,
  useListSessionsQuery,
  useRevokeSessionMutation,
  useRevokeAllSessionsMutation,
  useLazyGetCalendarAuthUrlQuery,
  useLazyExportAccountQuery,
  useUpdateProfileMutation,
  useUploadAvatarMutation,
  useRemoveProfileImageMutation,
  useCreateProfileMutation,
  useAssignRandomDisplayNameMutation,
  useChangeUsernameMutation,
  useRequestEmailChangeMutation,
  useVerifyEmailChangeMutation,
  usePasswordLinkOwnerQuery,
  useUsePasswordLinkMutation,
  useBeginPasskeyByLinkMutation,
  useUseLinkForPasskeyMutation,
  useUndoEmailChangeMutation,
  useGetCalendarStatusQuery,
  useDisconnectCalendarMutation,
  useCheckLoginQuery,
  useDeleteAccountMutation,
} = accountApi;

import { write } from './base';
import {
  type DisplayNameAnswer,
  generatedApi,
  type OwnUserAnswer,
  type ProfileImageAnswer,
  type Provider,
  type RegisterRequest,
  type Session,
  type User,
} from './generated';

export type { Provider, Session, User };

/** The calls of the authentication service that screens make, with a local account's constants filled in. */
export const accountApi = generatedApi
  .enhanceEndpoints({
    addTagTypes: ['Sessions', 'Calendar'],
    endpoints: {
      listSessions: { providesTags: ['Sessions'] },
      getCalendarStatus: { providesTags: ['Calendar'] },
      disconnectCalendar: { invalidatesTags: ['Calendar'] },
      revokeSession: { invalidatesTags: ['Sessions'] },
      changePassword: { invalidatesTags: ['Sessions'] },
      // A file for the person, not something to keep in memory.
      exportAccount: { keepUnusedDataFor: 0 },
    },
  })
  .injectEndpoints({
    endpoints: (build) => ({
      uploadAvatar: build.mutation<ProfileImageAnswer, { userId: string; picture: Blob }>({
        query: ({ userId, picture }) => {
          const body = new FormData();
          body.set('userId', userId);
          body.set('file', picture, picture.type === 'image/png' ? 'avatar.png' : 'avatar.jpg');
          return { url: '/api/backend/profile/image', method: 'POST', body };
        },
      }),
      createProfile: build.mutation<OwnUserAnswer, { userId: string; displayName: string }>({
        query: (payload) => write('userprofile', 'create_profile', payload),
      }),
      changeUsername: build.mutation<OwnUserAnswer, { userId: string; username: string }>({
        query: (payload) => write('userprofile', 'update_user_profile', payload),
      }),
      assignRandomDisplayName: build.mutation<DisplayNameAnswer, { userId: string }>({
        query: (payload) => write('userprofile', 'assign_random_display_name', payload),
      }),
    }),
  });

export type Registration = Pick<RegisterRequest, 'email' | 'firstName' | 'lastName'> & {
  username: string;
  password: string;
};

export function localLogin(credentials: { email: string; password: string; keepGuestGames?: boolean }) {
  return { loginRequest: { ...credentials, isGoogleAccount: false } };
}

export function localRegistration(registration: Registration) {
  return { registerRequest: { ...registration, accountType: 'local' as const, isGoogleAccount: false } };
}

/** What a provider's button hands over; whatever it says beside `credential`, the token's claims win. */
export interface Identity {
  email: string;
  firstName: string;
  lastName: string;
  /** The ID token. */
  credential: string;
}

export function googleLogin(identity: Identity & { keepGuestGames?: boolean }) {
  return { loginRequest: { ...identity, accountType: 'google' as const, isGoogleAccount: true } };
}

export function googleRegistration(identity: Identity) {
  return { registerRequest: { ...identity, accountType: 'google' as const, isGoogleAccount: true } };
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
  useUndoEmailChangeMutation,
  useGetCalendarStatusQuery,
  useDisconnectCalendarMutation,
  useCheckLoginQuery,
  useDeleteAccountMutation,
} = accountApi;

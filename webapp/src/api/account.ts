import { generatedApi, type RegisterRequest, type User } from './generated';

export type { User };

/** The calls of the authentication service that screens make, with a local account's constants filled in. */
export const accountApi = generatedApi;

export type Registration = Pick<RegisterRequest, 'email' | 'username' | 'firstName' | 'lastName'> & {
  password: string;
};

export function localLogin(credentials: { email: string; password: string }) {
  return { loginRequest: { ...credentials, isGoogleAccount: false } };
}

export function localRegistration(registration: Registration) {
  return { registerRequest: { ...registration, accountType: 'local' as const, isGoogleAccount: false } };
}

export const {
  useGetProvidersQuery,
  useLoginMutation,
  useRegisterMutation,
  usePlayAsGuestMutation,
  useLogoutMutation,
  useGetSetupQuery,
  useSetUpMutation,
} = accountApi;

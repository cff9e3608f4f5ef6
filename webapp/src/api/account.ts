import { api } from './base';

/** A person as they see themselves. */
export interface User {
  userId: string;
  username: string;
  firstName: string;
  lastName: string;
  displayName: string;
  email: string;
  emailVerified: boolean;
  profile: string;
  isProUser: boolean;
  isTempUser: boolean;
  isAdmin: boolean;
  createdAt: string;
}

export interface Providers {
  local: boolean;
  registration: boolean;
  guests: boolean;
  mail: boolean;
}

export interface Registration {
  email: string;
  password: string;
  username: string;
  firstName: string;
  lastName: string;
}

export const accountApi = api.injectEndpoints({
  endpoints: (build) => ({
    checkLogin: build.query<{ isLogIn: boolean; user?: User }, void>({ query: () => '/api/auth/check-login' }),
    providers: build.query<Providers, void>({ query: () => '/api/auth/providers', providesTags: ['Providers'] }),
    login: build.mutation<{ isLogIn: boolean; user: User }, { email: string; password: string }>({
      query: (credentials) => ({
        url: '/api/auth/login',
        method: 'POST',
        body: { ...credentials, isGoogleAccount: false },
      }),
    }),
    register: build.mutation<{ isLogIn: boolean; user: User }, Registration>({
      query: (registration) => ({
        url: '/api/auth/register',
        method: 'POST',
        body: { ...registration, accountType: 'local', isGoogleAccount: false },
      }),
    }),
    guest: build.mutation<{ isLogIn: boolean; user: User }, void>({
      query: () => ({ url: '/api/auth/guest', method: 'POST' }),
    }),
    logout: build.mutation<unknown, void>({ query: () => ({ url: '/api/auth/logout', method: 'POST' }) }),
    refreshSession: build.mutation<unknown, void>({
      query: () => ({ url: '/api/auth/secure/token/refresh', method: 'POST' }),
    }),
  }),
});

export const { useProvidersQuery, useLoginMutation, useRegisterMutation, useGuestMutation } = accountApi;

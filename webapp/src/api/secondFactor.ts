import { api, request, type RequestBody, type ResponseBody } from './base';
import type { components } from './schema';

type Schemas = components['schemas'];

export type Passkey = Schemas['Passkey'];
export type Proof = Schemas['Proof'];
export type ProofMethod = Schemas['ProofMethod'];
export type SecondFactor = Schemas['SecondFactorAnswer'];

const ownFactorApi = api.injectEndpoints({
  endpoints: (build) => ({
    getSecondFactor: build.query<ResponseBody<'getSecondFactor'>, void>({
      query: () => request('getSecondFactor'),
      providesTags: ['SecondFactor'],
    }),
    beginTotp: build.mutation<ResponseBody<'beginTotp'>, void>({
      query: () => request('beginTotp', {}),
    }),
    confirmTotp: build.mutation<ResponseBody<'confirmTotp'>, RequestBody<'confirmTotp'>>({
      query: (body) => request('confirmTotp', body),
      invalidatesTags: ['SecondFactor'],
    }),
    removeTotp: build.mutation<ResponseBody<'removeTotp'>, void>({
      query: () => request('removeTotp', {}),
      invalidatesTags: ['SecondFactor'],
    }),
    renewRecoveryCodes: build.mutation<ResponseBody<'renewRecoveryCodes'>, void>({
      query: () => request('renewRecoveryCodes', {}),
      invalidatesTags: ['SecondFactor'],
    }),
    beginPasskey: build.mutation<ResponseBody<'beginPasskey'>, void>({
      query: () => request('beginPasskey', {}),
    }),
    finishPasskey: build.mutation<ResponseBody<'finishPasskey'>, RequestBody<'finishPasskey'>>({
      query: (body) => request('finishPasskey', body),
      invalidatesTags: ['SecondFactor'],
    }),
    renamePasskey: build.mutation<ResponseBody<'renamePasskey'>, RequestBody<'renamePasskey'>>({
      query: (body) => request('renamePasskey', body),
      invalidatesTags: ['SecondFactor'],
    }),
    removePasskey: build.mutation<ResponseBody<'removePasskey'>, RequestBody<'removePasskey'>>({
      query: (body) => request('removePasskey', body),
      invalidatesTags: ['SecondFactor'],
    }),
  }),
});

/** The second step of a sign-in, passkeys alone, proofs before sensitive acts, and the user's own second factor. */
const secondFactorApi = ownFactorApi.injectEndpoints({
  endpoints: (build) => ({
    // A challenge is good once, so nothing is kept.
    getSecondFactorOptions: build.query<ResponseBody<'getSecondFactorOptions'>, void>({
      query: () => request('getSecondFactorOptions', {}),
      keepUnusedDataFor: 0,
    }),
    verifySecondFactor: build.mutation<ResponseBody<'verifySecondFactor'>, Proof>({
      query: (body) => request('verifySecondFactor', body),
    }),
    getPasskeyOptions: build.mutation<ResponseBody<'getPasskeyOptions'>, void>({
      query: () => request('getPasskeyOptions', {}),
    }),
    loginWithPasskey: build.mutation<ResponseBody<'loginWithPasskey'>, RequestBody<'loginWithPasskey'>>({
      query: (body) => request('loginWithPasskey', body),
    }),
    getProofOptions: build.query<ResponseBody<'getProofOptions'>, void>({
      query: () => request('getProofOptions', {}),
      keepUnusedDataFor: 0,
    }),
    prove: build.mutation<ResponseBody<'prove'>, Proof>({
      query: (body) => request('prove', body),
    }),
  }),
});

export const {
  useGetSecondFactorQuery,
  useBeginTotpMutation,
  useConfirmTotpMutation,
  useRemoveTotpMutation,
  useRenewRecoveryCodesMutation,
  useBeginPasskeyMutation,
  useFinishPasskeyMutation,
  useRenamePasskeyMutation,
  useRemovePasskeyMutation,
  useGetSecondFactorOptionsQuery,
  useVerifySecondFactorMutation,
  useGetPasskeyOptionsMutation,
  useLoginWithPasskeyMutation,
  useGetProofOptionsQuery,
  useProveMutation,
} = secondFactorApi;

import { api, request, type ResponseBody } from './base';

/** The server's and the operator's data for public pages. */
const siteApi = api.injectEndpoints({
  endpoints: (build) => ({
    getSite: build.query<ResponseBody<'getSite'>, void>({ query: () => request('getSite') }),
  }),
});

export const { useGetSiteQuery } = siteApi;

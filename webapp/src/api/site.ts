import { api, request, type ResponseBody } from './base';

/** What the public pages need to know of the server and whoever runs it. */
const siteApi = api.injectEndpoints({
  endpoints: (build) => ({
    getSite: build.query<ResponseBody<'getSite'>, void>({ query: () => request('getSite') }),
  }),
});

export const { useGetSiteQuery } = siteApi;

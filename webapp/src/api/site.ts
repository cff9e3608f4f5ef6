import { generatedApi } from './generated';

/** What the public pages need to know of the server and whoever runs it. */
export const { useGetSiteQuery } = generatedApi;

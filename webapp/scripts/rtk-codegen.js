/** Answered with files, which pages link to instead of asking for them. */
const FILES = new Set(['getProfileImage', 'getEventCalendar']);

/**
 * The endpoints of the contract, added to the one cache. Queries are encoded by fetchBaseQuery; encoding them here too
 * would do it twice.
 * @type {import('@rtk-query/codegen-openapi').ConfigFile}
 */
export default {
  schemaFile: '../../openapi/openapi.json',
  apiFile: '../src/api/base.ts',
  apiImport: 'api',
  outputFile: '../src/api/generated.ts',
  exportName: 'generatedApi',
  filterEndpoints: (name) => !FILES.has(name),
  encodePathParams: true,
  hooks: false,
};

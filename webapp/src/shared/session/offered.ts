/**
 * What the host offers to visitors, as the server wrote it into the document (appliance/src/http/assets.rs): the page shows
 * it before the first call, by styles, so that the markup is the same for every host. An element with this attribute is
 * shown if `data-offers` of the document lists the word.
 */
export type Offer = 'local' | 'registration' | 'guests' | 'oidc' | 'google';

/** The placeholder for the provider's name, in documents that the build makes. */
const PROVIDER = '{{provider}}';

/** The name of the configured identity provider, as the document has it. */
export function offeredProvider(): string {
  return typeof document === 'undefined' ? PROVIDER : (document.documentElement.dataset.provider ?? '');
}

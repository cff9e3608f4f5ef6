import { PUBLIC_PAGES, type PublicPath } from './publicPages';

/** The title of a public page, the same that the built head has. */
export function PageTitle({ of }: { of: PublicPath }) {
  return <title>{PUBLIC_PAGES[of].title}</title>;
}

import { TITLES, type TitledPath } from './titles';

/** The title of a public page, as in the built document. */
export function PageTitle({ of }: { of: TitledPath }) {
  return <title>{TITLES[of]}</title>;
}

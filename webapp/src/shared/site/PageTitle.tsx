import { TITLES, type TitledPath } from './titles';

/** The title of a public page, the same that the built head has. */
export function PageTitle({ of }: { of: TitledPath }) {
  return <title>{TITLES[of]}</title>;
}

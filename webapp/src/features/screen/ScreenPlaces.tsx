import { PersonLabel } from '@/shared/people/PersonLabel';
import type { PersonSummary } from '@/shared/people/personSummary';
import { ScreenList } from './ScreenList';
import classes from './ScreenList.module.css';

/** As many as fit on 1080 lines. */
export const PLACES = 11;

export interface Place extends PersonSummary {
  userId: string;
  rank: number;
  /** What the place is by. */
  value: string;
  /** They play no more. */
  isOut: boolean;
}

/** The first of a table. */
export function ScreenPlaces({ title, places }: { title: string; places: readonly Place[] }) {
  return (
    <ScreenList title={title}>
      {places.length === 0 ? (
        <p className={classes.none}>Nobody has joined yet.</p>
      ) : (
        <ol className={classes.places}>
          {places.slice(0, PLACES).map((place) => (
            <li key={place.userId} data-out={place.isOut}>
              <span>{place.rank}</span>
              <PersonLabel person={place} size={40} />
              <b>{place.value}</b>
            </li>
          ))}
        </ol>
      )}
    </ScreenList>
  );
}

import { memo, useId, useState } from 'react';
import type { StageStanding } from '@/api/events';
import { PersonLink } from '../people/PersonLink';
import { nameOf } from '../people/personSummary';
import type { TieBreakName } from './formats';
import { pointsText } from './match';
import classes from './StandingsTable.module.css';
import { TieBreakTerms } from './TieBreakTerms';

interface StandingRowProps {
  eventId: string;
  standing: StageStanding;
  /** The columns; none in a knockout. */
  tieBreaks: readonly TieBreakName[];
  isOwn: boolean;
}

/** A player's row, which opens how the tie-breaks came. */
export const StandingRow = memo(function StandingRow({ eventId, standing, tieBreaks, isOwn }: StandingRowProps) {
  const { rank, userId, points, tieBreaks: values, withdrawn, disqualified } = standing;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <tr data-key={userId} data-own={isOwn} data-withdrawn={withdrawn}>
        <td>
          {tieBreaks.length === 0 ? (
            rank
          ) : (
            <button
              type="button"
              className={classes.how}
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              onClick={() => setOpen(!isOpen)}
            >
              {rank}
              <span className="visually-hidden">{`: how the tie-breaks of ${nameOf(standing)} add up`}</span>
            </button>
          )}
        </td>
        <th scope="row">
          <span className={classes.player}>
            <PersonLink person={standing} />
            {isOwn && <small>You</small>}
            {withdrawn && <small>{disqualified ? 'Disqualified' : 'Withdrawn'}</small>}
          </span>
        </th>
        <td className={classes.points}>{pointsText(points)}</td>
        {tieBreaks.map((tieBreak) => (
          <td key={tieBreak}>{values !== undefined && pointsText(values[tieBreak])}</td>
        ))}
      </tr>
      {isOpen && (
        <tr id={id} className={classes.opened}>
          <td colSpan={3 + tieBreaks.length}>
            <TieBreakTerms eventId={eventId} userId={userId} name={nameOf(standing)} tieBreaks={tieBreaks} />
          </td>
        </tr>
      )}
    </>
  );
});

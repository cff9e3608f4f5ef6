import { Button } from '@mantine/core';
import type { StageStanding } from '@/api/events';
import { useRowAnimation } from '../events/useRowAnimation';
import { type StageFormat, TIE_BREAKS, tieBreakName, tieBreakSentence, tieBreakShort } from './formats';
import { Scrolled } from '@/shared/ui/Scrolled';
import classes from './StandingsTable.module.css';
import { StandingRow } from './StandingRow';
import { useFirst } from './useFirst';

interface StandingsTableProps {
  eventId: string;
  format: StageFormat;
  standings: readonly StageStanding[];
  /** The viewer; null for a visitor. */
  userId: string | null;
}

/** The table of an event in stage rounds: points, then the tie-breaks in the order in which they decide. */
export function StandingsTable({ eventId, format, standings, userId }: StandingsTableProps) {
  const { shown, showAll } = useFirst(standings);
  const body = useRowAnimation<HTMLTableSectionElement>(shown.map((standing) => standing.userId));
  const own = standings.find((standing) => standing.userId === userId);
  const tieBreaks = standings.some((standing) => standing.tieBreaks !== undefined) ? TIE_BREAKS : [];
  return (
    <div className={classes.standings}>
      {own !== undefined && (
        <p className={classes.own}>
          Your place: <b>{own.rank}</b> of {standings.length.toLocaleString()}
        </p>
      )}
      <Scrolled label="Standings" className={classes.sheet}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">
                <abbr title="Place">#</abbr>
              </th>
              <th scope="col">Player</th>
              <th scope="col">{format === 'knockout' ? 'Won' : 'Points'}</th>
              {tieBreaks.map((tieBreak) => (
                <th key={tieBreak} scope="col">
                  <abbr title={`${tieBreakName(tieBreak)}: ${tieBreakSentence(tieBreak)}`}>
                    <span aria-hidden="true">{tieBreakShort(tieBreak)}</span>
                    <span className="visually-hidden">{tieBreakName(tieBreak)}</span>
                  </abbr>
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {shown.map((standing) => (
              <StandingRow
                key={standing.userId}
                eventId={eventId}
                standing={standing}
                tieBreaks={tieBreaks}
                isOwn={standing.userId === userId}
              />
            ))}
          </tbody>
        </table>
      </Scrolled>
      {showAll && (
        <Button variant="default" onClick={showAll}>
          {`Show all ${standings.length.toLocaleString()} players`}
        </Button>
      )}
      {tieBreaks.length > 0 && (
        <dl className={classes.legend}>
          {tieBreaks.map((tieBreak) => (
            <div key={tieBreak}>
              <dt>{`${tieBreakShort(tieBreak)}: ${tieBreakName(tieBreak)}`}</dt>
              <dd>{tieBreakSentence(tieBreak)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

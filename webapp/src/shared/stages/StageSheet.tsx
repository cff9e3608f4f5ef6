import type { StageRound, StageStanding } from '@/api/events';
import type { components } from '@/api/schema';
import { BracketColumns } from './BracketColumns';
import { bracketShape } from './bracketShape';
import { CrossTable } from './CrossTable';
import { formatName, type StageFormat, TIE_BREAKS, tieBreakName } from './formats';
import { nameOf } from '../people/personSummary';
import { pointsText, roundName } from './match';
import { PairingRow } from './PairingRow';
import classes from './StageSheet.module.css';

interface StageSheetProps {
  format: StageFormat;
  answer: components['schemas']['RoundsAnswer'];
  standings: readonly StageStanding[];
}

/** All of an event in stage rounds on paper: what the screen shows in tabs stands below each other. */
export function StageSheet({ format, answer: { rounds, expectedRounds }, standings }: StageSheetProps) {
  const paired = rounds.filter(({ startsAt }) => startsAt !== undefined);
  return (
    <div className={classes.sheet}>
      <p>{formatName(format)}</p>
      {format === 'knockout' && (
        <BracketColumns shape={bracketShape(rounds, expectedRounds)} expectedRounds={expectedRounds} isStill />
      )}
      {format === 'roundRobin' && (
        <CrossTable rounds={rounds} order={standings.map(({ userId }) => userId)} userId={null} />
      )}
      {standings.length > 0 && <Standings format={format} standings={standings} />}
      {paired.map((round) => (
        <Round key={round.round} name={roundName(format, round.round, expectedRounds)} round={round} />
      ))}
    </div>
  );
}

function Round({ name, round: { pairings } }: { name: string; round: StageRound }) {
  return (
    <section className={classes.round}>
      <h2>{name}</h2>
      <ol>
        {pairings.map((pairing) => (
          <PairingRow key={pairing.board} pairing={pairing} userId={null} isStill />
        ))}
      </ol>
    </section>
  );
}

function Standings({ format, standings }: Pick<StageSheetProps, 'format' | 'standings'>) {
  const tieBreaks = standings.some((standing) => standing.tieBreaks !== undefined) ? TIE_BREAKS : [];
  return (
    <section>
      <h2>Standings</h2>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Place</th>
            <th scope="col">Player</th>
            <th scope="col">{format === 'knockout' ? 'Won' : 'Points'}</th>
            {tieBreaks.map((tieBreak) => (
              <th key={tieBreak} scope="col">
                {tieBreakName(tieBreak)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {standings.map((standing) => (
            <tr key={standing.userId}>
              <td>{standing.rank}</td>
              <th scope="row">{nameOf(standing) + (standing.isBot === true ? ' (bot)' : '') + outText(standing)}</th>
              <td>{pointsText(standing.points)}</td>
              {tieBreaks.map((tieBreak) => (
                <td key={tieBreak}>{standing.tieBreaks !== undefined && pointsText(standing.tieBreaks[tieBreak])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const outText = ({ withdrawn, disqualified }: StageStanding) =>
  disqualified ? ' (disqualified)' : withdrawn ? ' (withdrawn)' : '';

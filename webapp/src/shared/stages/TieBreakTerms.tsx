import type { components } from '@/api/schema';
import { useGetStandingsQuery } from '@/api/events';
import { nameOf } from '../people/personSummary';
import { Loaded } from '../ui/Loaded';
import { type TieBreakName, tieBreakName, tieBreakShort } from './formats';
import { pointsText } from './match';
import classes from './TieBreakTerms.module.css';

type Term = components['schemas']['TieBreakTerm'];

interface TieBreakTermsProps {
  eventId: string;
  userId: string;
  name: string;
  tieBreaks: readonly TieBreakName[];
}

/** How a player's tie-breaks came: what each round added to them. */
export function TieBreakTerms({ eventId, userId, name, tieBreaks }: TieBreakTermsProps) {
  const answer = useGetStandingsQuery({ eventId, userId }, { refetchOnMountOrArgChange: true });
  return (
    <div className={classes.terms}>
      <Loaded of={answer} loading="Loading the tie-breaks…" failure="The tie-breaks could not be loaded.">
        {({ standings }) => {
          const terms = standings[0]?.terms ?? [];
          if (terms.length === 0) return <p>No round counts towards them yet.</p>;
          return <Terms name={name} terms={terms} tieBreaks={tieBreaks} />;
        }}
      </Loaded>
    </div>
  );
}

interface TermsProps extends Pick<TieBreakTermsProps, 'name' | 'tieBreaks'> {
  terms: readonly Term[];
}

function Terms({ name, terms, tieBreaks }: TermsProps) {
  const rounds = [...new Set(terms.map(({ round }) => round))].toSorted((a, b) => a - b);
  const isAnyCut = terms.some(({ cut }) => cut);
  return (
    <>
      <table className={classes.table}>
        <caption>{`What each round added to the tie-breaks of ${name}`}</caption>
        <thead>
          <tr>
            <th scope="col">Round</th>
            <th scope="col">Opponent</th>
            {tieBreaks.map((tieBreak) => (
              <th key={tieBreak} scope="col">
                <span aria-hidden="true">{tieBreakShort(tieBreak)}</span>
                <span className="visually-hidden">{tieBreakName(tieBreak)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rounds.map((round) => {
            const ofRound = terms.filter((term) => term.round === round);
            const opponent = ofRound.find((term) => term.opponent !== undefined)?.opponent;
            return (
              <tr key={round}>
                <th scope="row">{round}</th>
                <td>{opponent === undefined ? 'Nobody' : nameOf(opponent)}</td>
                {tieBreaks.map((tieBreak) => (
                  <td key={tieBreak}>
                    {ofRound
                      .filter((term) => term.tieBreak === tieBreak)
                      .map(({ value, cut }, at) => (
                        <Value key={at} value={value} cut={cut} />
                      ))}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {isAnyCut && <p>What is struck through is left out.</p>}
    </>
  );
}

function Value({ value, cut }: Pick<Term, 'value' | 'cut'>) {
  if (!cut) return <>{pointsText(value)}</>;
  return (
    <s>
      {pointsText(value)}
      <span className="visually-hidden"> (left out)</span>
    </s>
  );
}

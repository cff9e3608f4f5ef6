import type { StagePairing, StagePlayer, StageRound } from '@/api/events';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { matchState, matchText, scoreOf } from '@/shared/stages/match';
import { ScreenList } from './ScreenList';
import classes from './ScreenList.module.css';
import { usePages } from './usePages';

/** As many as fit on 1080 lines. */
const ROWS = 11;

interface ScreenPairingsProps {
  title: string;
  round: StageRound;
}

/** The matches of a round, page by page. */
export function ScreenPairings({ title, round: { pairings } }: ScreenPairingsProps) {
  const { shown, page, pages } = usePages(pairings, ROWS);
  return (
    <ScreenList title={title} page={pages === 1 ? undefined : `Page ${page} of ${pages}`}>
      <ol className={classes.matches}>
        {shown.map((pairing) => (
          <li key={pairing.board} data-state={matchState(pairing)}>
            <span>
              <span className="visually-hidden">Board </span>
              {pairing.board}
            </span>
            <Side player={pairing.players[0]} pairing={pairing} />
            <b title={matchText(pairing)}>{scoreOf(pairing) ?? '–'}</b>
            <Side player={pairing.players[1]} pairing={pairing} />
          </li>
        ))}
      </ol>
    </ScreenList>
  );
}

function Side({ player, pairing }: { player: StagePlayer | undefined; pairing: StagePairing }) {
  const { bye, reason, winnerUserId } = pairing;
  if (player === undefined) return <span className={classes.nobody}>{bye ? 'Bye' : 'To be decided'}</span>;
  const result = reason === undefined ? undefined : winnerUserId === player.userId ? 'won' : 'lost';
  return (
    <span data-result={result}>
      <PersonLabel person={player} size={40} />
    </span>
  );
}

import { Link } from 'react-router';
import type { PlayerProfile } from '@/api/players';
import { ShareBar } from '@/shared/plots/ShareBar';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import classes from './PlayerPage.module.css';
import { count, total } from './texts';

interface ResultsByBoardProps {
  results: PlayerProfile['results'];
  isOwn: boolean;
}

/** Won, drawn and lost games, in all and by board. */
export function ResultsByBoard({ results, isOwn }: ResultsByBoardProps) {
  const sum = results.reduce(
    (all, { wins, losses, draws }) => ({
      wins: all.wins + wins,
      losses: all.losses + losses,
      draws: all.draws + draws,
    }),
    { wins: 0, losses: 0, draws: 0 },
  );
  if (total(sum) === 0) {
    return (
      <Card title="Results">
        <p className={classes.soft}>No game is finished yet.</p>
        {isOwn && (
          <Link to="/app/play" className={buttons.primary}>
            Play your first one
          </Link>
        )}
      </Card>
    );
  }
  return (
    <Card title="Results">
      <p className={classes.figure}>
        <b>{`${Math.round((100 * sum.wins) / total(sum))}%`}</b>
        <span>{`of ${count(total(sum), 'game', 'games')} won`}</span>
      </p>
      <table className={classes.results}>
        <thead>
          <tr>
            <th scope="col">Board</th>
            <th scope="col">
              <span className="visually-hidden">Shares</span>
            </th>
            <th scope="col">Won</th>
            <th scope="col">Drawn</th>
            <th scope="col">Lost</th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ boardSize, ...own }) => (
            <tr key={boardSize}>
              <th scope="row">{`${boardSize}×${boardSize}`}</th>
              <td>
                <ShareBar wins={own.wins} draws={own.draws} losses={own.losses} seed={boardSize} />
              </td>
              <td>{own.wins.toLocaleString()}</td>
              <td>{own.draws.toLocaleString()}</td>
              <td>{own.losses.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

import type { GameState } from '@/realtime/protocol';
import classes from './MoveList.module.css';
import { cellText } from '@/shared/rules';

/** The moves of the round, beside the board if there is room. */
export function MoveList({ state }: { state: GameState }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable element must be focusable to scroll by keyboard
    <section className={classes.list} aria-label="Moves" tabIndex={0}>
      <h2>
        {state.drawCount > 0 ? `Round ${state.drawCount + 1}` : 'Moves'}
        <small>
          {state.boardSize}×{state.boardSize}, {state.boardSize === 3 ? 3 : 4} in a row
          {state.gameType === 'event' && `, level ${state.level}`}
          {state.rated !== undefined && (state.rated ? ', rated' : ', casual')}
        </small>
      </h2>
      {state.moves.length === 0 ? (
        <p>None yet.</p>
      ) : (
        <ol>
          {state.moves.map(({ row, col, symbol }, at) => (
            <li key={`${at}-${row}-${col}`}>
              <b data-symbol={symbol}>{symbol}</b> {cellText([row, col])}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

import { useEffect, useRef } from 'react';
import type { ReviewedMove } from '@/engine';
import { cellText, type Game } from '@/shared/rules';
import classes from './Moves.module.css';
import { LABELS, SIGNS } from './reviewText';

interface MovesProps {
  game: Game;
  review: readonly ReviewedMove[];
  /** Number of moves on the board; null while a line is shown. */
  ply: number | null;
  onChoose: (ply: number) => void;
}

/** The game's moves, each with its review once known. */
export function Moves({ game, review, ply, onChoose }: MovesProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (!list.current || !current) return;
    // The list alone scrolls, never the page.
    const { offsetTop, offsetHeight } = current;
    const { scrollTop, clientHeight } = list.current;
    if (offsetTop < scrollTop) list.current.scrollTop = offsetTop;
    else if (offsetTop + offsetHeight > scrollTop + clientHeight) {
      list.current.scrollTop = offsetTop + offsetHeight - clientHeight;
    }
  }, [ply]);
  return (
    <ol ref={list} className={classes.moves} aria-label="Moves">
      {game.moves.map((place, at) => {
        const reviewed = review[at];
        const mark = game.board[place[0]]?.[place[1]];
        return (
          <li key={at}>
            <button
              type="button"
              className={classes.move}
              aria-current={ply === at + 1 ? 'step' : undefined}
              data-label={reviewed?.label}
              onClick={() => onChoose(at + 1)}
            >
              <span className={classes.number}>{at + 1}</span>
              <b data-mark={mark}>{mark}</b>
              <span className={classes.place}>{cellText(place)}</span>
              {reviewed && (
                <span className={classes.label}>
                  <span aria-hidden="true">{SIGNS[reviewed.label]}</span> {LABELS[reviewed.label]}
                </span>
              )}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

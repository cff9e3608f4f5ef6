import type { components } from '@/api/schema';
import classes from './RatingText.module.css';

const PROVISIONAL = 'Provisional: too few rated games so far';

interface RatingTextProps {
  rating: components['schemas']['PlayerRating'];
  /** What the last game changed. */
  change?: number;
}

/** A rating, such as `1512`, `1512?` while it is provisional, and `1512 +12` after a game. */
export function RatingText({ rating: { value, provisional }, change }: RatingTextProps) {
  return (
    <span className={classes.rating}>
      <span className={classes.hidden}>Rating </span>
      {value}
      {provisional && (
        <span title={PROVISIONAL}>
          <span aria-hidden="true">?</span>
          <span className={classes.hidden}>, provisional</span>
        </span>
      )}
      {change !== undefined && (
        <>
          {' '}
          <b data-kind={change > 0 ? 'gain' : change < 0 ? 'loss' : 'none'}>{changeText(change)}</b>
        </>
      )}
    </span>
  );
}

/** `+12`, `−12` or `±0`. */
export function changeText(change: number): string {
  if (change === 0) return '±0';
  return change > 0 ? `+${change}` : `−${-change}`;
}

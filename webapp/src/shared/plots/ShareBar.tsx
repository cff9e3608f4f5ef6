import { ruledBar } from '@/shared/board/pen';
import classes from './ShareBar.module.css';

/** The size of the bar in SVG units; it scales to its container. */
const WIDTH = 200;
const HEIGHT = 22;
const GAP = 3;

interface ShareBarProps {
  wins: number;
  draws: number;
  losses: number;
  /** Which of the hand-drawn variants. */
  seed: number;
}

/** How games are divided into won, drawn and lost; the numbers stand beside it. Nothing without a game. */
export function ShareBar({ wins, draws, losses, seed }: ShareBarProps) {
  const parts = [
    { kind: 'won', count: wins },
    { kind: 'drawn', count: draws },
    { kind: 'lost', count: losses },
  ].filter(({ count }) => count > 0);
  const total = wins + draws + losses;
  const room = WIDTH - GAP * (parts.length - 1);
  const widthOf = (counted: number) => (counted / total) * room;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className={classes.bar} aria-hidden="true">
      {parts.map(({ kind, count }, at) => {
        const before = parts.slice(0, at).reduce((sum, part) => sum + widthOf(part.count) + GAP, 0);
        return (
          <path
            key={kind}
            className={classes[kind]}
            d={ruledBar(before, 3, widthOf(count), HEIGHT - 6, seed * 3 + at)}
          />
        );
      })}
    </svg>
  );
}

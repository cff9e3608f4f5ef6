import classes from './Tally.module.css';

/** A larger number is written in digits. */
const MOST_STROKES = 10;

interface TallyProps {
  count: number;
  /** What is counted, in the singular. */
  of: string;
}

/** A count as tally marks; nothing for 0. */
export function Tally({ count, of }: TallyProps) {
  if (count === 0) return null;
  const name = `${count} ${of}${count === 1 ? '' : 's'}`;
  if (count > MOST_STROKES) {
    return (
      <span className={classes.number} role="img" aria-label={name}>
        {count}
      </span>
    );
  }
  // As wide as the drawing: names need the space.
  const width = Math.floor(count / 5) * 30 + (count % 5 === 0 ? -4 : (count % 5) * 5.2 + 3);
  return (
    <svg viewBox={`0 0 ${width} 24`} className={classes.tally} role="img" aria-label={name}>
      {Array.from({ length: count }, (_, index) => (
        <path key={index} d={stroke(index)} />
      ))}
    </svg>
  );
}

function stroke(index: number): string {
  const left = Math.floor(index / 5) * 30;
  const turn = index % 5;
  if (turn === 4) return `M${left + 1} 18.500c8-4.500 15-8.500 23-13`;
  const lean = [0.8, -0.4, 0.5, -0.7][turn] ?? 0;
  return `M${left + 4 + turn * 5.2} ${4 - lean}c${lean} 5 ${-lean} 11 ${lean} 16`;
}

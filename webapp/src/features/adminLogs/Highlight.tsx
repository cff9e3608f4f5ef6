import classes from './Highlight.module.css';
import { partsOf } from './logFormat';

/** A text with the search term highlighted. */
export function Highlight({ text, wanted }: { text: string; wanted: string }) {
  return partsOf(text, wanted).map((part, at) =>
    at % 2 === 1 ? (
      <mark key={at} className={classes.found}>
        {part}
      </mark>
    ) : (
      part
    ),
  );
}

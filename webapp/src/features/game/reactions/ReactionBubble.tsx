import { REACTIONS } from './reactions';
import classes from './ReactionBubble.module.css';
import { ReactionDrawing } from './ReactionDrawing';
import type { ShownReaction } from './useReactions';

/** A reaction beside its player's card. It is read out by the page. */
export function ReactionBubble({ shown: { reaction } }: { shown: ShownReaction }) {
  return (
    <span className={classes.bubble} aria-hidden="true">
      <ReactionDrawing reaction={reaction} />
      {REACTIONS[reaction]}
    </span>
  );
}

import { EyeIcon } from '@/shared/ui/icons';
import classes from './GamePage.module.css';

/** How many people watch; nothing if nobody does. */
export function Watchers({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className={classes.watchers}>
      <EyeIcon />
      {count} watching
    </p>
  );
}

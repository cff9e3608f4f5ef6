import classes from './Avatar.module.css';

/** The first letter of a name, in a hand-drawn round. Decoration: the name stands beside it. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className={classes.avatar} aria-hidden="true">
      {[...name][0]?.toUpperCase() ?? '?'}
    </span>
  );
}

import classes from './ProBadge.module.css';

/** A badge beside the name of a Pro user. */
export function ProBadge() {
  return <span className={classes.badge}>Pro</span>;
}

import { usePlanSummary } from '@/shared/plan/usePlanSummary';
import { CheckIcon } from './icons';
import classes from './Benefits.module.css';

/** What the operator says that Pro gives here. */
export function Benefits() {
  const { benefits } = usePlanSummary();
  if (benefits.length === 0) return null;
  return (
    <ul className={classes.benefits} aria-label="Benefits">
      {benefits.map((benefit) => (
        <li key={benefit}>
          <CheckIcon />
          {benefit}
        </li>
      ))}
    </ul>
  );
}

import { usePlanSummary } from '@/shared/plan/usePlanSummary';
import { CheckIcon } from './icons';
import classes from './Benefits.module.css';

/** The benefits of Pro from the operator's configuration. */
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

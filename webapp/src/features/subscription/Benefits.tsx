import { CheckIcon } from './icons';
import classes from './Benefits.module.css';

/** Account and platform, section 1. */
export const BENEFITS = [
  'Unlimited tournament access per month',
  'Priority support and early access to new features',
  'Cancel anytime',
] as const;

export function Benefits() {
  return (
    <ul className={classes.benefits} aria-label="Benefits">
      {BENEFITS.map((benefit) => (
        <li key={benefit}>
          <CheckIcon />
          {benefit}
        </li>
      ))}
    </ul>
  );
}

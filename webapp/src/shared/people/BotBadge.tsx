import classes from './BotBadge.module.css';
import type { PersonSummary } from './personSummary';

/** Beside a bot's name, so that everybody knows that a program plays. Nothing beside a person's. */
export function BotBadge({ person }: { person: Pick<PersonSummary, 'isBot'> }) {
  if (person.isBot !== true) return null;
  return (
    <span className={classes.badge} title="A program plays on this account">
      bot
    </span>
  );
}

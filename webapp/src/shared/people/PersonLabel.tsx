import { Avatar } from './Avatar';
import { BotBadge } from './BotBadge';
import classes from './PersonLabel.module.css';
import { nameOf, type PersonSummary } from './personSummary';

interface PersonLabelProps {
  person: PersonSummary;
  /** Pixels per side. */
  size?: number;
}

/** A person's picture without the name. */
export function PersonAvatar({ person, size = 42 }: PersonLabelProps) {
  return <Avatar name={nameOf(person)} picture={person.profileUrl} size={size} />;
}

/** A person's picture and display name. */
export function PersonLabel({ person, size = 28 }: PersonLabelProps) {
  return (
    <span className={classes.face}>
      <PersonAvatar person={person} size={size} />
      <span className={classes.name}>
        {nameOf(person)}
        <BotBadge person={person} />
      </span>
    </span>
  );
}

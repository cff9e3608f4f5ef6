import { Avatar } from './Avatar';
import classes from './PersonLabel.module.css';
import { nameOf, type PersonSummary } from './personSummary';

interface PersonLabelProps {
  person: PersonSummary;
  /** Pixels a side. */
  size?: number;
}

/** Somebody's picture alone, where their name stands beside it in a way of its own. */
export function PersonAvatar({ person, size = 42 }: PersonLabelProps) {
  return <Avatar name={nameOf(person)} picture={person.profileUrl} size={size} />;
}

/** Somebody as everybody sees them: picture and display name. */
export function PersonLabel({ person, size = 28 }: PersonLabelProps) {
  return (
    <span className={classes.face}>
      <PersonAvatar person={person} size={size} />
      <span className={classes.name}>{nameOf(person)}</span>
    </span>
  );
}

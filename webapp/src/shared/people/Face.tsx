import { Avatar } from './Avatar';
import classes from './Face.module.css';
import { nameOf, type Somebody } from './somebody';

interface FaceProps {
  person: Somebody;
  /** Pixels a side. */
  size?: number;
}

/** Somebody's picture alone, where their name stands beside it in a way of its own. */
export function Portrait({ person, size = 42 }: FaceProps) {
  return <Avatar name={nameOf(person)} picture={person.profileUrl} size={size} />;
}

/** Somebody as everybody sees them: picture and display name. */
export function Face({ person, size = 28 }: FaceProps) {
  return (
    <span className={classes.face}>
      <Portrait person={person} size={size} />
      <span className={classes.name}>{nameOf(person)}</span>
    </span>
  );
}

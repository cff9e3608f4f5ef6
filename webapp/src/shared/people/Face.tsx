import type { ReactNode } from 'react';
import { Avatar } from './Avatar';
import classes from './Face.module.css';
import { nameOf, type Somebody } from './somebody';

interface FaceProps {
  person: Somebody;
  /** Pixels a side of the picture. */
  size?: number;
  /** In place of the display name: more than the name, or the name in an element of its own. */
  children?: ReactNode;
}

/** Somebody as everybody sees them: picture and display name. */
export function Face({ person, size = 28, children }: FaceProps) {
  const name = nameOf(person);
  return (
    <span className={classes.face}>
      <Avatar name={name} picture={person.profileUrl} size={size} />
      <span className={classes.name}>{children ?? name}</span>
    </span>
  );
}

import { useState } from 'react';
import { initialsOf, inkOf } from './initials';
import classes from './Avatar.module.css';

interface AvatarProps {
  name: string;
  /** Address of the person's picture; empty without one. */
  picture?: string | undefined;
  /** Pixels a side. */
  size?: number;
}

/** Somebody's picture, or their initials in the inks of the two marks, in a hand-drawn round. Decoration: the name stands beside it. */
export function Avatar({ name, picture = '', size = 42 }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const initials = initialsOf(name);
  return (
    <span
      className={classes.avatar}
      style={{ width: size, height: size, fontSize: size * (initials.length > 1 ? 0.38 : 0.46) }}
      aria-hidden="true"
    >
      {picture !== '' && broken !== picture ? (
        <img
          src={picture}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(picture)}
        />
      ) : (
        <span className={classes.initials}>
          {initials.map((initial, at) => (
            // Drawn, as the picture in its place is: no text to be read or copied.
            <span
              key={at}
              data-initial={initial}
              className={initials.length > 1 ? classes[at === 0 ? 'x' : 'o'] : classes[inkOf(name)]}
            />
          ))}
        </span>
      )}
    </span>
  );
}

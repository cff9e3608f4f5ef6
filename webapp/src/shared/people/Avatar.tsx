import { useState } from 'react';
import { initialsOf, inkOf } from './initials';
import classes from './Avatar.module.css';

interface AvatarProps {
  name: string;
  /** URL of the person's picture; empty without one. */
  picture?: string | undefined;
  /** Pixels per side. */
  size?: number;
}

/** A person's picture, or their initials in the colours of the marks, in a hand-drawn circle. Decorative. */
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
            // Drawn like the picture: not text to be read or copied.
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

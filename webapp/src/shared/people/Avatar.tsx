import { useState } from 'react';
import classes from './Avatar.module.css';

interface AvatarProps {
  name: string;
  /** Address of the person's picture; empty without one. */
  picture?: string;
  /** Pixels a side. */
  size?: number;
}

/** Somebody's picture, or the first letter of their name, in a hand-drawn round. Decoration: the name stands beside it. */
export function Avatar({ name, picture = '', size = 42 }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span className={classes.avatar} style={{ width: size, height: size, fontSize: size * 0.44 }} aria-hidden="true">
      {picture !== '' && broken !== picture ? (
        <img src={picture} alt="" width={size} height={size} onError={() => setBroken(picture)} />
      ) : (
        ([...name][0]?.toUpperCase() ?? '?')
      )}
    </span>
  );
}

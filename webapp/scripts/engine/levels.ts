/** Measures how often the weaker levels lose, and writes src/engine/measured.data.ts. About ten minutes on one core. */

import { writeFileSync } from 'node:fs';
import { Engine } from '../../src/engine/engine.ts';
import { SIZES } from '../../src/engine/geometry.ts';
import { countLosses } from '../../src/engine/testing/play.ts';

const GAMES = 200;
const engine = new Engine();

const losses = Object.fromEntries(
  SIZES.map((size) => [
    size,
    Object.fromEntries(
      (['easy', 'medium', 'hard'] as const).map((level) => {
        const record = {
          careful: countLosses(engine, size, level, 'careful', GAMES),
          perfect: countLosses(engine, size, level, 'perfect', GAMES),
        };
        console.error(`${size}x${size} ${level}`, record);
        return [level, record];
      }),
    ),
  ]),
);

writeFileSync(
  new URL('../../src/engine/measured.data.ts', import.meta.url),
  `/** Made by scripts/engine/levels.ts. See measured.ts. */
export const MEASURED_GAMES = ${GAMES};
export const MEASURED_LOSSES = ${JSON.stringify(losses, null, 2)} as const;
`,
);

/** `npm run api`: writes the generated files in src/api. */

import { writeFileSync } from 'node:fs';
import { generate } from './contract.ts';

for (const [name, text] of Object.entries(await generate())) {
  writeFileSync(new URL(`../../src/api/${name}`, import.meta.url), text);
}

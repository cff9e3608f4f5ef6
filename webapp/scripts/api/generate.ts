/** `npm run api`: writes what src/api holds of the contract. */

import { writeFileSync } from 'node:fs';
import { generate } from './contract.ts';

for (const [name, text] of Object.entries(await generate())) {
  writeFileSync(new URL(`../../src/api/${name}`, import.meta.url), text);
}

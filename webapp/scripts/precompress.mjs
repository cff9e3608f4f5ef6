// Writes a .br and a .gz beside every text asset of the build, so that the server compresses none of them at run time.
// Documents are not among them: the server puts its address into each as it sends it.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressed = new Set(['.js', '.css', '.svg', '.json', '.webmanifest']);
const root = new URL('../dist', import.meta.url).pathname;
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

const entries = await readdir(root, { recursive: true, withFileTypes: true });
const files = entries.filter((entry) => entry.isFile() && compressed.has(extname(entry.name)));
await Promise.all(
  files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    const content = await readFile(path);
    const [brotli, zipped] = await Promise.all([
      toBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
      toGzip(content, { level: 9 }),
    ]);
    // A variant that is not smaller would be useless.
    if (brotli.length < content.length) await writeFile(`${path}.br`, brotli);
    if (zipped.length < content.length) await writeFile(`${path}.gz`, zipped);
  }),
);
console.log(`precompressed ${files.length} files`);

import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const CORE = new URL('../node_modules/@mantine/core/styles/', import.meta.url);
const ALL = /\/@mantine\/core\/styles\.layer\.css$/;
/** The base styles of all components. */
const GROUND = ['baseline', 'default-css-variables', 'global'];
const CLASSES = /\/@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;

/**
 * The library's style sheet for all its components is 230 KB, of which each page uses little. In the build every
 * component brings its own sheet instead, so that a page loads those of the components it has. The order that the
 * cascade needs comes by itself: a component imports those it is made of.
 */
export function componentStyles(): Plugin {
  return {
    name: 'morpion-component-styles',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (!ALL.test(id)) return null;
      return GROUND.map((name) => readFileSync(new URL(`${name}.layer.css`, CORE), 'utf8')).join('\n');
    },
    transform(code, id) {
      const [, name] = CLASSES.exec(id) ?? [];
      if (name === undefined) return null;
      return { code: `import '@mantine/core/styles/${name}.layer.css';\n${code}`, map: null };
    },
  };
}

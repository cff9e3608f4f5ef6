import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { answered } from './scripts/lint/answered.js';

const features = readdirSync(new URL('./src/features', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

// Imports point one way: app → features → shared, realtime, api, engine. Features never import each other.
const zones = [
  ...features.map((name) => ({
    target: `./src/features/${name}`,
    from: './src/features',
    except: [`./${name}`],
    message: 'Features do not import each other: what two of them need belongs in shared.',
  })),
  {
    target: './src/embed',
    from: ['./src/app', './src/features', './src/realtime'],
    message: 'What is embedded is small, and reads no session.',
  },
  { target: './src/features', from: './src/app', message: 'A feature does not know the app around it.' },
  ...['shared', 'realtime', 'api', 'engine'].map((name) => ({
    target: `./src/${name}`,
    from: ['./src/app', './src/features', './src/embed'],
    message: 'What lies below does not import what lies above.',
  })),
  {
    target: './src/engine',
    from: ['./src/shared', './src/realtime', './src/api'],
    message: 'The engine stands alone.',
  },
];

export default tseslint.config(
  {
    ignores: [
      'dist',
      'src/api/generatedActions.ts',
      'src/api/generatedFrames.ts',
      'src/api/schema.d.ts',
      'playwright-report',
      'test-results',
    ],
  },
  js.configs.recommended,
  tseslint.configs.strict,
  reactHooks.configs.flat.recommended,
  jsxA11y.flatConfigs.recommended,
  {
    plugins: { 'import-x': importX, morpion: { rules: { answered } } },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: './tsconfig.app.json' })],
    },
    languageOptions: { globals: globals.browser },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-cycle': 'error',
      'no-console': 'error',
      'morpion/answered': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // RTK Query declares an endpoint without arguments with void.
      '@typescript-eslint/no-invalid-void-type': 'off',
    },
  },
  {
    files: ['*.{js,ts}', 'scripts/**', 'e2e/**'],
    languageOptions: { globals: globals.node },
    // A fixture's `use` is not a hook.
    rules: { 'no-console': 'off', 'react-hooks/rules-of-hooks': 'off' },
  },
  {
    // The engine reads typed arrays at indices it computed itself; checks in its inner loops would be too slow.
    files: ['**/*.test.{ts,tsx}', 'e2e/**', 'src/testing/**', 'src/engine/**'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  { files: ['**/*.test.{ts,tsx}'], rules: { 'no-console': 'off' } },
  {
    // A list of cases is as long as it is.
    ignores: ['**/*.test.{ts,tsx}', 'src/testing/**', 'e2e/**/*.spec.ts', 'e2e/scenarios/scenarios.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 80, IIFEs: true }], 'max-lines': ['error', 400] },
  },
  prettier,
);

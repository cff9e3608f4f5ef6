/** Generates the files that `npm run api` writes from openapi.json. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';

/** Relative to webapp, where npm runs scripts. */
const DOCUMENT = resolve('../openapi/openapi.json');

const BANNER = '/* @generated from openapi/openapi.json by `npm run api`: do not edit. */\n\n';

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
  'x-actions'?: { action: string; payload: { $ref: string }; answer: { $ref: string } }[];
}

export interface Document {
  paths: Record<string, Partial<Record<'get' | 'post', Operation>>>;
  components: { schemas: Record<string, object> };
}

export function readDocument(): Document {
  return JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Document;
}

/** File names below src/api and their contents. */
export async function generate(): Promise<Record<string, string>> {
  return {
    'schema.d.ts': BANNER + astToString(await openapiTS(readFileSync(DOCUMENT, 'utf8'))),
    'generatedActions.ts': BANNER + (await formatted(actions(readDocument()))),
  };
}

/** Every action with the types of its payload and response, and the path of every operation. */
function actions({ paths }: Document): string {
  const resources: Record<string, string[]> = {};
  const addresses: string[] = [];
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      addresses.push(`${operation.operationId}: { method: '${method}', path: '${path}' },`);
      const resource = path.split('/').at(-1) ?? '';
      const kind = method === 'get' ? 'read' : 'write';
      for (const { action, payload, answer } of operation['x-actions'] ?? []) {
        (resources[resource] ??= []).push(
          `${action}: { kind: '${kind}'; payload: ${schema(payload.$ref)}; answer: ${schema(answer.$ref)} };`,
        );
      }
    }
  }
  return `
    import type { components } from './schema';

    type Schemas = components['schemas'];

    /** The action API: each resource's actions, whether they read or write, and what they take and answer. */
    export interface Actions {
      ${Object.entries(resources)
        .map(([resource, lines]) => `${resource}: { ${lines.join('\n')} };`)
        .join('\n')}
    }

    /** Where each operation of the contract is. */
    export const OPERATIONS = { ${addresses.join('\n')} } as const;
  `;
}

function schema(reference: string): string {
  return `Schemas['${reference.split('/').at(-1) ?? ''}']`;
}

async function formatted(source: string): Promise<string> {
  const options = await resolveConfig(resolve('scripts/api/contract.ts'));
  return format(source, { ...options, parser: 'typescript' });
}

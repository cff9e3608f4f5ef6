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
  /** The action of an operation of its own. */
  'x-action'?: string;
  'x-actions'?: { action: string; payload: { $ref: string }; answer: { $ref: string } }[];
}

export interface Document {
  paths: Record<string, Partial<Record<'get' | 'post', Operation>>>;
  components: { schemas: Record<string, object> };
}

export function readDocument(): Document {
  return JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Document;
}

interface Nullable {
  type?: string | string[];
  anyOf?: object[];
  enum?: unknown[];
}

const isNull = (schema: object) => 'type' in schema && schema.type === 'null';

/** A schema without the `null` that it may also be. */
function withoutNull({ type, anyOf, enum: words, ...rest }: Nullable): object {
  const others = anyOf?.filter((schema) => !isNull(schema));
  return {
    ...rest,
    ...(type === undefined ? {} : { type: Array.isArray(type) ? type.find((each) => each !== 'null') : type }),
    ...(others?.length === 1 ? others[0] : others && { anyOf: others }),
    ...(words && { enum: words.filter((word) => word !== null) }),
  };
}

const isOwn = (operation: unknown) => typeof operation === 'object' && operation !== null && 'x-action' in operation;

/**
 * The document without what we do not use: the `null` that requests may have for what is absent, and operations of
 * single actions.
 */
function ourWay(): string {
  const { paths, ...rest } = readDocument();
  const used = Object.entries(paths).filter(([, operations]) => !Object.values(operations).some(isOwn));
  return JSON.stringify({ ...rest, paths: Object.fromEntries(used) }, (key, value: unknown) => {
    if (key === 'example') return undefined;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? withoutNull(value) : value;
  });
}

/** File names below src/api and their contents. */
export async function generate(): Promise<Record<string, string>> {
  return {
    'schema.d.ts': BANNER + astToString(await openapiTS(ourWay())),
    'generatedActions.ts': BANNER + (await formatted(actions(readDocument()))),
    'generatedFrames.ts': BANNER + (await formatted(frames(readDocument()))),
  };
}

/** Every action with the types of its payload and response, and the path of every operation. */
function actions({ paths }: Document): string {
  const resources: Record<string, string[]> = {};
  const addresses: string[] = [];
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (isOwn(operation)) continue;
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

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  enum?: string[];
}

/** The shape of what each frame of the server carries. */
function frames({ components }: Document): string {
  const schemas = components.schemas as Record<string, Schema>;
  const shapes = new Map<string, string>();
  const shape = ({ $ref, type, properties, required, items }: Schema): string => {
    if ($ref !== undefined) {
      const name = $ref.split('/').at(-1) ?? '';
      const target = schemas[name] ?? {};
      if (target.properties === undefined) return shape(target);
      // Those that it consists of come first.
      if (!shapes.has(name)) shapes.set(name, shape(target));
      return name;
    }
    if (type === 'array') return `[${shape(items ?? {})}]`;
    if (type !== 'object') return `'${type ?? ''}'`;
    const fields = Object.entries(properties ?? {}).map(([name, field]) => {
      const suffix = (required ?? []).includes(name) ? '' : '?';
      return `'${name}${suffix}': ${shape(field)},`;
    });
    return `{ ${fields.join(' ')} }`;
  };
  const table = (schemas.ServerFrame?.oneOf ?? []).map(({ properties }) => {
    return `'${properties?.event?.enum?.[0] ?? ''}': ${shape(properties?.data ?? {})},`;
  });
  return `
    ${[...shapes].map(([name, text]) => `const ${name} = ${text} as const;`).join('\n')}

    /** What each frame of the server carries; see \`fits\`. */
    export const FRAMES = { ${table.join('\n')} } as const;
  `;
}

function schema(reference: string): string {
  return `Schemas['${reference.split('/').at(-1) ?? ''}']`;
}

async function formatted(source: string): Promise<string> {
  const options = await resolveConfig(resolve('scripts/api/contract.ts'));
  return format(source, { ...options, parser: 'typescript' });
}

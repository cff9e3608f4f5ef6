import { Ajv } from 'ajv';
import { readDocument } from '../../../scripts/api/contract';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const document = readDocument();
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    uuid: UUID,
    'date-time': (text) => text.endsWith('Z') && !Number.isNaN(Date.parse(text)),
    uint8: { type: 'number', validate: (value) => value >= 0 && value < 256 },
    uint32: { type: 'number', validate: (value) => value >= 0 && value < 2 ** 32 },
    uint64: { type: 'number', validate: (value) => value >= 0 },
    int64: true,
    double: true,
    binary: true,
  },
}).addSchema({ $id: 'contract', components: { schemas: mapped(document.components.schemas) } });

/** The schemas without additional properties: a mock returns nothing that the contract does not name. */
function mapped(schemas: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      'properties' in schema ? { additionalProperties: false, ...schema } : schema,
    ]),
  );
}

/** Why the value violates the contract's schema of that name; null if it conforms. */
export function misfit(schema: string, value: unknown): string | null {
  const validate = ajv.getSchema(`contract#/components/schemas/${schema}`);
  if (validate === undefined) throw new Error(`the contract has no ${schema}`);
  return validate(value) === true ? null : `${schema}: ${ajv.errorsText(validate.errors)}`;
}

/** The operations that the web app uses: those of single actions are the same actions again. */
export const operations = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )
  .filter((operation) => operation['x-action'] === undefined);

/** The name at the end of a reference. */
export function nameOf({ $ref }: { $ref: string }): string {
  return $ref.split('/').at(-1) ?? '';
}

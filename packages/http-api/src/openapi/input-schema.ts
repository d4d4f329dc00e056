import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { type InputClass, nestedInputs, recordListsOf } from '../fields/index.js';
import { declaredChecks } from '../validation/index.js';
import { is, type Schema } from '../responses/index.js';
import { fieldSchema, type RuleMetadata } from './validation-rules.js';

/** One field of an input, read from its decorators. */
export interface InputField {
  readonly name: string;
  readonly required: boolean;
  /** Whether null is accepted; `schema` does not include it. */
  readonly nullable: boolean;
  readonly schema: Schema;
}

/** Returns the fields of an input in the order of their declaration. `refer` returns the schema of a nested class. */
export function inputFields(input: InputClass, refer: (nested: InputClass) => Schema): InputField[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(input, '', true, false);
  const initial = new input() as Readonly<Record<string, unknown>>;
  return [...new Set(rules.map((rule) => rule.propertyName))].map((name) =>
    field({
      input,
      name,
      defaultValue: initial[name],
      rules: rules.filter((rule) => rule.propertyName === name),
      refer,
    }),
  );
}

/**
 * Returns one object schema of the fields. Other fields are refused, except those that a client may send back because a
 * response has them.
 */
export function objectSchema(fields: readonly InputField[], readOnly: ReadonlyMap<string, Schema> = new Map()): Schema {
  const required = fields.filter((each) => each.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(fields.map(({ name, nullable, schema }) => [name, nullable ? orNull(schema) : schema])),
      ...Object.fromEntries([...readOnly].map(([name, schema]) => [name, { ...schema, readOnly: true }])),
    },
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

interface FieldDeclaration {
  readonly input: InputClass;
  readonly name: string;
  /** The value if the client sends none. */
  readonly defaultValue: unknown;
  readonly rules: readonly RuleMetadata[];
  readonly refer: (nested: InputClass) => Schema;
}

function field(declaration: FieldDeclaration): InputField {
  const { input, name, defaultValue, rules } = declaration;
  const presence = presenceOf(rules, input, name);
  const note =
    defaultValue === undefined && presence.dependsOn.length > 0
      ? dependence(presence.dependsOn)
      : presence.meaningOfNull;
  const schema = {
    ...fieldSchema(rules, declaredType(input, name)),
    ...nestedSchema(declaration),
    ...(note ? { description: note } : {}),
    ...(defaultValue === undefined || typeof defaultValue === 'object' ? {} : { default: defaultValue }),
  };
  // A record of a kind for which the field is ignored shows it as null.
  const isIgnorable = declaredChecks(input).ignored.some((ignored) => ignored.name === name);
  return {
    name,
    required: presence.required && defaultValue === undefined,
    nullable: presence.nullable || isIgnorable,
    schema,
  };
}

const orNull = (schema: Schema): Schema =>
  schema.type === undefined ? { anyOf: [schema, { type: 'null' }] } : is.nullable(schema);

/** The description of a field that null clears. */
export const NULL_IS_NO_VALUE = '`null` means no value.';

const dependence = (names: readonly string[]): string =>
  `Whether it is required depends on ${names.map((name) => `\`${name}\``).join(' and ')}.`;

interface Presence {
  readonly required: boolean;
  readonly nullable: boolean;
  /** Other fields that the conditions of this one read. */
  readonly dependsOn: readonly string[];
  /** A sentence, if null is accepted. */
  readonly meaningOfNull?: string;
}

/** Runs the field's conditions and transformations on an absent value and on null. */
function presenceOf(rules: readonly RuleMetadata[], input: InputClass, name: string): Presence {
  const dependsOn = new Set<string>();
  const conditions = rules
    .filter((rule) => rule.type === 'conditionalValidation')
    .map((rule) => rule.constraints?.[0] as (record: object, value: unknown) => boolean);
  const checks = (value: unknown): boolean => {
    const get = (_: object, other: string | symbol): unknown =>
      other === name ? value : void dependsOn.add(String(other));
    return conditions.every((condition) => condition(new Proxy({}, { get }), value));
  };
  const [checksAbsent, checksNull] = [checks(undefined), checks(null)];
  const replacement = (plainToInstance(input, { [name]: null }) as Record<string, unknown>)[name];
  const isReplaced = replacement != null;
  if (dependsOn.size > 0) return { required: false, nullable: isReplaced, dependsOn: [...dependsOn] };
  const nullable = isReplaced || !checksNull;
  const meaningOfNull = isReplaced
    ? `\`null\` means \`${typeof replacement === 'string' ? replacement : JSON.stringify(replacement)}\`.`
    : NULL_IS_NO_VALUE;
  return { required: checksAbsent, nullable, dependsOn: [], ...(nullable ? { meaningOfNull } : {}) };
}

const DECLARED: ReadonlyMap<unknown, Schema> = new Map<unknown, Schema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [Array, { type: 'array' }],
]);

/** The type of the field in TypeScript, used if no rule implies a type. */
const declaredType = (input: InputClass, name: string): Schema =>
  DECLARED.get(Reflect.getMetadata('design:type', input.prototype as object, name)) ?? {};

/** The schema of the class of `@Type`. */
function nestedSchema({ input, name, rules, refer }: FieldDeclaration): Schema {
  const records = recordListsOf(input).get(name);
  if (records) return { type: 'array', items: refer(records()) };
  const rule = rules.find(({ type }) => type === 'nestedValidation');
  if (!rule) return {};
  const nested = nestedInputs(input).get(name)?.input;
  if (!nested) return {};
  return rule.each ? { type: 'array', items: refer(nested) } : { type: undefined, ...refer(nested) };
}

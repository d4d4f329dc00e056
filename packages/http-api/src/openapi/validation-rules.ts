import type { Schema } from '../responses/index.js';

/** The JSON Schema of class-validator's rules and of ours, by the rule's name. */
const RULE_SCHEMAS: Readonly<Record<string, (constraints: readonly unknown[]) => Schema>> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isId: () => ({ type: 'integer', minimum: 1 }),
  isNumber: () => ({ type: 'number' }),
  isArray: () => ({ type: 'array' }),
  isObject: () => ({ type: 'object' }),
  isDate: () => ({ type: 'string', format: 'date-time' }),
  isEmailAddress: () => ({ type: 'string', format: 'email', maxLength: 254 }),
  isIn: ([values]) => ({ enum: values }),
  min: ([minimum]) => ({ minimum }),
  max: ([maximum]) => ({ maximum }),
  minLength: ([minLength]) => ({ minLength }),
  maxLength: ([maxLength]) => ({ maxLength }),
  isLength: ([minLength, maxLength]) => ({ minLength, maxLength }),
  isNotEmpty: () => ({ minLength: 1 }),
  arrayMinSize: ([minItems]) => ({ minItems }),
  arrayMaxSize: ([maxItems]) => ({ maxItems }),
  arrayUnique: () => ({ uniqueItems: true }),
  minDate: () => ({}),
  isPlainName: () => ({}),
  isOneLine: () => ({}),
  matches: ([pattern]) => ({ pattern: pattern instanceof RegExp ? pattern.source : pattern }),
};

/** One rule of a field, as class-validator stores it. */
export interface RuleMetadata {
  readonly type: string;
  readonly name?: string | undefined;
  readonly constraints?: readonly unknown[] | undefined;
  readonly each?: boolean | undefined;
  readonly context?: { readonly schema?: Schema } | undefined;
}

/**
 * Returns the schema that a rule declares, or the one for its name. Conditions and nested classes have none.
 * @throws Error if the rule is unknown, so that the reference is complete
 */
export function ruleSchema({ type, name, constraints, context }: RuleMetadata): Schema {
  if (type !== 'customValidation') return {};
  const schema = context?.schema ?? RULE_SCHEMAS[name ?? '']?.(constraints ?? []);
  if (!schema) throw new Error(`The API reference does not know the rule ${name}: declare its schema.`);
  return schema;
}

/** Returns the schema of a field from all its rules; rules with `each` describe its elements. */
export function fieldSchema(rules: readonly RuleMetadata[], declared: Schema): Schema {
  const schemaOf = (each: boolean): Schema =>
    Object.assign({}, ...rules.filter((rule) => (rule.each ?? false) === each).map(ruleSchema)) as Schema;
  const fieldOnly = withEnumType({ ...declared, ...schemaOf(false) });
  return rules.some((rule) => rule.each)
    ? { ...fieldOnly, type: 'array', items: withEnumType(schemaOf(true)) }
    : fieldOnly;
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return typeof value === 'number' ? 'integer' : typeof value;
};

/** Adds the type of an enumeration, which follows from its values. */
function withEnumType(schema: Schema): Schema {
  if (!Array.isArray(schema.enum)) return schema;
  const types = [...new Set((schema.enum as readonly unknown[]).map(typeOf))];
  return { ...schema, type: types.length === 1 ? String(types[0]) : types };
}

import type { FieldErrors } from '@outreach/http-errors';
import type { InputCheck } from '@outreach/http-api/validation';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { ImportField } from './contact-fields.js';
import { CONTACT_SIZE_RULE, isContactTooLarge } from './contact-size.js';
import { Contact, type CustomFieldValue } from './contact.entity.js';
import {
  COUNT_RULE,
  customValueError,
  isCustomFieldKey,
  MAX_FIELDS,
  MAX_KEYS,
  readCustomFields,
} from './custom-fields/custom-field-values.js';
import { findDefinitions } from './custom-fields/custom-fields.queries.js';

type ContactFields = { readonly [Name in ImportField]?: unknown } & {
  readonly custom_fields?: Readonly<Record<string, unknown>> | null;
};

/**
 * Returns the errors of the custom fields of a body, by `custom_fields.<key>`: their form, their types in the workspace,
 * and what the contact would be with them.
 */
export const customFieldErrors: InputCheck<ContactFields> = async (input, { context, unknownFields }) => {
  const patch = readCustomFields(input.custom_fields ?? {});
  const stored = context.record(Contact);
  const before = input.custom_fields === null ? {} : stored?.custom_fields;
  const merged = { ...before, ...Object.fromEntries(patch.values) };
  for (const key of patch.removed) delete merged[key];
  return {
    ...sizeErrors({ ...stored, ...withoutAbsent(input), custom_fields: merged }),
    ...(await typeErrors(context.scope, patch.values, unknownFields().filter(isCustomFieldKey))),
    ...patch.errors,
  };
};

const withoutAbsent = (input: object): object =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

function sizeErrors(contact: Parameters<typeof isContactTooLarge>[0]): FieldErrors {
  if (Object.keys(contact.custom_fields ?? {}).length > MAX_KEYS) return { custom_fields: [COUNT_RULE] };
  return isContactTooLarge(contact) ? { custom_fields: [CONTACT_SIZE_RULE] } : {};
}

/**
 * New keys become custom fields, in the order of their names, as long as the workspace may have more.
 * @param unknown fields beside `custom_fields`, which may be meant to be in it
 */
async function typeErrors(
  scope: WorkspaceScope,
  values: ReadonlyMap<string, CustomFieldValue>,
  unknown: readonly string[],
): Promise<FieldErrors> {
  if (values.size === 0 && unknown.length === 0) return {};
  const { types, fields } = await findDefinitions(scope, [...values.keys(), ...unknown]);
  const misplaced = unknown.filter((name) => types.has(name));
  const added = [...values.keys()].filter((key) => !types.has(key)).sort();
  const refused = new Set(added.slice(Math.max(0, MAX_FIELDS - fields)));
  const errors = [...values].flatMap(([key, value]) => {
    const type = types.get(key);
    if (!type && !refused.has(key)) return [];
    const error = customValueError(value, type);
    return error ? [[`custom_fields.${key}`, [error]] as const] : [];
  });
  return Object.fromEntries([...errors, ...misplaced.map((name) => [name, [misplacedRule(name)]] as const)]);
}

const misplacedRule = (name: string): string =>
  `${name} is a custom field of the workspace: send it in custom_fields, as {"custom_fields": {"${name}": …}}`;

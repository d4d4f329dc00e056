import type { FieldErrors } from '@outreach/http-errors';
import type { CheckedInput, InputContext } from '@outreach/http-api/validation';
import { contactVariables, customFieldKeys, SAMPLE_CONTACT } from '../../../contacts/index.js';

const CONTACT_FIELDS: ReadonlySet<string> = new Set(Object.keys(contactVariables(SAMPLE_CONTACT)));
const CUSTOM_FIELD_PREFIX = 'custom_fields.';

/** The custom fields of the workspace, read once for all steps of a request. */
const keysOfRequests = new WeakMap<InputContext, Promise<ReadonlySet<string>>>();

function keysOf(context: InputContext): Promise<ReadonlySet<string>> {
  const known = keysOfRequests.get(context);
  if (known) return known;
  const keys = customFieldKeys(context.scope).then((all) => new Set(all));
  keysOfRequests.set(context, keys);
  return keys;
}

/** Returns an error for each name that is neither a field of contacts nor a custom field of the workspace. */
export async function requiredVariableErrors(
  { required_variables: names }: { readonly required_variables?: readonly (string | undefined)[] | undefined },
  { context, pathOf }: CheckedInput,
): Promise<FieldErrors> {
  const others = (names ?? []).flatMap((name, index) =>
    name === undefined || CONTACT_FIELDS.has(name) ? [] : [{ name, index }],
  );
  if (others.length === 0) return {};
  const keys = await keysOf(context);
  const unknown = others.filter(({ name }) => !keys.has(keyOf(name)));
  return Object.fromEntries(unknown.map(({ name, index }) => [pathOf(`required_variables.${index}`), [message(name)]]));
}

const keyOf = (name: string): string =>
  name.startsWith(CUSTOM_FIELD_PREFIX) ? name.slice(CUSTOM_FIELD_PREFIX.length) : name;

const message = (name: string): string => `${name} is neither a field of contacts nor a custom field of the workspace.`;

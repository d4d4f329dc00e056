import { contactVariables, CustomField, SAMPLE_CONTACT } from '../contacts/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { MESSAGE_VARIABLES } from './recipient-values.js';
import { variableNames } from './rendering/index.js';
import type { Template } from './template.entity.js';

type TemplateText = Pick<Template, 'subject' | 'body'>;

/** What a record is in addition: the names in its texts for which no message has a value. */
export interface UnknownVariables {
  /**
   * The names that are no contact field, no custom field of the workspace and no built-in variable, each once, in order
   * of appearance.
   */
  readonly unknown_variables: readonly string[];
}

const KNOWN: ReadonlySet<string> = new Set([...Object.keys(contactVariables(SAMPLE_CONTACT)), ...MESSAGE_VARIABLES]);
const CUSTOM_FIELD_PREFIX = 'custom_fields.';

/** Adds their unknown variables to templates, with at most one statement. */
export async function withUnknownVariables<T extends TemplateText>(
  scope: WorkspaceScope,
  templates: readonly T[],
): Promise<(T & UnknownVariables)[]> {
  const candidates = templates.map(({ subject, body }) =>
    [...new Set([...variableNames(subject), ...variableNames(body)])].filter((name) => !KNOWN.has(name)),
  );
  const hasCandidates = candidates.some((names) => names.length > 0);
  const keys = new Set(hasCandidates ? (await scope.of(CustomField).find({})).map(({ key }) => key) : []);
  return templates.map((template, index) => ({
    ...template,
    unknown_variables: (candidates[index] ?? []).filter((name) => !isCustomField(name, keys)),
  }));
}

/** Adds its unknown variables to a template. */
export async function withItsUnknownVariables<T extends TemplateText>(
  scope: WorkspaceScope,
  template: T,
): Promise<T & UnknownVariables> {
  const [described] = await withUnknownVariables(scope, [template]);
  return described ?? { ...template, unknown_variables: [] };
}

const isCustomField = (name: string, keys: ReadonlySet<string>): boolean =>
  keys.has(name.startsWith(CUSTOM_FIELD_PREFIX) ? name.slice(CUSTOM_FIELD_PREFIX.length) : name);

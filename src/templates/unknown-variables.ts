import { type BackgroundSteps, runSome } from '@outreach/concurrency';
import { contactVariables, CustomField, SAMPLE_CONTACT } from '../contacts/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { MESSAGE_VARIABLES } from './recipient-values.js';
import { variableNames } from '@outreach/template-language';
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

/**
 * Adds their unknown variables to templates, with at most one statement. What takes longer than two milliseconds runs in the
 * background, in turns with other workspaces.
 */
export async function withUnknownVariables<T extends TemplateText>(
  scope: WorkspaceScope,
  templates: readonly T[],
  steps: BackgroundSteps,
): Promise<(T & UnknownVariables)[]> {
  const work = candidateNames(templates);
  const first = runSome(work);
  const candidates = first.done ? first.value : await steps.finish(scope.workspace_id, work);
  const keys = await customFieldKeys(scope, candidates.flat());
  return templates.map((template, index) => withoutKnown(template, candidates[index] ?? [], keys));
}

/** Adds its unknown variables to a template. */
export async function withItsUnknownVariables<T extends TemplateText>(
  scope: WorkspaceScope,
  template: T,
): Promise<T & UnknownVariables> {
  const candidates = namesIn(template);
  return withoutKnown(template, candidates, await customFieldKeys(scope, candidates));
}

/**
 * Returns the names in each template that may be unknown. Can be interrupted after each template, because a long one takes some
 * milliseconds.
 */
export function* candidateNames(templates: readonly TemplateText[]): Generator<undefined, (readonly string[])[]> {
  const names: (readonly string[])[] = [];
  for (const template of templates) {
    names.push(namesIn(template));
    yield;
  }
  return names;
}

const namesIn = ({ subject, body }: TemplateText): string[] =>
  [...new Set([...variableNames(subject), ...variableNames(body)])].filter((name) => !KNOWN.has(name));

async function customFieldKeys(scope: WorkspaceScope, candidates: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(candidates.length > 0 ? (await scope.of(CustomField).find({})).map(({ key }) => key) : []);
}

const withoutKnown = <T>(template: T, names: readonly string[], keys: ReadonlySet<string>): T & UnknownVariables => ({
  ...template,
  unknown_variables: names.filter((name) => !isCustomField(name, keys)),
});

const isCustomField = (name: string, keys: ReadonlySet<string>): boolean =>
  keys.has(name.startsWith(CUSTOM_FIELD_PREFIX) ? name.slice(CUSTOM_FIELD_PREFIX.length) : name);

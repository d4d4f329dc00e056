import { Conflict, defineReason } from '@outreach/http-errors';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Template } from '../../templates/index.js';
import type { CreateStepDto } from './dto/create-step.dto.js';
import type { UpdateStepDto } from './dto/update-step.dto.js';
import { lockTemplatesForShare, type StepContent } from './steps.queries.js';

const TEMPLATE_DELETED = defineReason(
  'template_deleted',
  409,
  'The template of a step was deleted while the request ran.',
);

type TemplateTexts = Pick<Template, 'subject' | 'body'>;

/**
 * The contents of new steps. Fields that the client left out are copied from the step's template.
 * @throws Conflict if a template was deleted in the meantime
 */
export async function newContents(scope: WorkspaceScope, steps: readonly CreateStepDto[]): Promise<StepContent[]> {
  const templates = await templatesOf(scope, steps);
  return steps.map((step) => {
    const template = templates.get(step.template_id ?? 0);
    return {
      template_id: step.template_id ?? null,
      subject: step.subject ?? template?.subject ?? '',
      body: step.body ?? template?.body ?? '',
      delay_minutes: step.delay_minutes ?? 0,
      same_thread: step.same_thread ?? false,
      only_if: step.only_if ?? null,
      required_variables: step.required_variables ?? [],
    };
  });
}

/**
 * The changed fields of a step. If the client set a template, the texts that it left out are copied from the template.
 * @throws Conflict if the template was deleted in the meantime
 */
export async function changedContent(scope: WorkspaceScope, step: UpdateStepDto): Promise<Partial<StepContent>> {
  const templates = await templatesOf(scope, [step]);
  const template: Partial<TemplateTexts> | undefined = templates.get(step.template_id ?? 0);
  return {
    template_id: step.template_id,
    subject: step.subject ?? template?.subject,
    body: step.body ?? template?.body,
    delay_minutes: step.delay_minutes,
    same_thread: step.same_thread,
    only_if: step.only_if,
    required_variables: step.required_variables,
  };
}

async function templatesOf(
  scope: WorkspaceScope,
  steps: readonly { readonly template_id?: number | null }[],
): Promise<ReadonlyMap<number, TemplateTexts>> {
  const ids = steps.flatMap((step) => step.template_id ?? []);
  if (ids.length === 0) return new Map();
  const templates = await lockTemplatesForShare(scope, ids);
  if (ids.some((id) => !templates.has(id))) {
    throw new Conflict(TEMPLATE_DELETED, 'A template of the steps was deleted in the meantime.');
  }
  return templates;
}

import { ValidationFailed } from '../../platform/errors/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Template } from '../../templates/index.js';
import type { CreateStepDto } from './dto/create-step.dto.js';
import type { UpdateStepDto } from './dto/update-step.dto.js';
import { lockTemplatesForShare, type StepContent } from './steps.queries.js';

type TemplateTexts = Pick<Template, 'subject' | 'body'>;

/**
 * The contents of new steps. Fields that the client left out are copied from the step's template.
 * @param pathOf the path of the nth step in the request body, with a dot at the end; empty for the body itself
 * @throws ValidationFailed if a template does not exist in the workspace
 */
export async function newContents(
  scope: WorkspaceScope,
  steps: readonly CreateStepDto[],
  pathOf: (index: number) => string,
): Promise<StepContent[]> {
  const templates = await templatesOf(scope, steps, pathOf);
  return steps.map((step) => {
    const template = templates.get(step.template_id ?? 0);
    return {
      template_id: step.template_id ?? null,
      subject: step.subject ?? template?.subject ?? '',
      body: step.body ?? template?.body ?? '',
      delay_minutes: step.delay_minutes ?? 0,
      same_thread: step.same_thread ?? false,
    };
  });
}

/**
 * The changed fields of a step. If the client set a template, the texts that it left out are copied from the template.
 * @throws ValidationFailed if the template does not exist in the workspace
 */
export async function changedContent(scope: WorkspaceScope, step: UpdateStepDto): Promise<Partial<StepContent>> {
  const templates = await templatesOf(scope, [step], () => '');
  const template: Partial<TemplateTexts> | undefined = templates.get(step.template_id ?? 0);
  return {
    template_id: step.template_id,
    subject: step.subject ?? template?.subject,
    body: step.body ?? template?.body,
    delay_minutes: step.delay_minutes,
    same_thread: step.same_thread,
  };
}

async function templatesOf(
  scope: WorkspaceScope,
  steps: readonly { readonly template_id?: number | null }[],
  pathOf: (index: number) => string,
): Promise<ReadonlyMap<number, TemplateTexts>> {
  const ids = steps.flatMap((step) => step.template_id ?? []);
  const templates = ids.length > 0 ? await lockTemplatesForShare(scope, ids) : new Map<number, TemplateTexts>();
  const missing = steps.flatMap(({ template_id: id }, index) =>
    id == null || templates.has(id) ? [] : [[`${pathOf(index)}template_id`, ['The template does not exist.']] as const],
  );
  if (missing.length > 0) throw new ValidationFailed(Object.fromEntries(missing));
  return templates;
}

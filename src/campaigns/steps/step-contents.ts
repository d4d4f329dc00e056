import { ValidationFailed } from '../../platform/errors/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Template } from '../../templates/index.js';
import type { CreateStepDto } from './dto/create-step.dto.js';
import type { UpdateStepDto } from './dto/update-step.dto.js';
import { lockTemplatesForShare, type StepContent } from './steps.queries.js';

type TemplateTexts = Pick<Template, 'subject' | 'body'>;

/**
 * What new steps send: what the client wrote, and what it left out as the step's template has it.
 * @param pathOf where the client wrote the nth step, with a dot at the end; empty for the body itself
 * @throws ValidationFailed when a template is not the workspace's
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

/** What changes in a step: what the client wrote, and, when it names a template, what it left out as that has it. */
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
    id == null || templates.has(id) ? [] : [[`${pathOf(index)}template_id`, ['No such template.']] as const],
  );
  if (missing.length > 0) throw new ValidationFailed(Object.fromEntries(missing));
  return templates;
}

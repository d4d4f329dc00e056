import { Injectable } from '@nestjs/common';
import { BackgroundSteps } from '@outreach/concurrency';
import { NotFound } from '@outreach/http-errors';
import { DomainEvents } from '../platform/events/index.js';
import { Page, type WorkspaceScope } from '../platform/tenancy/index.js';
import type { CreateTemplateDto, DuplicateTemplateDto, TemplateListQuery, UpdateTemplateDto } from './template.dto.js';
import { TemplateLimit } from './template-limit.js';
import { Template } from './template.entity.js';
import { insertCopy } from './templates.queries.js';
import { type UnknownVariables, withItsUnknownVariables, withUnknownVariables } from './unknown-variables.js';

/** A template as the API shows it. */
type DescribedTemplate = Template & UnknownVariables;

@Injectable()
export class TemplatesService {
  constructor(
    private readonly events: DomainEvents,
    private readonly limit: TemplateLimit,
    private readonly steps: BackgroundSteps,
  ) {}

  async list(scope: WorkspaceScope, query: TemplateListQuery): Promise<Page<DescribedTemplate>> {
    const page = await scope.of(Template).page(query);
    return page.withRecords(await withUnknownVariables(scope, page.data, this.steps));
  }

  /** @throws NotFound */
  async get(scope: WorkspaceScope, id: number): Promise<DescribedTemplate> {
    return withItsUnknownVariables(scope, await scope.of(Template).get(id));
  }

  /** @throws LimitReached */
  async create(scope: WorkspaceScope, dto: CreateTemplateDto): Promise<DescribedTemplate> {
    const template = await this.limit.within(scope, (tx) => tx.of(Template).insert(columns(dto)));
    return withItsUnknownVariables(scope, template);
  }

  /** @throws NotFound if the template was deleted in the meantime */
  async update(scope: WorkspaceScope, template: Template, dto: UpdateTemplateDto): Promise<DescribedTemplate> {
    return withItsUnknownVariables(scope, await scope.of(Template).update(template.id, columns(dto)));
  }

  /** @throws NotFound if the template was deleted in the meantime; LimitReached */
  async duplicate(scope: WorkspaceScope, { id }: Template, { name }: DuplicateTemplateDto): Promise<DescribedTemplate> {
    const copy = await this.limit.within(scope, (tx) => insertCopy(tx, id, name));
    if (!copy) throw new NotFound('Template');
    return withItsUnknownVariables(scope, copy);
  }

  /** @throws NotFound */
  async delete(scope: WorkspaceScope, id: number): Promise<void> {
    await scope.withoutStatementLimit().transaction(async (tx) => {
      // The lock prevents new references to the template after the listeners have removed the existing ones.
      await tx.of(Template).lock(id);
      await this.events.publish(tx, 'template.deleted', { template_id: id });
      await tx.of(Template).delete(id);
    });
  }
}

const columns = ({ name, subject, body, category, variables, is_library }: CreateTemplateDto | UpdateTemplateDto) => ({
  name,
  subject,
  body,
  category,
  variables,
  is_library,
});

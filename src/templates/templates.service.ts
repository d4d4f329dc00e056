import { Injectable } from '@nestjs/common';
import { NotFound } from '../platform/errors/index.js';
import { DomainEvents } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { CreateTemplateDto } from './dto/create-template.dto.js';
import type { DuplicateTemplateDto } from './dto/duplicate-template.dto.js';
import type { UpdateTemplateDto } from './dto/update-template.dto.js';
import { TemplateLimit } from './template-limit.js';
import { Template } from './template.entity.js';
import { insertCopy } from './templates.queries.js';

@Injectable()
export class TemplatesService {
  constructor(
    private readonly events: DomainEvents,
    private readonly limit: TemplateLimit,
  ) {}

  /** @throws LimitReached */
  create(scope: WorkspaceScope, dto: CreateTemplateDto): Promise<Template> {
    return this.limit.within(scope, (tx) => tx.of(Template).insert(columns(dto)));
  }

  /** @throws NotFound if the template was deleted in the meantime */
  update(scope: WorkspaceScope, template: Template, dto: UpdateTemplateDto): Promise<Template> {
    return scope.of(Template).update(template.id, columns(dto));
  }

  /** @throws NotFound if the template was deleted in the meantime; LimitReached */
  async duplicate(scope: WorkspaceScope, { id }: Template, { name }: DuplicateTemplateDto): Promise<Template> {
    const copy = await this.limit.within(scope, (tx) => insertCopy(tx, id, name));
    if (!copy) throw new NotFound('Template');
    return copy;
  }

  /** @throws NotFound */
  async delete(scope: WorkspaceScope, id: number): Promise<void> {
    await scope.transaction(async (tx) => {
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

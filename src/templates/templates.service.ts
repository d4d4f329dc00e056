import { Injectable } from '@nestjs/common';
import { NotFound } from '../platform/errors/index.js';
import { DomainEvents } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { CreateTemplateDto } from './dto/create-template.dto.js';
import type { DuplicateTemplateDto } from './dto/duplicate-template.dto.js';
import type { UpdateTemplateDto } from './dto/update-template.dto.js';
import { Template } from './template.entity.js';
import { insertCopy } from './templates.queries.js';

@Injectable()
export class TemplatesService {
  constructor(private readonly events: DomainEvents) {}

  create(scope: WorkspaceScope, dto: CreateTemplateDto): Promise<Template> {
    return scope.of(Template).insert(columns(dto));
  }

  /** @throws NotFound when it was deleted in the meantime */
  update(scope: WorkspaceScope, template: Template, dto: UpdateTemplateDto): Promise<Template> {
    return scope.of(Template).update(template.id, columns(dto));
  }

  /** @throws NotFound when it was deleted in the meantime */
  async duplicate(scope: WorkspaceScope, { id }: Template, { name }: DuplicateTemplateDto): Promise<Template> {
    const copy = await insertCopy(scope, id, name);
    if (!copy) throw new NotFound('Template');
    return copy;
  }

  /** @throws NotFound */
  async delete(scope: WorkspaceScope, id: number): Promise<void> {
    await scope.transaction(async (tx) => {
      // The lock keeps others from referring to the template once those who already do have let go.
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

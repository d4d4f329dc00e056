import { Injectable } from '@nestjs/common';
import { NotFound } from '@outreach/http-errors';
import { Contact } from '../../contacts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { PreviewTemplateDto } from './preview-template.dto.js';
import { brandValues } from '../brand.js';
import { recipientValues } from '../recipient-values.js';
import { workspaceIdentity } from '../workspace-identity.queries.js';
import type { Template } from '../template.entity.js';
import { type UnknownVariables, withItsUnknownVariables } from '../unknown-variables.js';
import { previewValues } from './preview-variables.js';
import { type Preview, renderPreview } from './render-preview.js';
import { SAMPLE_MESSAGE } from './sample-values.js';

/** Renders templates for preview requests (API v1, "Templates", preview rules). */
@Injectable()
export class TemplatePreviews {
  /** @throws NotFound if the contact was deleted in the meantime; RuleViolated if something is too long */
  async render(
    scope: WorkspaceScope,
    template: Template,
    dto: PreviewTemplateDto,
  ): Promise<Preview & UnknownVariables> {
    const preview = await this.rendered(scope, template, dto);
    const { unknown_variables } = await withItsUnknownVariables(scope, template);
    return { ...preview, unknown_variables };
  }

  private async rendered(scope: WorkspaceScope, template: Template, dto: PreviewTemplateDto): Promise<Preview> {
    const { contact_id: contactId, variables } = dto;
    const [contact] = contactId == null ? [] : await scope.of(Contact).find({ id: contactId });
    if (contactId != null && !contact) throw new NotFound('Contact');
    const { postal_address: address, ...identity } = await workspaceIdentity(scope);
    const brand = brandValues(identity, SAMPLE_MESSAGE.sender.name);
    const message = { ...SAMPLE_MESSAGE, sender_address: address ?? '', brand };
    if (contact) return renderPreview(template, previewValues(variables ?? {}, recipientValues(contact, message)));
    if (variables) return renderPreview(template, previewValues(variables, { sender_address: address, brand }));
    return renderPreview(template, undefined, address === null ? { brand } : { sender_address: address, brand });
  }
}

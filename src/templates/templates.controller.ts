import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { LargeResponse, Responds, RespondsNoContent, RespondsPage } from '@outreach/http-api/responses';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { IgnoresIdempotencyKey, RequirePermission } from '@outreach/http-api/routes';
import { LoadRecord } from '../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../platform/http/requests/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { CreateTemplateDto, DuplicateTemplateDto, TemplateListQuery, UpdateTemplateDto } from './template.dto.js';
import { PreviewTemplateDto } from './preview/preview-template.dto.js';
import { TemplatePreviews } from './preview/preview.service.js';
import { Template } from './template.entity.js';
import { templatePreviewView, templateVariablesView, templateView } from './template.view.js';
import { TemplatesService } from './templates.service.js';

@Controller('v1/templates')
export class TemplatesController {
  constructor(
    private readonly templates: TemplatesService,
    private readonly previews: TemplatePreviews,
  ) {}

  /** The templates of the workspace. */
  @Get()
  @RequirePermission('templates:read')
  @LargeResponse({ rowBytes: 262_144 })
  @RespondsPage(templateView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: TemplateListQuery) {
    return this.templates.list(scope, query);
  }

  /**
   * Creates a template. 422 if subject or body cannot be read as a template, for example because of a `{{` without
   * `}}`, or of `{%`.
   */
  @Post()
  @RequirePermission('templates:write')
  @Responds(templateView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: CreateTemplateDto) {
    return this.templates.create(scope, dto);
  }

  /** One template with its variables. */
  @Get(':id')
  @RequirePermission('templates:read')
  @Responds(templateView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.templates.get(scope, id);
  }

  /** Changes the fields that the body names. Steps that were made from the template keep their text. */
  @Put(':id')
  @RequirePermission('templates:write')
  @LoadRecord(Template)
  @Responds(templateView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() template: Template, @Body() dto: UpdateTemplateDto) {
    return this.templates.update(scope, template, dto);
  }

  /** Deletes the template. Steps that were made from it keep their text. */
  @Delete(':id')
  @RequirePermission('templates:write')
  @RespondsNoContent()
  delete(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.templates.delete(scope, id);
  }

  /**
   * Fills in the variables, as in a message: of a contact, of the body, or with samples. Nothing is stored or sent.
   */
  @Post(':id/preview')
  @Summary('Preview a template')
  @RequirePermission('templates:read')
  @LoadRecord(Template)
  @IgnoresIdempotencyKey()
  @Responds(templatePreviewView)
  preview(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() template: Template, @Body() dto: PreviewTemplateDto) {
    return this.previews.render(scope, template, dto);
  }

  /** The variables that the template names. */
  @Get(':id/variables')
  @Summary('List the variables of a template', 'listTemplateVariables')
  @RequirePermission('templates:read')
  @Responds(templateVariablesView)
  variables(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return scope.of(Template).get(id);
  }

  /** Creates a copy in the workspace. */
  @Post(':id/duplicate')
  @Summary('Duplicate a template')
  @RequirePermission('templates:write')
  @LoadRecord(Template)
  @Responds(templateView, { status: 201 })
  duplicate(
    @InWorkspace() scope: WorkspaceScope,
    @LoadedRecord() template: Template,
    @Body() dto: DuplicateTemplateDto,
  ) {
    return this.templates.duplicate(scope, template, dto);
  }
}

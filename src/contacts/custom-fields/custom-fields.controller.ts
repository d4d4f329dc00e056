import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { IdParam } from '@outreach/http-api/requests';
import { Responds, RespondsNoContent, RespondsPage } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { LoadRecord } from '../../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { CustomField } from './custom-field.entity.js';
import { customFieldView } from './custom-field.view.js';
import { CustomFields } from './custom-fields.service.js';
import { CreateCustomFieldDto, CustomFieldListQuery, UpdateCustomFieldDto } from './custom-field.dto.js';

@Controller('v1/custom-fields')
export class CustomFieldsController {
  constructor(private readonly fields: CustomFields) {}

  /** The custom fields of the workspace, those that were created by the first value of a contact included. */
  @Get()
  @RequirePermission('contacts:read')
  @RespondsPage(customFieldView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: CustomFieldListQuery) {
    return scope.of(CustomField).page(query);
  }

  /**
   * Creates a custom field, before a contact has a value of it. At most 500 in a workspace. 409 if the key is taken.
   */
  @Post()
  @RequirePermission('contacts:write')
  @Responds(customFieldView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: CreateCustomFieldDto) {
    return this.fields.create(scope, dto);
  }

  /** One custom field. */
  @Get(':id')
  @RequirePermission('contacts:read')
  @Responds(customFieldView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return scope.of(CustomField).get(id);
  }

  /** Changes the label. Key and type never change. */
  @Put(':id')
  @RequirePermission('contacts:write')
  @LoadRecord(CustomField)
  @Responds(customFieldView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() field: CustomField, @Body() dto: UpdateCustomFieldDto) {
    return this.fields.update(scope, field, dto);
  }

  /** Deletes the custom field with the values of all contacts. */
  @Delete(':id')
  @RequirePermission('contacts:write')
  @RespondsNoContent()
  delete(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.fields.delete(scope, id);
  }
}

import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import {
  Answers,
  AnswersCreated,
  AnswersNothing,
  AnswersPage,
  LoadRecord,
  IdParam,
  InWorkspace,
  LoadedRecord,
  RequirePermission,
} from '../../platform/http/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { CustomField } from './custom-field.entity.js';
import { customFieldView } from './custom-field.view.js';
import { CustomFields } from './custom-fields.service.js';
import { CreateCustomFieldDto } from './dto/create-custom-field.dto.js';
import { CustomFieldListQuery } from './dto/custom-field-list.query.js';
import { UpdateCustomFieldDto } from './dto/update-custom-field.dto.js';

@Controller('v1/custom-fields')
export class CustomFieldsController {
  constructor(private readonly fields: CustomFields) {}

  @Get()
  @RequirePermission('contacts:read')
  @AnswersPage(customFieldView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: CustomFieldListQuery) {
    return scope.of(CustomField).page(query);
  }

  @Post()
  @RequirePermission('contacts:write')
  @AnswersCreated(customFieldView)
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: CreateCustomFieldDto) {
    return this.fields.create(scope, dto);
  }

  @Get(':id')
  @RequirePermission('contacts:read')
  @Answers(customFieldView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return scope.of(CustomField).get(id);
  }

  @Put(':id')
  @RequirePermission('contacts:write')
  @LoadRecord(CustomField)
  @Answers(customFieldView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() field: CustomField, @Body() dto: UpdateCustomFieldDto) {
    return this.fields.update(scope, field, dto);
  }

  @Delete(':id')
  @RequirePermission('contacts:write')
  @AnswersNothing()
  delete(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.fields.delete(scope, id);
  }
}

import { Controller, Get, Query } from '@nestjs/common';
import { InWorkspace, RequirePermission, RespondsStream, Summary } from '../../platform/http/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ContactListQuery } from '../dto/contact-list.query.js';
import { ContactExport } from './contact-export.service.js';

@Controller('v1/contacts/export')
export class ContactExportController {
  constructor(private readonly exports: ContactExport) {}

  @Get()
  @Summary('Export contacts as CSV')
  @RequirePermission('contacts:read')
  @RespondsStream('text/csv')
  export(@InWorkspace() scope: WorkspaceScope, @Query() query: ContactListQuery) {
    return this.exports.open(scope, query);
  }
}

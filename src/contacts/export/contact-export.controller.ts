import { Controller, Get, Query } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { RespondsStream } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { InWorkspace } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ContactExport } from './contact-export.service.js';
import { ContactExportQuery } from './contact-export.query.js';

@Controller('v1/contacts/export')
export class ContactExportController {
  constructor(private readonly exports: ContactExport) {}

  /**
   * All contacts that match the filters, as a CSV file that the import takes back. `page`, `per_page` and `total` have no
   * effect.
   */
  @Get()
  @Summary('Export contacts as CSV', 'exportContacts')
  @RequirePermission('contacts:read')
  @RespondsStream('text/csv')
  export(@InWorkspace() scope: WorkspaceScope, @Query() query: ContactExportQuery) {
    return this.exports.open(scope, query);
  }
}

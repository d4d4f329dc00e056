import { Controller, Get, Query } from '@nestjs/common';
import { Summary } from '../../platform/http/openapi/index.js';
import { InWorkspace } from '../../platform/http/requests/index.js';
import { RespondsStream } from '../../platform/http/responses/index.js';
import { RequirePermission } from '../../platform/http/routes/index.js';
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

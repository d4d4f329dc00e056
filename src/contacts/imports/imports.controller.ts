import { Controller, Get, Post, Query } from '@nestjs/common';
import { LargeResponse, Responds, RespondsPage, RespondsStream } from '@outreach/http-api/responses';
import { Summary } from '@outreach/http-api/openapi';
import { RequirePermission } from '@outreach/http-api/routes';
import { LoadRecord } from '../../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ImportListQuery, RefusedRowsQuery } from './import-list.query.js';
import { Import } from './import.entity.js';
import { importView } from './import.view.js';
import { ImportsService } from './imports.service.js';

@Controller('v1/imports')
export class ImportsController {
  constructor(private readonly imports: ImportsService) {}

  /** The newest are the first. Imports that ended more than 30 days ago are deleted. */
  @Get()
  @Summary('List the imports of the last 30 days')
  @RequirePermission('contacts:read')
  @LargeResponse({ rowBytes: 65_536 })
  @RespondsPage(importView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: ImportListQuery) {
    return this.imports.list(scope, query);
  }

  /** Ask for it until its `status` is neither `pending` nor `running`, for example once a second. */
  @Get(':id')
  @Summary('Get an import and its progress')
  @RequirePermission('contacts:read')
  @LoadRecord(Import)
  @Responds(importView)
  get(@LoadedRecord() record: Import) {
    return record;
  }

  /** Nothing of a cancelled import is stored. */
  @Post(':id/cancel')
  @Summary('Cancel an import that has not ended')
  @RequirePermission('contacts:write')
  @LoadRecord(Import)
  @Responds(importView)
  cancel(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() record: Import) {
    return this.imports.cancel(scope, record);
  }

  /**
   * The columns of the file, and then `row`, `column` and `reason`. Correct the rows, and import the file again. Of
   * refused rows beyond 100 MB, a last row says how many there are.
   */
  @Get(':id/refused')
  @Summary('Download the refused rows of an import as CSV', 'exportRefusedImportRows')
  @RequirePermission('contacts:read')
  @LoadRecord(Import)
  @RespondsStream('text/csv', { errors: [409] })
  refused(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() record: Import, @Query() { bom }: RefusedRowsQuery) {
    return this.imports.refused(scope, record, bom ?? false);
  }
}

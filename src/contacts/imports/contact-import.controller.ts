import { Body, Controller, Post } from '@nestjs/common';
import { MEGABYTE } from '@outreach/http-api/body';
import { Summary } from '@outreach/http-api/openapi';
import { ReceivedFile } from '@outreach/http-api/requests';
import { Responds, WaitSignal } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { AcceptsUpload, Uploaded } from '@outreach/http-api/upload';
import { InWorkspace } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ImportContactsDto } from '../import/dto/import-contacts.dto.js';
import { IMPORT_SUMMARY, importView } from './import.view.js';
import { ImportsService } from './imports.service.js';

const MAX_FILE_BYTES = 10 * MEGABYTE;

const ACCEPTED = { view: importView, location: ({ id }: { readonly id: number }) => `/imports/${id}` };

@Controller('v1/contacts/import')
export class ContactImportController {
  constructor(private readonly imports: ImportsService) {}

  /**
   * Reads a CSV file (UTF-8, UTF-16 with a byte order mark, or Windows-1252; separated by comma, semicolon or tab)
   * with a header. Rows that are wrong are refused one by one and listed in `errors`; all others are imported, in one
   * transaction. 422 if the file cannot be read, or has no column with addresses. With `Prefer: respond-async`, the file is
   * stored and a worker imports it: `GET /imports/{id}` shows the progress and the result.
   */
  @Post()
  @Summary('Import contacts from CSV', 'importContacts')
  @RequirePermission('contacts:write')
  @AcceptsUpload('file', MAX_FILE_BYTES)
  @Responds(IMPORT_SUMMARY, { accepted: ACCEPTED })
  import(
    @InWorkspace() scope: WorkspaceScope,
    @Uploaded() file: ReceivedFile,
    @Body() dto: ImportContactsDto,
    @WaitSignal() waiting: AbortSignal | undefined,
  ) {
    return waiting ? this.imports.run(scope, file, dto, waiting) : this.imports.accept(scope, file, dto);
  }
}

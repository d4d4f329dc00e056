import { Body, Controller, Post } from '@nestjs/common';
import {
  AcceptsUpload,
  CloseSignal,
  InWorkspace,
  MEGABYTE,
  RequirePermission,
  Responds,
  Summary,
  Uploaded,
  ReceivedFile,
} from '../../platform/http/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ContactImport } from './contact-import.service.js';
import { ImportContactsDto } from './dto/import-contacts.dto.js';
import { IMPORT_SUMMARY } from './import-summary.schema.js';

const MAX_FILE_BYTES = 10 * MEGABYTE;

@Controller('v1/contacts/import')
export class ContactImportController {
  constructor(private readonly imports: ContactImport) {}

  /**
   * Reads a CSV file (UTF-8, UTF-16 with a byte order mark, or Windows-1252; separated by comma, semicolon or tab)
   * with a header. Rows that are wrong are refused one by one and listed in `errors`; all others are imported, in one
   * transaction. 422 if the file cannot be read, or has no column with addresses.
   */
  @Post()
  @Summary('Import contacts from CSV', 'importContacts')
  @RequirePermission('contacts:write')
  @AcceptsUpload('file', MAX_FILE_BYTES)
  @Responds(IMPORT_SUMMARY)
  import(
    @InWorkspace() scope: WorkspaceScope,
    @Uploaded() file: ReceivedFile,
    @Body() dto: ImportContactsDto,
    @CloseSignal() signal: AbortSignal,
  ) {
    return this.imports.run(scope, file, dto, signal);
  }
}

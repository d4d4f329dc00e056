import { Controller, Get } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { Contact } from '../../contacts/index.js';
import { LoadRecord } from '../../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { PersonalDataExport } from './personal-data-export.service.js';
import { personalDataSchema } from './personal-data.view.js';

@Controller('v1/contacts/:id/export')
export class PersonalDataExportController {
  constructor(private readonly exports: PersonalDataExport) {}

  /**
   * Everything that the workspace holds on the person, as one JSON document to download: the answer to a request for access
   * (GDPR, article 15). It shows one instant, and is the document itself, without `data`. Read it without pauses: the download
   * ends after five minutes.
   */
  @Get()
  @Summary("Export a contact's data", 'exportContactData')
  @RequirePermission('contacts:read')
  @LoadRecord(Contact)
  @Responds(personalDataSchema, { envelope: 'none' })
  open(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() contact: Contact) {
    return this.exports.open(scope, contact.id);
  }
}

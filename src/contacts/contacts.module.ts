import { Module } from '@nestjs/common';
import { KeyedHashModule } from '../platform/keyed-hash/index.js';
import { CompaniesController } from './companies/companies.controller.js';
import { CompaniesService } from './companies/companies.service.js';
import { ContactAddresses } from './contact-addresses.js';
import { ContactPublicEvents } from './contact.public-events.js';
import { ContactStatuses } from './contact-statuses.js';
import { ContactsController } from './contacts.controller.js';
import { ContactsService } from './contacts.service.js';
import { ContactExportController } from './export/contact-export.controller.js';
import { ContactExport } from './export/contact-export.service.js';
import { ContactImport } from './import/contact-import.service.js';
import { ContactImportController } from './imports/contact-import.controller.js';
import { DueImports } from './imports/due-imports.cross-tenant.js';
import { ImportClockWork } from './imports/import.clock-work.js';
import { ImportProcessor } from './imports/import.processor.js';
import { ImportsController } from './imports/imports.controller.js';
import { ImportsService } from './imports/imports.service.js';
import { CustomFieldsController } from './custom-fields/custom-fields.controller.js';
import { CustomFields } from './custom-fields/custom-fields.service.js';
import { ListsController } from './lists/lists.controller.js';
import { ListsService } from './lists/lists.service.js';
import { Memberships } from './memberships.service.js';
import { ContactRefusals } from './refusals/contact-refusals.js';
import { BulkUpserts } from './upsert/bulk-upserts.service.js';
import { ContactUpsertsController } from './upsert/contact-upserts.controller.js';
import { ContactUpserts } from './upsert/contact-upserts.service.js';
import { UpsertWriter } from './upsert/upsert-writer.js';
import { TagsController } from './tags/tags.controller.js';
import { TagsService } from './tags/tags.service.js';

/** Contacts, and the lists, tags, companies and custom fields that belong to them. */
@Module({
  imports: [KeyedHashModule],
  // Routes match in this order: fixed paths such as `/contacts/import` must come before `/contacts/:id`.
  controllers: [
    ContactImportController,
    ContactExportController,
    ContactUpsertsController,
    ContactsController,
    ImportsController,
    ListsController,
    TagsController,
    CompaniesController,
    CustomFieldsController,
  ],
  providers: [
    BulkUpserts,
    CompaniesService,
    ContactAddresses,
    ContactPublicEvents,
    ContactExport,
    ContactImport,
    ContactRefusals,
    ContactsService,
    ContactStatuses,
    ContactUpserts,
    CustomFields,
    ImportClockWork,
    ImportsService,
    ListsService,
    Memberships,
    TagsService,
    UpsertWriter,
  ],
  exports: [ContactImport, ContactRefusals, ContactStatuses],
})
export class ContactsModule {}

/** For workers only: imports stored files, and deletes old imports. */
@Module({
  imports: [ContactsModule],
  providers: [DueImports, ImportProcessor],
})
export class ContactsWorkerModule {}

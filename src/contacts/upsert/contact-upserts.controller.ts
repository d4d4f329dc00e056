import { Body, Controller, Param, Post, Put } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { FindRecord } from '../../platform/http/records/index.js';
import { InWorkspace } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Contact } from '../contact.entity.js';
import { contactView } from '../contact.view.js';
import { UpdateContactDto } from '../dto/update-contact.dto.js';
import { UpsertContactDto } from '../dto/upsert-contact.dto.js';
import { bulkUpsertedView } from './bulk-upsert.view.js';
import { BulkUpserts } from './bulk-upserts.service.js';
import { readEmail, readExternalId } from '../contact-keys.js';
import { ContactUpserts, type UpsertedContact } from './contact-upserts.service.js';
import { BulkUpsertDto } from './dto/bulk-upsert.dto.js';

const CREATED_OR_UPDATED = {
  otherStatus: { status: 201, when: ({ is_created: isCreated }: UpsertedContact) => isCreated },
};

@Controller('v1/contacts')
export class ContactUpsertsController {
  constructor(
    private readonly upserts: ContactUpserts,
    private readonly bulkUpserts: BulkUpserts,
  ) {}

  /**
   * Creates or updates up to 1,000 contacts, as if one after the other: of two records of the same contact, the second one
   * updates it. A record with errors fails alone; its errors name the fields of the record, such as `custom_fields.plan`.
   * Events show the contacts as they are after the call, and several updates of one contact make one `contact.updated`.
   */
  @Post('bulk-upsert')
  @Summary('Create or update many contacts', 'upsertContacts')
  @RequirePermission('contacts:write')
  @Responds(bulkUpsertedView)
  bulk(@InWorkspace() scope: WorkspaceScope, @Body() dto: BulkUpsertDto) {
    return this.bulkUpserts.upsert(scope, dto);
  }

  /**
   * Updates the contact with this address (200), or creates it (201). The body is that of an update: an `email` in it is
   * the new address of the contact.
   */
  @Put('by-email/:email')
  @Summary('Create or update a contact by its address', 'upsertContactByEmail')
  @RequirePermission('contacts:write')
  @FindRecord(Contact, 'email', readEmail)
  @Responds(contactView, CREATED_OR_UPDATED)
  byEmail(@InWorkspace() scope: WorkspaceScope, @Param('email') email: string, @Body() dto: UpdateContactDto) {
    return this.upserts.upsert(scope, { field: 'email', value: email }, dto);
  }

  /**
   * Updates the contact with this external ID (200), or creates it (201). A new contact needs an `email`. An
   * `external_id` in the body is the new one of the contact.
   */
  @Put('by-external-id/:external_id')
  @Summary('Create or update a contact by its external ID', 'upsertContactByExternalId')
  @RequirePermission('contacts:write')
  @FindRecord(Contact, 'external_id', readExternalId)
  @Responds(contactView, CREATED_OR_UPDATED)
  byExternalId(
    @InWorkspace() scope: WorkspaceScope,
    @Param('external_id') externalId: string,
    @Body() dto: UpsertContactDto,
  ) {
    return this.upserts.upsert(scope, { field: 'external_id', value: externalId }, dto);
  }
}

import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { LargeResponse, Responds, RespondsNoContent, RespondsPage } from '@outreach/http-api/responses';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { RequirePermission } from '@outreach/http-api/routes';
import { LoadRecord } from '../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../platform/http/requests/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { Contact } from './contact.entity.js';
import { contactView } from './contact.view.js';
import { contactRecords, getByKey } from './contacts.queries.js';
import { ContactsService } from './contacts.service.js';
import { ContactListQuery } from './dto/contact-list.query.js';
import { CreateContactDto } from './dto/create-contact.dto.js';
import { UpdateContactDto } from './dto/update-contact.dto.js';

@Controller('v1/contacts')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  /** The contacts of the workspace. Filters can be combined; a contact must match all of them. */
  @Get()
  @RequirePermission('contacts:read')
  @LargeResponse({ rowBytes: 65_536 })
  @RespondsPage(contactView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: ContactListQuery) {
    return contactRecords(scope).page(query);
  }

  /**
   * Creates a contact that campaigns may write to, unless its `status` says otherwise. An address that has unsubscribed or
   * complained in this workspace before keeps that status. The response is the record itself, without `data`.
   */
  @Post()
  @RequirePermission('contacts:write')
  @Responds(contactView, { status: 201, envelope: 'none' })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: CreateContactDto) {
    return this.contacts.create(scope, dto);
  }

  /** The contact with this address, in any case; 404 if there is none. */
  @Get('by-email/:email')
  @Summary('Get a contact by its address', 'getContactByEmail')
  @RequirePermission('contacts:read')
  @Responds(contactView)
  getByEmail(@InWorkspace() scope: WorkspaceScope, @Param('email') email: string) {
    return getByKey(scope, 'email', email);
  }

  /** The contact with this ID in another system, compared exactly; 404 if there is none. */
  @Get('by-external-id/:external_id')
  @Summary('Get a contact by its external ID', 'getContactByExternalId')
  @RequirePermission('contacts:read')
  @Responds(contactView)
  getByExternalId(@InWorkspace() scope: WorkspaceScope, @Param('external_id') externalId: string) {
    return getByKey(scope, 'external_id', externalId);
  }

  /** One contact with its tags, lists and custom fields. */
  @Get(':id')
  @RequirePermission('contacts:read')
  @Responds(contactView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return contactRecords(scope).get(id);
  }

  /**
   * Changes the fields that the body names and leaves the others. `custom_fields` is merged key by key; `tags` and
   * `lists` replace all that the contact has.
   */
  @Put(':id')
  @RequirePermission('contacts:write')
  @LoadRecord(Contact)
  @Responds(contactView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() contact: Contact, @Body() dto: UpdateContactDto) {
    return this.contacts.update(scope, contact, dto);
  }

  /**
   * Deletes the contact with its enrollments and messages. A refusal outlives it: if the address had unsubscribed or
   * complained, a new contact with it has that status again.
   */
  @Delete(':id')
  @RequirePermission('contacts:write')
  @RespondsNoContent()
  delete(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.contacts.delete(scope, id);
  }

  /**
   * Sets the status to `unsubscribed` and ends all running enrollments. On a contact that has unsubscribed already
   * nothing changes.
   */
  @Post(':id/unsubscribe')
  @Summary('Unsubscribe a contact')
  @RequirePermission('contacts:write')
  @LoadRecord(Contact)
  @Responds(contactView)
  unsubscribe(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.contacts.unsubscribe(scope, id);
  }

  /**
   * Sets an `unsubscribed` contact to `active`. On an active contact nothing changes; 422 for `bounced` and
   * `complained` ones.
   */
  @Post(':id/resubscribe')
  @Summary('Subscribe an unsubscribed contact again')
  @RequirePermission('contacts:write')
  @LoadRecord(Contact)
  @Responds(contactView)
  resubscribe(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.contacts.resubscribe(scope, id);
  }
}

import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import {
  IdParam,
  InWorkspace,
  LargeResponse,
  LoadedRecord,
  LoadRecord,
  RequirePermission,
  Responds,
  RespondsNoContent,
  RespondsPage,
  Summary,
} from '../platform/http/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { Contact } from './contact.entity.js';
import { contactView } from './contact.view.js';
import { contactRecords } from './contacts.queries.js';
import { ContactsService } from './contacts.service.js';
import { ContactListQuery } from './dto/contact-list.query.js';
import { CreateContactDto } from './dto/create-contact.dto.js';
import { UpdateContactDto } from './dto/update-contact.dto.js';

@Controller('v1/contacts')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Get()
  @RequirePermission('contacts:read')
  @LargeResponse({ rowBytes: 65_536 })
  @RespondsPage(contactView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: ContactListQuery) {
    return contactRecords(scope).page(query);
  }

  @Post()
  @RequirePermission('contacts:write')
  @Responds(contactView, { status: 201, envelope: 'none' })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: CreateContactDto) {
    return this.contacts.create(scope, dto);
  }

  @Get(':id')
  @RequirePermission('contacts:read')
  @Responds(contactView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return contactRecords(scope).get(id);
  }

  @Put(':id')
  @RequirePermission('contacts:write')
  @LoadRecord(Contact)
  @Responds(contactView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() contact: Contact, @Body() dto: UpdateContactDto) {
    return this.contacts.update(scope, contact, dto);
  }

  @Delete(':id')
  @RequirePermission('contacts:write')
  @RespondsNoContent()
  delete(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.contacts.delete(scope, id);
  }

  @Post(':id/unsubscribe')
  @Summary('Unsubscribe a contact')
  @RequirePermission('contacts:write')
  @LoadRecord(Contact)
  @Responds(contactView)
  unsubscribe(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.contacts.unsubscribe(scope, id);
  }

  @Post(':id/resubscribe')
  @Summary('Subscribe an unsubscribed contact again')
  @RequirePermission('contacts:write')
  @LoadRecord(Contact)
  @Responds(contactView)
  resubscribe(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.contacts.resubscribe(scope, id);
  }
}

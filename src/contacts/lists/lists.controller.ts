import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { Responds, RespondsNoContent, RespondsPage } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { LoadRecord } from '../../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { AddContactsDto, RemoveContactsDto } from '../memberships.dto.js';
import { LISTS } from '../grouping.js';
import { MEMBERS_ADDED, MEMBERS_REMOVED } from '../memberships.schema.js';
import { Memberships } from '../memberships.service.js';
import { CreateListDto, ListListQuery, UpdateListDto } from './list.dto.js';
import { List } from './list.entity.js';
import { listView } from './list.view.js';
import { countedLists } from './lists.queries.js';
import { ListsService } from './lists.service.js';

@Controller('v1/lists')
export class ListsController {
  constructor(
    private readonly lists: ListsService,
    private readonly memberships: Memberships,
  ) {}

  /** The lists of the workspace. */
  @Get()
  @RequirePermission('contacts:read')
  @RespondsPage(listView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: ListListQuery) {
    return countedLists(scope).page(query);
  }

  /** Creates an empty list. 409 if the workspace has one with this name. */
  @Post()
  @RequirePermission('contacts:write')
  @Responds(listView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: CreateListDto) {
    return this.lists.create(scope, dto);
  }

  /** One list with the number of its contacts. */
  @Get(':id')
  @RequirePermission('contacts:read')
  @Responds(listView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return countedLists(scope).get(id);
  }

  /** Changes the fields that the body names. 409 if another list has the name. */
  @Put(':id')
  @RequirePermission('contacts:write')
  @LoadRecord(List)
  @Responds(listView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() list: List, @Body() dto: UpdateListDto) {
    return this.lists.update(scope, list, dto);
  }

  /** Deletes the list. Its contacts stay. */
  @Delete(':id')
  @RequirePermission('contacts:write')
  @RespondsNoContent()
  delete(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.memberships.deleteGroup(scope, LISTS, List, id);
  }

  /** Adds contacts, at most 1,000 at once. 422 if one of them does not exist; then none is added. */
  @Post(':id/contacts')
  @Summary('Add contacts to a list', 'addContactsToList')
  @RequirePermission('contacts:write')
  @LoadRecord(List)
  @Responds(MEMBERS_ADDED)
  addContacts(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() list: List, @Body() dto: AddContactsDto) {
    return this.memberships.add(scope, LISTS, list.id, dto.contact_ids);
  }

  /** Takes contacts out of the list, at most 1,000 at once. The contacts themselves stay. */
  @Delete(':id/contacts')
  @Summary('Remove contacts from a list', 'removeContactsFromList')
  @RequirePermission('contacts:write')
  @LoadRecord(List)
  @Responds(MEMBERS_REMOVED)
  removeContacts(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() list: List, @Body() dto: RemoveContactsDto) {
    return this.memberships.remove(scope, LISTS, list.id, dto.contact_ids);
  }
}

import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { Responds, RespondsNoContent, RespondsPage } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { LoadRecord } from '../../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { AddContactsDto, RemoveContactsDto } from '../memberships.dto.js';
import { TAGS } from '../grouping.js';
import { MEMBERS_ADDED, MEMBERS_REMOVED } from '../memberships.schema.js';
import { Memberships } from '../memberships.service.js';
import { CreateTagDto, TagListQuery, UpdateTagDto } from './tag.dto.js';
import { Tag } from './tag.entity.js';
import { tagView } from './tag.view.js';
import { TagsService } from './tags.service.js';

@Controller('v1/tags')
export class TagsController {
  constructor(
    private readonly tags: TagsService,
    private readonly memberships: Memberships,
  ) {}

  /** The tags of the workspace. */
  @Get()
  @RequirePermission('contacts:read')
  @RespondsPage(tagView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: TagListQuery) {
    return scope.of(Tag).page(query);
  }

  /** Creates a tag. 409 if the workspace has one with this name. */
  @Post()
  @RequirePermission('contacts:write')
  @Responds(tagView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: CreateTagDto) {
    return this.tags.create(scope, dto);
  }

  /** One tag with its colour. */
  @Get(':id')
  @RequirePermission('contacts:read')
  @Responds(tagView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return scope.of(Tag).get(id);
  }

  /** Changes the fields that the body names. 409 if another tag has the name. */
  @Put(':id')
  @RequirePermission('contacts:write')
  @LoadRecord(Tag)
  @Responds(tagView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() tag: Tag, @Body() dto: UpdateTagDto) {
    return scope.of(Tag).update(tag.id, { name: dto.name, color: dto.color });
  }

  /** Deletes the tag and takes it off all contacts, which stay. */
  @Delete(':id')
  @RequirePermission('contacts:write')
  @RespondsNoContent()
  delete(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.memberships.deleteGroup(scope, TAGS, Tag, id);
  }

  /** Gives the tag to contacts, at most 1,000 at once. 422 if one of them does not exist; then none gets it. */
  @Post(':id/contacts')
  @Summary('Tag contacts', 'tagContacts')
  @RequirePermission('contacts:write')
  @LoadRecord(Tag)
  @Responds(MEMBERS_ADDED)
  addContacts(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() tag: Tag, @Body() dto: AddContactsDto) {
    return this.memberships.add(scope, TAGS, tag.id, dto.contact_ids);
  }

  /** Takes the tag off contacts, at most 1,000 at once. */
  @Delete(':id/contacts')
  @Summary('Remove a tag from contacts', 'untagContacts')
  @RequirePermission('contacts:write')
  @LoadRecord(Tag)
  @Responds(MEMBERS_REMOVED)
  removeContacts(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() tag: Tag, @Body() dto: RemoveContactsDto) {
    return this.memberships.remove(scope, TAGS, tag.id, dto.contact_ids);
  }
}

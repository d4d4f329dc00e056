import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import {
  IdParam,
  InWorkspace,
  LoadedRecord,
  LoadRecord,
  RequirePermission,
  Responds,
  RespondsNoContent,
  RespondsPage,
  Summary,
} from '../../platform/http/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { AddContactsDto, RemoveContactsDto } from '../memberships.dto.js';
import { TAGS } from '../grouping.js';
import { MEMBERS_ADDED, MEMBERS_REMOVED } from '../memberships.schema.js';
import { Memberships } from '../memberships.service.js';
import { CreateTagDto } from './dto/create-tag.dto.js';
import { TagListQuery } from './dto/tag-list.query.js';
import { UpdateTagDto } from './dto/update-tag.dto.js';
import { Tag } from './tag.entity.js';
import { tagView } from './tag.view.js';
import { TagsService } from './tags.service.js';

@Controller('v1/tags')
export class TagsController {
  constructor(
    private readonly tags: TagsService,
    private readonly memberships: Memberships,
  ) {}

  @Get()
  @RequirePermission('contacts:read')
  @RespondsPage(tagView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: TagListQuery) {
    return scope.of(Tag).page(query);
  }

  @Post()
  @RequirePermission('contacts:write')
  @Responds(tagView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: CreateTagDto) {
    return this.tags.create(scope, dto);
  }

  @Get(':id')
  @RequirePermission('contacts:read')
  @Responds(tagView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return scope.of(Tag).get(id);
  }

  @Put(':id')
  @RequirePermission('contacts:write')
  @LoadRecord(Tag)
  @Responds(tagView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() tag: Tag, @Body() dto: UpdateTagDto) {
    return scope.of(Tag).update(tag.id, { name: dto.name, color: dto.color });
  }

  @Delete(':id')
  @RequirePermission('contacts:write')
  @RespondsNoContent()
  delete(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.memberships.deleteGroup(scope, TAGS, Tag, id);
  }

  @Post(':id/contacts')
  @Summary('Tag contacts', 'tagContacts')
  @RequirePermission('contacts:write')
  @LoadRecord(Tag)
  @Responds(MEMBERS_ADDED)
  addContacts(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() tag: Tag, @Body() dto: AddContactsDto) {
    return this.memberships.add(scope, TAGS, tag.id, dto.contact_ids);
  }

  @Delete(':id/contacts')
  @Summary('Remove a tag from contacts', 'untagContacts')
  @RequirePermission('contacts:write')
  @LoadRecord(Tag)
  @Responds(MEMBERS_REMOVED)
  removeContacts(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() tag: Tag, @Body() dto: RemoveContactsDto) {
    return this.memberships.remove(scope, TAGS, tag.id, dto.contact_ids);
  }
}

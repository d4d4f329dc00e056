import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { LargeResponse, Responds, RespondsNoContent, RespondsPage } from '@outreach/http-api/responses';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { RequirePermission } from '@outreach/http-api/routes';
import { contactView } from '../contacts/index.js';
import { LoadRecord } from '../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../platform/http/requests/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { CreateSegmentDto, SegmentListQuery, UpdateSegmentDto } from './dto/segment.dto.js';
import { SegmentContactsQuery } from './dto/segment-contacts.query.js';
import { SegmentCounts } from './segment-counts.js';
import { SegmentMembers } from './segment-members.js';
import { Segment } from './segment.entity.js';
import { segmentPreviewView, segmentView } from './segment.view.js';
import { SegmentsService } from './segments.service.js';

@Controller('v1/segments')
export class SegmentsController {
  constructor(
    private readonly segments: SegmentsService,
    private readonly counts: SegmentCounts,
    private readonly members: SegmentMembers,
  ) {}

  /** The segments of the workspace, with their numbers of contacts. */
  @Get()
  @RequirePermission('segments:read')
  @LargeResponse({ rowBytes: 65_536 })
  @RespondsPage(segmentView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: SegmentListQuery) {
    return this.counts.page(scope, query);
  }

  /** Creates a segment: all contacts that match its conditions whenever it is read. */
  @Post()
  @RequirePermission('segments:write')
  @Responds(segmentView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: CreateSegmentDto) {
    return this.segments.create(scope, dto);
  }

  /** One segment with its conditions. */
  @Get(':id')
  @RequirePermission('segments:read')
  @Responds(segmentView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.counts.get(scope, id);
  }

  /** Changes the fields that the body names. `conditions` replaces all conditions. */
  @Put(':id')
  @RequirePermission('segments:write')
  @LoadRecord(Segment)
  @Responds(segmentView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() segment: Segment, @Body() dto: UpdateSegmentDto) {
    return this.segments.update(scope, segment, dto);
  }

  /** Deletes the segment. Its contacts stay. */
  @Delete(':id')
  @RequirePermission('segments:write')
  @RespondsNoContent()
  delete(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return scope.of(Segment).delete(id);
  }

  /** The contacts that match at this moment, with the filters of the list of contacts. */
  @Get(':id/contacts')
  @Summary('List the contacts of a segment', 'listSegmentContacts')
  @RequirePermission('segments:read')
  @LoadRecord(Segment)
  @LargeResponse({ rowBytes: 65_536 })
  @RespondsPage(contactView)
  contacts(
    @InWorkspace() scope: WorkspaceScope,
    @LoadedRecord() segment: Segment,
    @Query() query: SegmentContactsQuery,
  ) {
    return this.members.page(scope, segment, query);
  }

  /** The number of contacts that match at this moment, and up to five of them. */
  @Get(':id/preview')
  @Summary('Count the contacts of a segment, and show some')
  @RequirePermission('segments:read')
  @LoadRecord(Segment)
  @Responds(segmentPreviewView, { errors: [422] })
  preview(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() segment: Segment) {
    return this.members.preview(scope, segment);
  }
}

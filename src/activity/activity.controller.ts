import { Controller, Get, Query } from '@nestjs/common';
import { LargeResponse, RespondsPage } from '@outreach/http-api/responses';
import { Summary } from '@outreach/http-api/openapi';
import { RequirePermission } from '@outreach/http-api/routes';
import { Contact } from '../contacts/index.js';
import { LoadRecord } from '../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../platform/http/requests/index.js';
import { pageLimit, pageOfRecords, WorkspaceScope } from '../platform/tenancy/index.js';
import { ActivityListQuery } from './activity-list.query.js';
import { activityPage, entryPosition } from './activity.queries.js';
import { activityView } from './activity.view.js';

@Controller('v1/contacts/:id/activity')
export class ActivityController {
  /**
   * What has happened to a contact: its status, its enrollments and its messages. The newest entries are the first. What
   * belongs to a campaign or an enrollment that was deleted is not part of it.
   */
  @Get()
  @Summary("List a contact's activity", 'listContactActivity')
  @RequirePermission('contacts:read')
  @LoadRecord(Contact)
  @LargeResponse({ rowBytes: 4_096 })
  @RespondsPage(activityView)
  async list(
    @InWorkspace() scope: WorkspaceScope,
    @LoadedRecord() contact: Contact,
    @Query() query: ActivityListQuery,
  ) {
    const filter = { types: query.types, conditions: [...query.clauses()] };
    const { direction, offset, position: after } = query;
    const range = { direction, limit: pageLimit(query), offset, after };
    const { entries, total } = await activityPage(scope, contact.id, filter, range);
    return pageOfRecords(entries, total, query, entryPosition);
  }
}

import { Controller, Get, Query, Req } from '@nestjs/common';
import { LargeResponse, Responds } from '@outreach/http-api/responses';
import { Summary } from '@outreach/http-api/openapi';
import { RequirePermission } from '@outreach/http-api/routes';
import { InWorkspace, type ServiceRequest } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { EventListQuery } from './event-list.query.js';
import { eventPageView } from './event.view.js';
import { Events } from './events.service.js';

/**
 * A page has 4 MB at most, and takes milliseconds of the process. It is counted as if it were larger, so that few pages of a
 * workspace are made at the same time, and requests of others do not wait for all of them.
 */
const PAGE_BYTES = 20 * 1_048_576;

@Controller('v1/events')
export class EventsController {
  constructor(private readonly events: Events) {}

  /**
   * All events of the workspace, whether or not a webhook receives them, the oldest first. They are stored for
   * `EVENT_RETENTION_DAYS` (7 by default). Ask again with `after` set to `meta.next_after`: no event is left out, because none
   * gets an ID below one that was returned before. If the event with the ID `after` was deleted, the page begins with the
   * oldest. A page may have fewer events than `limit` although more follow.
   */
  @Get()
  @Summary('List events', 'listEvents')
  @RequirePermission('webhooks:read')
  @LargeResponse({ rowBytes: PAGE_BYTES, rows: 1 })
  @Responds(eventPageView, { envelope: 'none' })
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: EventListQuery, @Req() request: ServiceRequest) {
    return this.events.page(scope, query, request.path);
  }
}

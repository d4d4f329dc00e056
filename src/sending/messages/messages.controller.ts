import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { Responds, RespondsPage, RespondsStream } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { Campaign } from '../../campaigns/index.js';
import { LoadRecord } from '../../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Message } from '../message.entity.js';
import { MessageExportQuery } from './message-export.query.js';
import { MessageExport } from './message-export.service.js';
import { MessageListQuery } from './message-list.query.js';
import { messageView, retriedView } from './message.view.js';
import { MessagesService } from './messages.service.js';
import { RetryMessagesDto } from './retry-messages.dto.js';
import { campaignStatsView } from './stats.view.js';

@Controller('v1/campaigns/:id')
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly exports: MessageExport,
  ) {}

  /** The messages of the campaign, waiting and sent. */
  @Get('messages')
  @Summary('List the messages of a campaign')
  @RequirePermission('campaigns:read')
  @LoadRecord(Campaign)
  @RespondsPage(messageView)
  list(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() campaign: Campaign, @Query() query: MessageListQuery) {
    return this.messages.list(scope, campaign, query);
  }

  /**
   * All messages of the campaign that match the filters, with the address and the names of the contact, as a CSV file.
   * `page`, `per_page` and `total` have no effect.
   */
  @Get('messages/export')
  @Summary('Export the messages of a campaign as CSV', 'exportCampaignMessages')
  @RequirePermission('campaigns:read')
  @LoadRecord(Campaign)
  @RespondsStream('text/csv')
  export(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() campaign: Campaign, @Query() query: MessageExportQuery) {
    return this.exports.open(scope, campaign, query);
  }

  /** Queues all messages with this status again, or makes those due that wait for their next attempt (`queued`). */
  @Post('messages/retry')
  @Summary(
    'Retry all messages of a campaign that failed, wait for another attempt, or are unknown',
    'retryCampaignMessages',
  )
  @RequirePermission('campaigns:write')
  @LoadRecord(Campaign)
  @Responds(retriedView, { status: 202 })
  retryAll(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() campaign: Campaign, @Body() dto: RetryMessagesDto) {
    return this.messages.retryAll(scope, campaign, dto.status);
  }

  /**
   * Queues a message again whose result is `unknown`: the recipient may get it twice. One that waits for its next attempt
   * (`queued`) is due now.
   */
  @Post('messages/:message/retry')
  @Summary('Retry a message whose result is unknown, or that waits for its next attempt')
  @RequirePermission('campaigns:write')
  @LoadRecord(Campaign)
  @LoadRecord(Message, 'message', { column: 'campaign_id', parameter: 'id' })
  @Responds(messageView)
  retry(@InWorkspace() scope: WorkspaceScope, @LoadedRecord('message') message: Message) {
    return this.messages.retry(scope, message);
  }

  /**
   * How many enrollments and messages there are by result, for the campaign and for each step. Every recipient counts
   * once; opens and clicks of machines do not count.
   */
  @Get('stats')
  @Summary('Get the statistics of a campaign', 'getCampaignStats')
  @RequirePermission('campaigns:read')
  @LoadRecord(Campaign)
  @Responds(campaignStatsView)
  stats(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() campaign: Campaign) {
    return this.messages.stats(scope, campaign);
  }
}

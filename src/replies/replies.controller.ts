import { Body, Controller, Get, Post, Put, Query } from '@nestjs/common';
import { LargeResponse, Responds, RespondsPage } from '@outreach/http-api/responses';
import { Summary } from '@outreach/http-api/openapi';
import { RequirePermission } from '@outreach/http-api/routes';
import { LoadRecord } from '../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../platform/http/requests/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { messageView } from '../sending/index.js';
import { AnswerReplyDto, ReplyListQuery, UpdateReplyDto } from './reply.dto.js';
import { RepliesService } from './replies.service.js';
import { Reply } from './reply.entity.js';
import { replyView } from './reply.view.js';

@Controller('v1/replies')
export class RepliesController {
  constructor(private readonly replies: RepliesService) {}

  /** The replies to messages of all campaigns, of people and automatic ones. The newest are the first. */
  @Get()
  @Summary('List replies')
  @RequirePermission('campaigns:read')
  @LargeResponse({ rowBytes: 65_536 })
  @RespondsPage(replyView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: ReplyListQuery) {
    return scope.of(Reply).page(query);
  }

  /** One reply with its text. */
  @Get(':id')
  @Summary('Get a reply')
  @RequirePermission('campaigns:read')
  @LoadRecord(Reply)
  @Responds(replyView)
  get(@LoadedRecord() reply: Reply) {
    return reply;
  }

  /** Changes the classification. No enrollment is ended or continued because of it. */
  @Put(':id')
  @Summary('Classify a reply')
  @RequirePermission('campaigns:write')
  @LoadRecord(Reply)
  @Responds(replyView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() reply: Reply, @Body() dto: UpdateReplyDto) {
    return scope.of(Reply).update(reply.id, { classification: dto.classification });
  }

  /**
   * Queues an answer to the sender of the reply, in the same thread, from the email account that sent the message, within
   * its limits. It has no pixel, no tracked links and no link to unsubscribe. It is one of the messages of the campaign,
   * without a step, and counts for the account alone. 422 with the `reason` `unsubscribed`, `bounced`, `complained`,
   * `blacklisted` or `invalid_address` if nothing may be sent to the sender, `no_account` if the account was deleted.
   */
  @Post(':id/answer')
  @Summary('Answer a reply')
  @RequirePermission('campaigns:write')
  @LoadRecord(Reply)
  @Responds(messageView, { status: 202 })
  answer(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() reply: Reply, @Body() dto: AnswerReplyDto) {
    return this.replies.answer(scope, reply, dto);
  }
}

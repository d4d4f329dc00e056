import { Controller, Get, Query } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { Responds, RespondsPage } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { InWorkspace } from '../../platform/http/requests/index.js';
import { sql } from '../../platform/database/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { SandboxMessage } from '../../sending/index.js';
import { SandboxOnly } from '../sandbox.guard.js';
import { SandboxMessageListQuery } from './sandbox-message-list.query.js';
import { sandboxMessageContentView, sandboxMessageView } from './sandbox-message.view.js';

@Controller('v1/sandbox/messages')
@SandboxOnly()
export class SandboxMessagesController {
  /**
   * The messages that the simulated mail server of a sandbox workspace has accepted, the newest first. The newest 5,000 of
   * the last 30 days are stored, and at most 100 MB. 404 in other workspaces.
   */
  @Get()
  @Summary('List the messages that a sandbox has sent', 'listSandboxMessages')
  @RequirePermission('campaigns:read')
  @RespondsPage(sandboxMessageView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: SandboxMessageListQuery) {
    return scope.of(SandboxMessage).page(query);
  }

  /** One message with its headers, text, HTML, links and raw MIME. 404 in other workspaces. */
  @Get(':id')
  @Summary('Get a message that a sandbox has sent', 'getSandboxMessage')
  @RequirePermission('campaigns:read')
  @Responds(sandboxMessageContentView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return scope
      .of(SandboxMessage)
      .withColumns(sql`, record.html, record.text, record.raw`)
      .get(id);
  }
}

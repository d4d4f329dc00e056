import { Body, Controller, Post } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { InWorkspace } from '../../platform/http/requests/index.js';
import { WaitsForNetwork } from '../../platform/http/shares/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ConnectMailboxDto } from './connect-mailbox.dto.js';
import { MailboxConnection } from './mailbox-connection.service.js';
import { mailboxAuthorizationView } from './oauth.view.js';

/** Begins to connect mailboxes of Google and Microsoft (API v1, "Connecting"). */
@Controller('v1/email-accounts/oauth')
export class OauthController {
  constructor(private readonly connection: MailboxConnection) {}

  /**
   * Returns the address at which the owner of a Gmail account gives access to it. Then the account is created, or the one
   * of the same address is connected again. 422 with the reason `provider_not_configured` if the operator has not
   * registered an application at Google.
   */
  @Post('google')
  @Summary('Connect a Gmail account', 'startGoogleConnection')
  @RequirePermission('email_accounts:write')
  @WaitsForNetwork('lookup')
  @Responds(mailboxAuthorizationView, { status: 201 })
  google(@InWorkspace() scope: WorkspaceScope, @Body() dto: ConnectMailboxDto) {
    return this.connection.start(scope, 'google', dto);
  }

  /**
   * Returns the address at which the owner of a Microsoft 365 account gives access to it. Then the account is created, or
   * the one of the same address is connected again. 422 with the reason `provider_not_configured` if the operator has not
   * registered an application at Microsoft.
   */
  @Post('microsoft')
  @Summary('Connect a Microsoft 365 account', 'startMicrosoftConnection')
  @RequirePermission('email_accounts:write')
  @WaitsForNetwork('lookup')
  @Responds(mailboxAuthorizationView, { status: 201 })
  microsoft(@InWorkspace() scope: WorkspaceScope, @Body() dto: ConnectMailboxDto) {
    return this.connection.start(scope, 'microsoft', dto);
  }
}

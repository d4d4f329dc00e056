import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { Responds, RespondsNoContent, RespondsPage } from '@outreach/http-api/responses';
import { IgnoresIdempotencyKey, RequirePermission } from '@outreach/http-api/routes';
import { LoadRecord } from '../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../platform/http/requests/index.js';
import { WaitsForNetwork } from '../platform/http/shares/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { ConnectionTest } from './connection-test.js';
import { CreateEmailAccountDto } from './dto/create-email-account.dto.js';
import { EmailAccountListQuery } from './dto/email-account-list.query.js';
import { UpdateEmailAccountDto } from './dto/update-email-account.dto.js';
import { DomainAuthentication, emailAccountDomainView } from './domain/index.js';
import { DomainQuery } from './dto/domain.query.js';
import { EmailAccount } from './email-account.entity.js';
import { connectionTestView, emailAccountStatsView, emailAccountView } from './email-account.view.js';
import { EmailAccounts } from './email-accounts.service.js';

@Controller('v1/email-accounts')
export class EmailAccountsController {
  constructor(
    private readonly accounts: EmailAccounts,
    private readonly connection: ConnectionTest,
    private readonly domains: DomainAuthentication,
  ) {}

  /** The email accounts of the workspace, without their credentials. */
  @Get()
  @RequirePermission('email_accounts:read')
  @RespondsPage(emailAccountView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: EmailAccountListQuery) {
    return this.accounts.list(scope, query);
  }

  /**
   * Creates an account. The first one of a workspace is the default. The credentials are not checked before the first
   * message; `test` checks them.
   */
  @Post()
  @RequirePermission('email_accounts:write')
  @WaitsForNetwork('lookup')
  @Responds(emailAccountView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: CreateEmailAccountDto) {
    return this.accounts.create(scope, dto);
  }

  /** One email account, without its credentials. */
  @Get(':id')
  @RequirePermission('email_accounts:read')
  @Responds(emailAccountView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.accounts.get(scope, id);
  }

  /**
   * Changes the fields that the body names; absent credentials stay. A change of the server requires the password
   * again.
   */
  @Put(':id')
  @RequirePermission('email_accounts:write')
  @WaitsForNetwork('lookup')
  @LoadRecord(EmailAccount)
  @Responds(emailAccountView)
  update(
    @InWorkspace() scope: WorkspaceScope,
    @LoadedRecord() account: EmailAccount,
    @Body() dto: UpdateEmailAccountDto,
  ) {
    return this.accounts.update(scope, account, dto);
  }

  /**
   * Deletes the account. If it was the default, another one becomes it. Campaigns go on with their other accounts; an
   * active one without any is paused. 403 for the only account.
   */
  @Delete(':id')
  @Summary('Delete an email account', 'deleteEmailAccount')
  @RequirePermission('email_accounts:write')
  @RespondsNoContent()
  remove(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.accounts.remove(scope, id);
  }

  /** Connects and logs in, within ten seconds, and sends nothing. 422 with the same body if that fails. */
  @Post(':id/test')
  @Summary('Connect and log in with an email account')
  @RequirePermission('email_accounts:write')
  @WaitsForNetwork('connection')
  @LoadRecord(EmailAccount)
  @IgnoresIdempotencyKey()
  @Responds(connectionTestView, { otherStatus: { status: 422, when: ({ success }) => !success } })
  test(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.connection.run(scope, id);
  }

  /** Campaigns without accounts of their own send from it from now on. */
  @Post(':id/set-default')
  @Summary('Make an email account the default')
  @RequirePermission('email_accounts:write')
  @LoadRecord(EmailAccount)
  @Responds(emailAccountView)
  setDefault(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.accounts.setDefault(scope, id);
  }

  /** How much the account has sent, and how much it may still send today. */
  @Get(':id/stats')
  @Summary('Get what an email account has sent', 'getEmailAccountStats')
  @RequirePermission('email_accounts:read')
  @Responds(emailAccountStatsView)
  stats(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.accounts.stats(scope, id);
  }

  /**
   * Checks in DNS whether mail of the domain of `from_email` is authenticated: MX, SPF, DKIM and DMARC. It takes a few
   * seconds at most; the result is stored for an hour.
   */
  @Get(':id/domain')
  @Summary("Check the domain of an email account's sender", 'getEmailAccountDomain')
  @RequirePermission('email_accounts:read')
  @WaitsForNetwork('lookup')
  @Responds(emailAccountDomainView)
  domain(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number, @Query() { refresh }: DomainQuery) {
    return this.domains.check(scope, id, refresh ?? false);
  }

  /** Sets `sent_today` to 0, so that the account may send its daily limit once more today. */
  @Post(':id/reset-counter')
  @Summary("Reset an email account's count of today", 'resetEmailAccountCounter')
  @RequirePermission('email_accounts:write')
  @LoadRecord(EmailAccount)
  @Responds(emailAccountView)
  resetCounter(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.accounts.resetCounter(scope, id);
  }
}

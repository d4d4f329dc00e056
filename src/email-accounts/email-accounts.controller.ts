import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import {
  IdParam,
  IgnoresIdempotencyKey,
  InWorkspace,
  LoadedRecord,
  LoadRecord,
  RequirePermission,
  Responds,
  RespondsNoContent,
  RespondsPage,
  Summary,
  WaitsForNetwork,
} from '../platform/http/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { ConnectionTest } from './connection-test.js';
import { CreateEmailAccountDto } from './dto/create-email-account.dto.js';
import { EmailAccountListQuery } from './dto/email-account-list.query.js';
import { UpdateEmailAccountDto } from './dto/update-email-account.dto.js';
import { EmailAccount } from './email-account.entity.js';
import { connectionTestView, emailAccountStatsView, emailAccountView } from './email-account.view.js';
import { EmailAccounts } from './email-accounts.service.js';

@Controller('v1/email-accounts')
export class EmailAccountsController {
  constructor(
    private readonly accounts: EmailAccounts,
    private readonly connection: ConnectionTest,
  ) {}

  @Get()
  @RequirePermission('email_accounts:read')
  @RespondsPage(emailAccountView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: EmailAccountListQuery) {
    return this.accounts.list(scope, query);
  }

  @Post()
  @RequirePermission('email_accounts:write')
  @WaitsForNetwork('lookup')
  @Responds(emailAccountView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: CreateEmailAccountDto) {
    return this.accounts.create(scope, dto);
  }

  @Get(':id')
  @RequirePermission('email_accounts:read')
  @Responds(emailAccountView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.accounts.get(scope, id);
  }

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

  @Delete(':id')
  @Summary('Delete an email account', 'deleteEmailAccount')
  @RequirePermission('email_accounts:write')
  @RespondsNoContent()
  remove(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.accounts.remove(scope, id);
  }

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

  @Post(':id/set-default')
  @Summary('Make an email account the default')
  @RequirePermission('email_accounts:write')
  @LoadRecord(EmailAccount)
  @Responds(emailAccountView)
  setDefault(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.accounts.setDefault(scope, id);
  }

  @Get(':id/stats')
  @Summary('Get what an email account has sent', 'getEmailAccountStats')
  @RequirePermission('email_accounts:read')
  @Responds(emailAccountStatsView)
  stats(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.accounts.stats(scope, id);
  }

  @Post(':id/reset-counter')
  @Summary("Reset an email account's count of today", 'resetEmailAccountCounter')
  @RequirePermission('email_accounts:write')
  @LoadRecord(EmailAccount)
  @Responds(emailAccountView)
  resetCounter(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.accounts.resetCounter(scope, id);
  }
}

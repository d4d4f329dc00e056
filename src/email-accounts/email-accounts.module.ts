import { Module } from '@nestjs/common';
import { ConnectionTest } from './connection-test.js';
import { Credentials } from './credentials.js';
import { EmailAccountsController } from './email-accounts.controller.js';
import { EmailAccountMetrics } from './email-account-metrics.cross-tenant.js';
import { EmailAccounts } from './email-accounts.service.js';
import { Mailboxes } from './mailboxes.js';
import { SendgridSignatures } from './sendgrid-signatures.js';

/** `/email-accounts` (API v1, "Email accounts"), and the mailboxes that `sending` uses. */
@Module({
  controllers: [EmailAccountsController],
  providers: [ConnectionTest, Credentials, EmailAccountMetrics, EmailAccounts, Mailboxes, SendgridSignatures],
  exports: [Mailboxes, SendgridSignatures],
})
export class EmailAccountsModule {}

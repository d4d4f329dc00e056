import { Module } from '@nestjs/common';
import { ConnectionTest } from './connection-test.js';
import { Credentials } from './credentials.js';
import { DomainAuthentication } from './domain/index.js';
import { EmailAccountsController } from './email-accounts.controller.js';
import { EmailAccountMetrics } from './email-account-metrics.cross-tenant.js';
import { EmailAccountPublicEvents } from './email-account.public-events.js';
import { EmailAccounts } from './email-accounts.service.js';
import { ImapSessions } from './imap-sessions.js';
import { Mailboxes } from './mailboxes.js';
import { AccessTokens } from './oauth/access-tokens.js';
import { BrowserCookie } from './oauth/browser-cookie.js';
import { OauthCallbackController } from './oauth/callback.controller.js';
import { CodeExchange } from './oauth/code-exchange.js';
import { OauthConnectController } from './oauth/connect.controller.js';
import { ConnectedAccounts } from './oauth/connected-accounts.js';
import { GrantRevocation } from './oauth/grant-revocation.js';
import { MailboxConnection } from './oauth/mailbox-connection.service.js';
import { OauthController } from './oauth/oauth.controller.js';
import { OauthStates } from './oauth/oauth-states.cross-tenant.js';
import { RedirectOrigins } from './oauth/redirect-origins.js';
import { OauthSecrets } from './oauth/oauth-secrets.js';
import { OpenidClients } from './oauth/openid-clients.js';
import { SmtpSessions } from './smtp-sessions.js';

/** `/email-accounts` (API v1, "Email accounts"), and the mailboxes that `sending` uses. */
@Module({
  controllers: [EmailAccountsController, OauthCallbackController, OauthConnectController, OauthController],
  providers: [
    AccessTokens,
    BrowserCookie,
    CodeExchange,
    ConnectedAccounts,
    ConnectionTest,
    Credentials,
    DomainAuthentication,
    EmailAccountMetrics,
    EmailAccountPublicEvents,
    EmailAccounts,
    GrantRevocation,
    MailboxConnection,
    ImapSessions,
    Mailboxes,
    OauthSecrets,
    OauthStates,
    OpenidClients,
    RedirectOrigins,
    SmtpSessions,
  ],
  exports: [AccessTokens, DomainAuthentication, GrantRevocation, ImapSessions, Mailboxes, SmtpSessions],
})
export class EmailAccountsModule {}

import { Injectable } from '@nestjs/common';
import { EgressPolicy } from '../platform/egress/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { MailboxCredentials, OauthMailbox } from './credentials.js';
import { AccessTokens } from './oauth/access-tokens.js';
import { openSmtpSession, SmtpLoginRefused, type SmtpOptions, type SmtpSession } from './smtp/index.js';

/** The credentials of accounts that send by SMTP. */
export type SmtpMailbox = Exclude<MailboxCredentials, { readonly type: 'sendgrid' }>;

type SessionTimeouts = Omit<SmtpOptions, 'policy'>;

/** The operator has configured the mail servers of Google and Microsoft, so they may have any address. */
const CONFIGURED_SERVERS = { allows: () => true, isInConfiguredRange: () => false };

/** Opens sessions of SMTP with the credentials of accounts. Call it outside of a transaction. */
@Injectable()
export class SmtpSessions {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly policy: EgressPolicy,
  ) {}

  /**
   * Returns a session that is logged in. An access token that is refused is refreshed once.
   * @throws LoginRefused, ProviderUnavailable, ConsentRevoked
   */
  open(scope: WorkspaceScope, credentials: SmtpMailbox, timeouts: SessionTimeouts = {}): Promise<SmtpSession> {
    return credentials.type === 'smtp'
      ? openSmtpSession(credentials.smtp, { ...timeouts, policy: this.policy })
      : this.openWithToken(scope, credentials, timeouts);
  }

  private async openWithToken(
    scope: WorkspaceScope,
    { smtp, username, account_id: accountId }: OauthMailbox,
    timeouts: SessionTimeouts,
  ): Promise<SmtpSession> {
    const open = (accessToken: string): Promise<SmtpSession> =>
      openSmtpSession(
        { ...smtp, username, login: { type: 'oauth', access_token: accessToken } },
        { ...timeouts, policy: CONFIGURED_SERVERS },
      );
    const token = await this.accessTokens.get(scope, accountId);
    try {
      return await open(token);
    } catch (error) {
      if (!(error instanceof SmtpLoginRefused)) throw error;
      return open(await this.accessTokens.replace(scope, accountId, token));
    }
  }
}

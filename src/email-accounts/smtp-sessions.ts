import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/index.js';
import { EgressPolicy } from '../platform/egress/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { MailboxCredentials, OauthMailbox } from './credentials.js';
import { AccessTokens } from './oauth/access-tokens.js';
import { openWithToken } from './oauth/open-with-token.js';
import { openSmtpSession, SmtpLoginRefused, type SmtpOptions, type SmtpSession } from './smtp/index.js';

/** The credentials of accounts that send by SMTP. */
export type SmtpMailbox = Exclude<MailboxCredentials, { readonly type: 'sendgrid' }>;

type SessionTimeouts = Omit<SmtpOptions, 'policy' | 'publicUrl'>;

/** The operator has configured the mail servers of Google and Microsoft, so they may have any address. */
const CONFIGURED_SERVERS = { allows: () => true, isInConfiguredRange: () => false };

/** Opens sessions of SMTP with the credentials of accounts. Call it outside of a transaction. */
@Injectable()
export class SmtpSessions {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly policy: EgressPolicy,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {}

  /**
   * Returns a session that is logged in. An access token that is refused is refreshed once. `timeoutMs` holds for everything.
   * @throws LoginRefused, ProviderUnavailable, ConsentRevoked
   */
  open(scope: WorkspaceScope, credentials: SmtpMailbox, timeouts: SessionTimeouts = {}): Promise<SmtpSession> {
    return credentials.type === 'smtp'
      ? openSmtpSession(credentials.smtp, { ...timeouts, publicUrl: this.config.public_url, policy: this.policy })
      : this.openWithToken(scope, credentials, timeouts);
  }

  private openWithToken(
    scope: WorkspaceScope,
    { smtp, username, account_id }: OauthMailbox,
    timeouts: SessionTimeouts,
  ): Promise<SmtpSession> {
    const open = (access_token: string, timeoutMs: number | undefined): Promise<SmtpSession> =>
      openSmtpSession(
        { ...smtp, username, login: { type: 'oauth', access_token } },
        {
          ...timeouts,
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
          publicUrl: this.config.public_url,
          policy: CONFIGURED_SERVERS,
        },
      );
    const isRefusal = (error: unknown): boolean => error instanceof SmtpLoginRefused;
    return openWithToken(this.accessTokens, { scope, account_id }, { open, isRefusal }, timeouts.timeoutMs);
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/index.js';
import { EgressPolicy } from '@outreach/egress';
import { openSmtpSession, SmtpLoginRefused, type SmtpOptions, type SmtpSession } from '@outreach/mail-sessions';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { AccessTokens } from './oauth/access-tokens.js';
import { CONFIGURED_SERVERS, openWithToken } from './oauth/open-with-token.js';
import {
  type MailConnections,
  isConnected,
  type MailboxCredentials,
  type OauthMailbox,
  type ProviderSession,
  type SmtpMailbox,
} from './providers/provider.js';
import { PROVIDERS } from './providers/providers.js';

type SessionTimeouts = Omit<SmtpOptions, 'policy' | 'publicUrl'>;

/** Opens the connections of accounts, and sessions of SMTP with the credentials of accounts. Call it outside of a transaction. */
@Injectable()
export class SmtpSessions {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly policy: EgressPolicy,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {}

  /**
   * Opens a connection of any provider. `timeoutMs` holds for everything. @throws LoginRefused, ProviderUnavailable,
   * ConsentRevoked
   */
  connect(
    scope: WorkspaceScope,
    credentials: MailboxCredentials,
    timeouts?: SessionTimeouts,
  ): Promise<ProviderSession> {
    return PROVIDERS[credentials.type].open(credentials, this.connections(scope, timeouts));
  }

  /** Logs in with any provider, and sends nothing. @returns what has worked; throws what `connect` throws */
  logIn(scope: WorkspaceScope, credentials: MailboxCredentials, timeouts?: SessionTimeouts): Promise<string> {
    return PROVIDERS[credentials.type].logIn(credentials, this.connections(scope, timeouts));
  }

  private connections(scope: WorkspaceScope, timeouts?: SessionTimeouts): MailConnections<object> {
    return { smtp: (credentials) => this.open(scope, credentials, timeouts), config: this.config };
  }

  /**
   * Returns a session that is logged in. An access token that is refused is refreshed once. `timeoutMs` holds for everything.
   * @throws LoginRefused, ProviderUnavailable, ConsentRevoked
   */
  open(scope: WorkspaceScope, credentials: SmtpMailbox, timeouts: SessionTimeouts = {}): Promise<SmtpSession> {
    if (isConnected(credentials)) return this.openWithToken(scope, credentials, timeouts);
    return openSmtpSession(credentials.smtp, { ...timeouts, publicUrl: this.config.public_url, policy: this.policy });
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

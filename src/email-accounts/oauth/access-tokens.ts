import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ProviderUnavailable } from '@outreach/mail-sessions';
import type { ProviderTokens, TokenEndpoint } from '@outreach/oauth-clients';
import { Log } from '@outreach/logging';
import { DatabaseUnavailable } from '@outreach/database';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { CredentialsUnusable } from '../email-account.errors.js';
import { lockAccount } from '../email-accounts.queries.js';
import { Mailboxes } from '../mailboxes.js';
import {
  type EncryptedTokens,
  findGrant,
  leaseRefresh,
  lockGeneration,
  type RefreshLease,
  releaseRefresh,
  type StoredGrant,
  storeRefreshed,
} from './oauth-grants.queries.js';
import { PROVIDERS } from '../providers/providers.js';
import { OauthSecrets } from './oauth-secrets.js';
import { ConsentRevoked, OpenidClients } from './openid-clients.js';

/** For how long one process waits for a refresh of another one: longer than the lease of one that has died. */
const MAX_WAIT_MS = 20_000;
const POLL_INTERVAL_MS = 200;
/** For how long new tokens are kept in memory while the database is not available. */
const MAX_OUTAGE_MS = 60_000;
const RETRY_INTERVAL_MS = 1_000;

/**
 * The access tokens of Google and Microsoft accounts. They are refreshed five minutes before they expire, by one process
 * at a time for each account (API v1, "Sending"; ADR 42). Call its methods outside of a transaction.
 */
@Injectable()
export class AccessTokens {
  /** The refreshes of this process by account. */
  private readonly refreshing = new Map<string, Promise<string>>();

  constructor(
    private readonly secrets: OauthSecrets,
    private readonly clients: OpenidClients,
    private readonly mailboxes: Mailboxes,
    private readonly log: Log,
  ) {}

  /**
   * Returns a valid access token.
   * @throws CredentialsUnusable if the account is not connected; ConsentRevoked, after the account was made inactive;
   *   ProviderUnavailable if the provider does not refresh the token now
   */
  async get(scope: WorkspaceScope, accountId: number): Promise<string> {
    const grant = await this.find(scope, accountId);
    return grant.is_fresh ? this.decrypted(scope, grant) : this.refresh(scope, grant, grant.is_usable);
  }

  /**
   * Returns another access token than the one that a mail server has refused: the stored one if it is another one by now,
   * else that of a refresh. @throws like {@link get}
   */
  async replace(scope: WorkspaceScope, accountId: number, refusedToken: string): Promise<string> {
    const grant = await this.find(scope, accountId);
    if (this.decrypted(scope, grant) !== refusedToken) return this.get(scope, accountId);
    return this.refresh(scope, grant, false);
  }

  /** @param isUsable the stored token may be used while another process refreshes it, or while the provider cannot */
  private refresh(scope: WorkspaceScope, grant: StoredGrant, isUsable: boolean): Promise<string> {
    const key = `${scope.workspace_id}:${grant.email_account_id}:${grant.generation}:${isUsable}`;
    const running = this.refreshing.get(key);
    if (running) return running;
    const refreshed = this.refreshOrWait(scope, grant, isUsable).finally(() => this.refreshing.delete(key));
    this.refreshing.set(key, refreshed);
    return refreshed;
  }

  private async refreshOrWait(scope: WorkspaceScope, grant: StoredGrant, isUsable: boolean): Promise<string> {
    const { email_account_id: accountId, generation } = grant;
    // Before the lease, which is longer than one request, and not than two.
    const endpoint = await this.endpointOf(grant, isUsable);
    if (!endpoint) return this.decrypted(scope, grant);
    const lease: RefreshLease = { id: randomUUID(), email_account_id: accountId, generation };
    const deadline = performance.now() + MAX_WAIT_MS;
    while (performance.now() < deadline) {
      if (await leaseRefresh(scope, lease)) return this.refreshLeased(scope, lease, { grant, endpoint, isUsable });
      if (isUsable) return this.decrypted(scope, grant);
      await pause(POLL_INTERVAL_MS);
      const current = await this.find(scope, accountId);
      if (current.generation !== generation) return this.decrypted(scope, current);
    }
    throw new ProviderUnavailable(`${PROVIDERS[grant.provider].name} has not refreshed the access token in time.`);
  }

  /** @returns undefined if the endpoint is not known and the stored token can be used without it @throws ProviderUnavailable */
  private async endpointOf({ provider }: StoredGrant, isUsable: boolean): Promise<TokenEndpoint | undefined> {
    try {
      return await this.clients.request(provider, (client) => client.tokenEndpoint());
    } catch (error) {
      if (isUsable && error instanceof ProviderUnavailable) return undefined;
      throw error;
    }
  }

  private async refreshLeased(
    scope: WorkspaceScope,
    lease: RefreshLease,
    {
      grant,
      endpoint,
      isUsable,
    }: { readonly grant: StoredGrant; readonly endpoint: TokenEndpoint; readonly isUsable: boolean },
  ): Promise<string> {
    const id = idOf(scope, grant);
    try {
      const refreshToken = this.secrets.decryptToken('refresh_token', id, grant.refresh_token_encrypted);
      const tokens = await this.clients.request(grant.provider, () => endpoint.refresh(refreshToken));
      return await this.store(scope, lease, tokens);
    } catch (error) {
      if (error instanceof ConsentRevoked) return this.disable(scope, lease, error);
      await releaseRefresh(scope, lease).catch((cause: unknown) => {
        this.log.warn('the lease of a token refresh will expire', {
          email_account_id: id.email_account_id,
          error: cause,
        });
      });
      // It is valid for some more minutes, in which the provider may be able to refresh it.
      if (isUsable && error instanceof ProviderUnavailable) return this.decrypted(scope, grant);
      throw error;
    }
  }

  /** The old refresh token may be void by now, so new ones are not given up while the database is not available. */
  private async store(scope: WorkspaceScope, lease: RefreshLease, tokens: ProviderTokens): Promise<string> {
    const id = idOf(scope, lease);
    const { access_token: access, refresh_token: refresh, seconds } = tokens;
    const encrypted: EncryptedTokens = {
      access_token_encrypted: this.secrets.encryptToken('access_token', id, access),
      refresh_token_encrypted: refresh && this.secrets.encryptToken('refresh_token', id, refresh),
      seconds,
    };
    const deadline = performance.now() + MAX_OUTAGE_MS;
    for (;;) {
      try {
        if (await storeRefreshed(scope, lease, encrypted)) return access;
        return this.decrypted(scope, await this.find(scope, lease.email_account_id));
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || performance.now() > deadline) throw error;
      }
      await pause(RETRY_INTERVAL_MS);
    }
  }

  /** Makes the account inactive, unless it was connected again or refreshed meanwhile. */
  private async disable(scope: WorkspaceScope, lease: RefreshLease, error: ConsentRevoked): Promise<string> {
    const accountId = lease.email_account_id;
    const isDisabled = await scope.transaction(async (tx) => {
      // In the order in which a deletion locks them.
      if (!(await lockAccount(tx, accountId)) || !(await lockGeneration(tx, lease))) return false;
      await releaseRefresh(tx, lease);
      await this.mailboxes.deactivate(tx, accountId, 'consent_withdrawn', error.message);
      return true;
    });
    if (isDisabled) throw error;
    return this.decrypted(scope, await this.find(scope, accountId));
  }

  private async find(scope: WorkspaceScope, accountId: number): Promise<StoredGrant> {
    const grant = await findGrant(scope, accountId);
    if (!grant) throw new CredentialsUnusable('The email account is not connected.');
    return grant;
  }

  private decrypted(scope: WorkspaceScope, grant: StoredGrant): string {
    return this.secrets.decryptToken('access_token', idOf(scope, grant), grant.access_token_encrypted);
  }
}

const idOf = (
  { workspace_id }: WorkspaceScope,
  { email_account_id }: Readonly<Record<'email_account_id', number>>,
) => ({ workspace_id, email_account_id });

import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { FairQueue } from '@outreach/concurrency';
import { Log } from '@outreach/logging';
import { FAIR_QUEUES } from '../../platform/concurrency/index.js';
import type { Keyring } from '../../platform/crypto/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { findGrant, findGrantsAfter, type RevocableGrant } from './oauth-grants.queries.js';
import { OauthSecrets } from './oauth-secrets.js';
import type { OauthConfig } from './oauth.settings.js';
import { OpenidClients } from './openid-clients.js';

/** How long the deletion of a workspace may be delayed by providers that do not respond. */
const MAX_REVOKING_ALL_MS = 60_000;

/**
 * Revokes the refresh tokens of deleted accounts at their provider (RFC 7009). One attempt is made: the account is deleted
 * whether it succeeds or not.
 */
@Injectable()
export class GrantRevocation implements BeforeApplicationShutdown {
  private readonly queue = new FairQueue(FAIR_QUEUES.grantRevocations);
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly clients: OpenidClients,
    private readonly secrets: OauthSecrets,
    private readonly log: Log,
  ) {}

  /**
   * Reads the token of an account that the open transaction is about to delete, and revokes it after the commit, beside the
   * response.
   */
  async revokeAfterCommit(tx: WorkspaceScope, accountId: number): Promise<void> {
    const grant = await findGrant(tx, accountId);
    if (!grant) return;
    const { workspace_id } = tx;
    tx.afterCommit(() => {
      const revocation = this.revoke(workspace_id, grant).finally(() => this.running.delete(revocation));
      this.running.add(revocation);
    });
  }

  /**
   * Revokes all tokens of a workspace whose rows are about to be deleted, and waits for the providers, for a minute at most.
   * Never rejects because of a provider.
   */
  async revokeAll(scope: WorkspaceScope): Promise<void> {
    const deadline = performance.now() + MAX_REVOKING_ALL_MS;
    const next = (last: number): Promise<RevocableGrant[]> =>
      findGrantsAfter(scope, last, FAIR_QUEUES.grantRevocations.perKey);
    for (let grants = await next(0); grants.length > 0; grants = await next(grants.at(-1)?.email_account_id ?? 0)) {
      if (performance.now() > deadline) {
        this.log.warn('the access to the other mailboxes of a deleted workspace was not revoked', {
          workspace_id: scope.workspace_id,
          after_ms: MAX_REVOKING_ALL_MS,
        });
        return;
      }
      await Promise.all(grants.map((grant) => this.revoke(scope.workspace_id, grant)));
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.running);
  }

  /** Never rejects. */
  private async revoke(workspaceId: number, grant: RevocableGrant): Promise<void> {
    const id = { workspace_id: workspaceId, email_account_id: grant.email_account_id };
    try {
      const token = this.secrets.decryptToken('refresh_token', id, grant.refresh_token_encrypted);
      await this.queue.run(workspaceId, () => this.request(grant, token));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.log.warn('the access to a deleted mailbox was not revoked', { ...id, provider: grant.provider, message });
    }
  }

  private request({ provider }: RevocableGrant, token: string): Promise<void> {
    return this.clients.request(provider, async (client) => (await client.tokenEndpoint()).revoke(token));
  }
}

/** @returns the revocation of a command, which has no modules */
export const createGrantRevocation = (config: OauthConfig, keyring: Keyring, log: Log): GrantRevocation =>
  new GrantRevocation(new OpenidClients(config), new OauthSecrets(keyring), log);

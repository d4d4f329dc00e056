import { Injectable } from '@nestjs/common';
import type { ProviderTokens } from '@outreach/oauth-clients';
import { sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import { WorkspaceLimits } from '../../platform/limits/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { EmailAccount } from '../email-account.entity.js';
import { ensureDefault, lockDefault } from '../email-accounts.queries.js';
import type { MailboxIdentity } from './mailbox-identity.js';
import { findConnected, storeGrant } from './oauth-grants.queries.js';
import type { OauthProvider } from '../providers/provider-names.js';
import { OauthSecrets } from './oauth-secrets.js';
import type { OauthState } from './oauth-state.entity.js';

/** A mailbox to which its owner has given access. */
export interface GrantedMailbox {
  readonly provider: OauthProvider;
  readonly identity: MailboxIdentity;
  readonly tokens: ProviderTokens & { readonly refresh_token: string };
  /** The input of the request to connect it. */
  readonly input: Pick<OauthState, 'name' | 'from_name' | 'daily_limit'>;
}

/** Creates the accounts of connected mailboxes. */
@Injectable()
export class ConnectedAccounts {
  constructor(
    private readonly secrets: OauthSecrets,
    private readonly events: DomainEvents,
    private readonly limits: WorkspaceLimits,
  ) {}

  /**
   * Creates the account of a mailbox, or connects the one that the workspace has of it again.
   * @returns the ID of the account
   * @throws LimitReached
   */
  connect(scope: WorkspaceScope, mailbox: GrantedMailbox): Promise<number> {
    return scope.transaction(async (tx) => {
      // So that concurrent callbacks for the same address create one account.
      await lockDefault(tx);
      const connected = await findConnected(tx, mailbox.provider, mailbox.identity.address);
      const id = connected ?? (await this.create(tx, mailbox));
      await this.store(tx, id, mailbox);
      if (connected !== undefined) await this.reactivate(tx, id);
      return id;
    });
  }

  private async create(tx: WorkspaceScope, { provider, identity, input }: GrantedMailbox): Promise<number> {
    const { id } = await tx.of(EmailAccount).insert({
      type: provider,
      name: input.name,
      from_email: identity.address,
      from_name: input.from_name ?? identity.name,
      daily_limit: input.daily_limit,
    });
    await ensureDefault(tx);
    await this.limits.check(tx, 'email_accounts', sql`SELECT 1 FROM email_accounts WHERE workspace_id = ${tx}`);
    return id;
  }

  private async reactivate(tx: WorkspaceScope, id: number): Promise<void> {
    await tx.of(EmailAccount).update(id, { is_active: true, disabled_reason: null, disabled_at: null });
    await this.events.publish(tx, 'email_account.updated', { email_account_id: id });
    await this.events.publish(tx, 'email_account.reachable', { email_account_id: id });
  }

  private store(tx: WorkspaceScope, accountId: number, { provider, identity, tokens }: GrantedMailbox): Promise<void> {
    const id = { workspace_id: tx.workspace_id, email_account_id: accountId };
    return storeGrant(tx, {
      email_account_id: accountId,
      provider,
      address: identity.address,
      refresh_token_encrypted: this.secrets.encryptToken('refresh_token', id, tokens.refresh_token),
      access_token_encrypted: this.secrets.encryptToken('access_token', id, tokens.access_token),
      seconds: tokens.seconds,
    });
  }
}

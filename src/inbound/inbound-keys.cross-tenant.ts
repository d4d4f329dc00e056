import { Inject, Injectable } from '@nestjs/common';
import { MAX_WEBHOOK_KEYS } from '../email-accounts/index.js';
import { CONFIG, type Config } from '../platform/config/index.js';
import { Signer } from '../platform/crypto/index.js';
import { Batcher, Database, sql } from '../platform/database/index.js';
import { NotFound } from '../platform/errors/index.js';
import { QuotaCounters, WORKSPACE_FACTOR } from '../platform/quota/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { rotateInboundKey } from '../workspaces/index.js';

const PURPOSE = 'inbound';

/** What is asked about a workspace. */
interface Lookup {
  readonly workspace_id: number;
  /** Whether the keys of its SendGrid accounts are asked for, too. */
  readonly with_webhook_keys: boolean;
}

interface InboundWorkspace {
  /** Of its inbound key. */
  readonly version: number;
  /** The public keys that verify the events of its SendGrid accounts. Empty if they were not asked for. */
  readonly webhook_keys: readonly string[];
}

/**
 * Opens the workspace that an inbound address belongs to. The signed key in the address contains its ID and, once it was
 * replaced, its version. Requests that arrive together share a statement.
 */
@Injectable()
export class InboundKeys {
  private readonly lookups: Batcher<Lookup, InboundWorkspace | undefined>;

  constructor(
    private readonly signer: Signer,
    private readonly database: Database,
    private readonly quotas: QuotaCounters,
    @Inject(CONFIG) private readonly config: Pick<Config, 'rate_limit_per_minute'>,
  ) {
    this.lookups = new Batcher((lookups) => this.findAll(lookups));
  }

  async keyOf(scope: WorkspaceScope): Promise<string> {
    const found = await this.lookups.submit({ workspace_id: scope.workspace_id, with_webhook_keys: false });
    return this.sign(scope.workspace_id, found?.version ?? 0);
  }

  /** Returns a new key. The one before is invalid when the statement is committed. */
  async rotate(scope: WorkspaceScope): Promise<string> {
    return this.sign(scope.workspace_id, await rotateInboundKey(scope));
  }

  /**
   * Counts a request to the address, whatever its path.
   * @throws NotFound if the key is not the current one of a workspace, TooManyRequests beyond its quota
   */
  async open(key: string): Promise<WorkspaceScope> {
    return (await this.find(key, false)).scope;
  }

  /**
   * Like {@link open}, with the public keys that verify the events of the workspace's SendGrid accounts: at most one more than
   * {@link MAX_WEBHOOK_KEYS}, those of the newest accounts.
   */
  openForEvents(key: string): Promise<{ scope: WorkspaceScope; webhook_keys: readonly string[] }> {
    return this.find(key, true);
  }

  private async find(key: string, withWebhookKeys: boolean) {
    const [workspaceId, version = 0] =
      this.signer.verifyIds(PURPOSE, key, 1) ?? this.signer.verifyIds(PURPOSE, key, 2) ?? [];
    if (workspaceId === undefined) throw new NotFound();
    const found = await this.lookups.submit({ workspace_id: workspaceId, with_webhook_keys: withWebhookKeys });
    if (found?.version !== version) throw new NotFound();
    await this.countRequest(workspaceId, version);
    return { scope: await WorkspaceScope.open(workspaceId, this.database), webhook_keys: found.webhook_keys };
  }

  private countRequest(workspaceId: number, version: number): Promise<void> {
    const { rate_limit_per_minute: perMinute } = this.config;
    return this.quotas.countRequest({
      [`inbound:${workspaceId}:${version}`]: perMinute,
      [`inbound:${workspaceId}`]: perMinute * WORKSPACE_FACTOR,
    });
  }

  private sign(workspaceId: number, version: number): string {
    return this.signer.signIds(PURPOSE, version === 0 ? [workspaceId] : [workspaceId, version]);
  }

  private async findAll(lookups: readonly Lookup[]): Promise<(InboundWorkspace | undefined)[]> {
    const asked = new Map<number, boolean>();
    for (const { workspace_id: id, with_webhook_keys: withKeys } of lookups)
      asked.set(id, withKeys || asked.get(id) === true);
    const rows = await this.database.query<InboundWorkspace & { id: number }>(
      sql`SELECT workspace.id, workspace.inbound_key_version AS version, CASE WHEN asked.with_keys THEN ARRAY(
              SELECT account.sendgrid_webhook_key FROM email_accounts account
              WHERE account.workspace_id = workspace.id AND account.type = 'sendgrid'
                AND account.sendgrid_webhook_key IS NOT NULL
              GROUP BY account.sendgrid_webhook_key ORDER BY max(account.id) DESC LIMIT ${MAX_WEBHOOK_KEYS + 1})
                ELSE '{}' END AS webhook_keys
          FROM unnest(${[...asked.keys()]}::bigint[], ${[...asked.values()]}::boolean[]) AS asked (id, with_keys)
          JOIN workspaces workspace ON workspace.id = asked.id AND workspace.deletion_started_at IS NULL`.prepared(),
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    return lookups.map((lookup) => found.get(lookup.workspace_id));
  }
}

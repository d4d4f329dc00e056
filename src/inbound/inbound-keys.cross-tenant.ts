import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '@outreach/concurrency';
import { Signer } from '@outreach/keyring';
import { NotFound } from '@outreach/http-errors';
import { EVENT_PROVIDERS, MAX_EVENT_KEYS } from '../email-accounts/index.js';
import { CONFIG, type Config } from '../platform/config/index.js';
import { Database, type Sql, sql } from '../platform/database/index.js';
import { QuotaCounters, WORKSPACE_FACTOR } from '../platform/quota/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { rotateInboundKey } from '../workspaces/index.js';

const PURPOSE = 'inbound';

interface Lookup {
  readonly workspace_id: number;
  /** The type of accounts whose keys are asked for, too. */
  readonly provider: string | null;
}

interface InboundWorkspace {
  /** Of its inbound key. */
  readonly version: number;
  /** The keys that verify the events of its accounts of a provider. Empty if they were not asked for. */
  readonly event_keys: readonly string[];
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
    const found = await this.lookups.submit({ workspace_id: scope.workspace_id, provider: null });
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
    return (await this.find(key, null)).scope;
  }

  /**
   * Like {@link open}, with the keys that verify the events of the workspace's accounts of a provider: at most one more than
   * {@link MAX_EVENT_KEYS}, those of the newest accounts.
   */
  openForEvents(key: string, provider: string): Promise<{ scope: WorkspaceScope; event_keys: readonly string[] }> {
    return this.find(key, provider);
  }

  private async find(key: string, provider: string | null) {
    const [workspaceId, version = 0] =
      this.signer.verifyIds(PURPOSE, key, 1) ?? this.signer.verifyIds(PURPOSE, key, 2) ?? [];
    if (workspaceId === undefined) throw new NotFound();
    const found = await this.lookups.submit({ workspace_id: workspaceId, provider });
    if (found?.version !== version) throw new NotFound();
    await this.countRequest(workspaceId, version);
    return { scope: await WorkspaceScope.open(workspaceId, this.database), event_keys: found.event_keys };
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
    const ids = [...new Set(lookups.map((lookup) => lookup.workspace_id))];
    const rows = await this.database.query<FoundRow & Record<string, unknown>>(
      sql`SELECT id AS workspace_id, NULL AS provider, inbound_key_version AS version, '{}'::text[] AS event_keys FROM workspaces
          WHERE id = ANY(${ids}::bigint[]) AND deletion_started_at IS NULL ${eventKeys(lookups)}`.prepared(),
    );
    const found = new Map(rows.map((row) => [keyOf(row), row]));
    return lookups.map((lookup) => {
      const version = found.get(keyOf({ ...lookup, provider: null }))?.version;
      return version === undefined ? version : { version, event_keys: found.get(keyOf(lookup))?.event_keys ?? [] };
    });
  }
}

/** Without a provider the version of a workspace, with one its keys. */
type FoundRow = Lookup & InboundWorkspace;

const keyOf = ({ workspace_id: id, provider }: Lookup): string => `${id} ${provider ?? ''}`;

/** SQL: the keys of the accounts of each provider that reports by events, of the workspaces for which they are asked for. */
const eventKeys = (lookups: readonly Lookup[]): Sql =>
  sql.join(
    EVENT_PROVIDERS.flatMap(({ type, events }) => {
      const ids = lookups.flatMap(({ workspace_id: id, provider }) => (provider === type ? [id] : []));
      if (ids.length === 0) return [];
      const key = sql.ref(`account.${events.key}`);
      return sql`UNION ALL
        SELECT workspace_id, ${type}, 0, (array_agg(key ORDER BY newest_id DESC))[:${MAX_EVENT_KEYS + 1}] FROM (
          SELECT account.workspace_id, ${key} AS key, max(account.id) AS newest_id FROM email_accounts account
          WHERE account.workspace_id = ANY(${ids}::bigint[]) AND account.type = ${type} AND ${key} IS NOT NULL
          GROUP BY account.workspace_id, ${key}) keys
        GROUP BY workspace_id`;
    }),
    ' ',
  );

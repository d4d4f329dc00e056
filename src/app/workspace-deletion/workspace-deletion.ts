import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { GrantRevocation } from '../../email-accounts/index.js';
import { Database } from '../../platform/database/index.js';
import { deleteBatch, type TenantTable, WorkspaceScope } from '../../platform/tenancy/index.js';
import { type Workspace, Workspaces } from '../../workspaces/index.js';
import { countQuotaCounters, countTenantRows, deactivateSenders, deleteQuotaCounters } from './deletion.queries.js';
import { currentInstant, findDeletedWorkspaces, hasTransactions } from './deleted-workspaces.cross-tenant.js';
import { findTenantTables } from './tenant-tables.js';

/** After this time no process accepts a token of a closed workspace, and what was being sent has been sent. */
const CLOSING_MS = 1_000;

/** The name of a table → the number of rows. Tables without rows are left out. */
export type RowCounts = Readonly<Record<string, number>>;

/** How long a deletion waits for transactions that began before the workspace was closed, such as an import. */
const TRANSACTION_TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 100;

/** A table without a `workspace_id`. */
const QUOTA_COUNTERS = 'quota_counters';

/** Deletes workspaces with everything that belongs to them. */
@Injectable()
export class WorkspaceDeletion {
  private readonly database: Database;
  private readonly workspaces: Workspaces;

  /** @param grants revokes the access to mailboxes before its tokens are deleted; absent where no provider is configured */
  constructor(
    database: Database,
    @Inject(GrantRevocation) @Optional() private readonly grants?: Pick<GrantRevocation, 'revokeAll'>,
  ) {
    this.database = database.withoutTimeLimits();
    this.workspaces = new Workspaces(this.database);
  }

  /** Returns what {@link delete} would delete. @throws NotFound */
  async preview(id: number): Promise<{ readonly workspace: Workspace; readonly rows: RowCounts }> {
    const workspace = await this.workspaces.getForDeletion(id);
    const scope = await WorkspaceScope.open(id, this.database);
    const rows = new Map([
      ['workspaces', 1],
      [QUOTA_COUNTERS, await countQuotaCounters(scope)],
    ]);
    for (const table of await findTenantTables(this.database))
      rows.set(table.name, await countTenantRows(scope, table));
    return { workspace, rows: withoutEmpty(rows) };
  }

  /**
   * Closes the workspace, so that its tokens end and nothing more is sent, then deletes its rows in batches. A call that
   * was interrupted can be repeated: the record of the workspace is deleted last.
   * @throws NotFound
   */
  async delete(id: number): Promise<RowCounts> {
    await this.workspaces.close(id);
    const scope = await WorkspaceScope.open(id, this.database);
    await deactivateSenders(scope);
    await pause(CLOSING_MS);
    // Again, because a request that was accepted before may have started a campaign.
    await deactivateSenders(scope);
    await this.waitForTransactions();
    const rows = await this.deleteRows(scope);
    await this.workspaces.delete(id);
    return withoutEmpty(rows.set('workspaces', 1));
  }

  /**
   * Deletes the rows of workspaces that no longer exist: those of transactions that were still running when the
   * workspace was deleted.
   */
  async deleteRemainders(): Promise<void> {
    const tables = await findTenantTables(this.database);
    for (const id of await findDeletedWorkspaces(this.database, tables)) {
      await this.deleteRows(await WorkspaceScope.open(id, this.database));
    }
  }

  private async waitForTransactions(): Promise<void> {
    const deadline = performance.now() + TRANSACTION_TIMEOUT_MS;
    const begunBefore = await currentInstant(this.database);
    while (performance.now() < deadline && (await hasTransactions(this.database, begunBefore))) {
      await pause(POLL_INTERVAL_MS);
    }
  }

  /** Deletes until a pass over all tables finds nothing, because triggers and late transactions add rows meanwhile. */
  private async deleteRows(scope: WorkspaceScope): Promise<Map<string, number>> {
    const tables = await findTenantTables(this.database);
    const rows = new Map<string, number>();
    let isEmpty = false;
    while (!isEmpty) {
      isEmpty = true;
      await this.grants?.revokeAll(scope);
      for await (const { name, total } of deletePass(scope, tables)) {
        rows.set(name, (rows.get(name) ?? 0) + total);
        isEmpty &&= total === 0;
      }
    }
    return rows;
  }
}

/** Yields the number of rows that each statement has deleted. */
async function* deletePass(
  scope: WorkspaceScope,
  tables: readonly TenantTable[],
): AsyncGenerator<{ readonly name: string; readonly total: number }> {
  // First, because the tokens tell which rows these are.
  for (let total = 1; total > 0;) {
    total = await deleteQuotaCounters(scope);
    yield { name: QUOTA_COUNTERS, total };
  }
  for (const table of tables) {
    let batch = await deleteBatch(scope, table, undefined);
    for (; batch; batch = await deleteBatch(scope, table, batch.last)) {
      yield { name: table.name, total: batch.total };
    }
  }
}

const withoutEmpty = (rows: ReadonlyMap<string, number>): RowCounts =>
  Object.fromEntries([...rows].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1)));

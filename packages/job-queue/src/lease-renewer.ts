import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Log } from '@outreach/logging';
import { type Sql, sql } from '@outreach/sql-fragments';
import { TenantDatabase } from '@outreach/database';

/** The owner of this process's leases. */
export const WORKER = randomUUID();

/** How long a lease is valid after its last renewal. */
export const LEASE_SECONDS = 20;

const RENEWAL_INTERVAL_MS = (LEASE_SECONDS * 1000) / 4;

/** After a renewal that has failed. Other workers may judge the leases soon after the database is available again. */
const RETRY_INTERVAL_MS = 1_000;

type Within = (tenantId: Sql) => Sql;

/**
 * Renews the leases of this process while it runs, so that others do not take a slow worker for a dead one. When the
 * process dies, its leases expire within seconds. An expired lease may be renewed until another process takes it, which
 * changes `leased_by`.
 */
@Injectable()
export abstract class LeaseRenewer implements OnApplicationBootstrap, OnApplicationShutdown {
  /** The records, and when each lease was acquired or renewed for the last time, as `performance.now()`. */
  private readonly leased = new Map<number, number>();
  private timer: NodeJS.Timeout | undefined;
  private isClosing = false;

  constructor(
    private readonly database: TenantDatabase,
    private readonly log: Log,
  ) {}

  /** The records whose leases are renewed. */
  get ids(): number[] {
    return [...this.leased.keys()];
  }

  /**
   * @param within a further condition, which begins with `AND`, on the tenant whose ID an SQL expression returns
   * @returns an UPDATE that extends the leases of {@link WORKER} on these records to {@link LEASE_SECONDS} from now
   */
  protected abstract renewal(ids: readonly number[], within: Within): Sql;

  /** Renews the lease on this record from now on. */
  acquire(id: number): void {
    this.leased.set(id, performance.now());
  }

  /** Stops renewing the lease on this record. */
  release(id: number): void {
    this.leased.delete(id);
  }

  onApplicationBootstrap(): void {
    this.schedule(RENEWAL_INTERVAL_MS);
  }

  /** Last, because the drains that are running until then need their leases. */
  onApplicationShutdown(): void {
    this.isClosing = true;
    clearTimeout(this.timer);
  }

  /**
   * Renews the leases that are older than a few seconds: most records are released before. A process that judges the leases
   * of others calls it first, because it may have stalled.
   */
  async renewOld(): Promise<void> {
    const now = performance.now();
    const old = this.ids.filter((id) => now - (this.leased.get(id) ?? now) >= RENEWAL_INTERVAL_MS);
    if (old.length === 0) return;
    const database = this.database.withoutTimeLimits();
    await database.onReachableNodes((within) => database.execute(this.renewal(old, within)));
    for (const id of old) if (this.leased.has(id)) this.leased.set(id, now);
  }

  private schedule(milliseconds: number): void {
    if (!this.isClosing) this.timer = setTimeout(() => void this.renewRegularly(), milliseconds);
  }

  /** Never rejects. */
  private async renewRegularly(): Promise<void> {
    try {
      await this.renewOld();
      this.schedule(RENEWAL_INTERVAL_MS);
    } catch (error) {
      this.log.warn('cannot renew leases', { error });
      this.schedule(RETRY_INTERVAL_MS);
    }
  }
}

/**
 * The {@link LeaseRenewer.renewal} of rows with `leased_by` and `lease_until`. Locks them by ID, as statements that record
 * results do, to prevent deadlocks.
 * @param columns those of the primary key
 */
export function renewRows(
  table: string,
  columns: { readonly tenant: string; readonly id: string },
  ids: readonly number[],
  within: Within,
): Sql {
  const [rows, tenant, key] = [sql.ref(table), sql.ref(columns.tenant), sql.ref(columns.id)];
  const extended = sql`lease_until = ${sql.realNow} + make_interval(secs => ${LEASE_SECONDS})`;
  const own = sql`leased_by = ${WORKER} AND ${key} = ANY(${[...ids]}::bigint[])${within(tenant)}`;
  return sql.byEngine(
    sql`WITH locked AS MATERIALIZED (
      SELECT ${tenant}, ${key} FROM ${rows} WHERE ${own} ORDER BY ${key} FOR NO KEY UPDATE
    )
    UPDATE ${rows} record SET ${extended}
    FROM locked WHERE record.${tenant} = locked.${tenant} AND record.${key} = locked.${key}`,
    // Locks over all tenants are refused there. A deadlock ends one of two statements, which is repeated.
    sql`UPDATE ${rows} SET ${extended} WHERE ${own}`,
  );
}

import { LRUCache } from 'lru-cache';
import { type Sql, sql } from '../database/index.js';
import { LimitReached } from '../errors/index.js';
import type { WorkspaceScope } from '../tenancy/index.js';
import type { LimitName, Limits } from './limits.settings.js';

/** What an error message calls the records whose limit is not named like them. */
const NOUNS: Readonly<Partial<Record<LimitName, string>>> = {
  steps_per_campaign: 'steps in a campaign',
  blacklist_entries_per_day: 'new blacklist entries a day',
};

const nounOf = (name: LimitName): string => NOUNS[name] ?? name.replaceAll('_', ' ');

/**
 * A workspace with a larger distance from a limit cannot reach it within seconds, whatever other transactions insert at
 * the same time. The largest import has 1.4 million rows.
 */
const SAFE_DISTANCE = 2000;
const SAFE_DISTANCES: Readonly<Partial<Record<LimitName, number>>> = {
  contacts: 2_000_000,
  blacklist_entries_per_day: Infinity,
};

const SAFE_FOR_MS = 5000;
const MAX_CACHED = 10_000;

/**
 * The limits of a workspace's records. A check comes after the statement that inserts records, at the end of the same
 * transaction, which is rolled back if they are too many.
 */
export class WorkspaceLimits {
  /** Workspaces that are far from a limit. */
  private readonly safe = new LRUCache<string, true>({ max: MAX_CACHED, ttl: SAFE_FOR_MS });

  constructor(readonly values: Limits) {}

  /**
   * @param rows a statement that returns one row for each record of the kind; it reads no more than the limit
   * @throws LimitReached if the workspace has more records than the limit
   */
  check(tx: WorkspaceScope, name: LimitName, rows: Sql): Promise<void> {
    return this.checkTotal(tx, name, sql`SELECT count(*) FROM (${rows} LIMIT ${this.values[name] + 1}) record`);
  }

  /** @param total a statement that returns the number of records. @throws LimitReached */
  async checkTotal(tx: WorkspaceScope, name: LimitName, total: Sql): Promise<void> {
    const key = `${name} ${tx.workspace_id}`;
    if (this.safe.has(key)) return;
    const safeDistance = SAFE_DISTANCES[name] ?? SAFE_DISTANCE;
    if (this.values[name] - (await numberOf(tx, total)) > safeDistance) {
      this.safe.set(key, true);
      return;
    }
    this.assertWithin(name, await lockedNumberOf(tx, name, total));
  }

  /**
   * For records that are stored also beyond the limit, but in another way. It comes before they are inserted: near the limit it
   * locks the total, and several nodes would end in a deadlock if one waited there that has inserted some.
   * @param total a statement that returns the number of records
   * @returns how many more are within the limit
   */
  async lockRemaining(tx: WorkspaceScope, name: LimitName, total: Sql): Promise<number> {
    const limit = this.values[name];
    if (limit - (await numberOf(tx, total)) > SAFE_DISTANCE) return Infinity;
    return Math.max(0, limit - (await lockedNumberOf(tx, name, total)));
  }

  /** @throws LimitReached if the number of records is above the limit */
  assertWithin(name: LimitName, total: number): void {
    if (total > this.values[name]) throw new LimitReached(this.values[name], nounOf(name));
  }
}

/** Locks the total until the transaction ends, so that it contains what the transactions before have inserted. */
async function lockedNumberOf(tx: WorkspaceScope, name: LimitName, total: Sql): Promise<number> {
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`limit ${name}`}, ${tx}))`);
  return numberOf(tx, total);
}

async function numberOf(tx: WorkspaceScope, total: Sql): Promise<number> {
  const [row] = await tx.query<{ total: number }>(sql`SELECT (${total}) AS total`);
  return row?.total ?? 0;
}

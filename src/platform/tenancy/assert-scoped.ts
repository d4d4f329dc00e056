import { unscopedTables } from '@outreach/statement-check';
import { LRUCache } from 'lru-cache';
import type { EntityMetadata } from 'typeorm';

const TENANT_COLUMN = 'workspace_id';

/**
 * The number of statements whose check is cached. The service has about five hundred, and some more for each kind of
 * segment.
 */
const MAX_STATEMENTS = 5000;

/** The accepted texts, and the numbers of the parameters that were the scope's workspace. */
const accepted = new LRUCache<string, string>({ max: MAX_STATEMENTS });

const tenantTables = new WeakMap<readonly EntityMetadata[], ReadonlySet<string>>();

/**
 * Checks a statement, each text once.
 * @param scope the numbers of the parameters whose value is the scope's workspace
 * @throws Error if the statement uses a tenants' table without comparing its `workspace_id` with the scope
 */
export function assertScoped(text: string, scope: readonly number[], entities: readonly EntityMetadata[]): void {
  const positions = scope.join();
  if (accepted.get(text) === positions) return;
  const tenants = { tenantTables: tenantTablesOf(entities), tenantColumn: TENANT_COLUMN };
  const [table] = unscopedTables({ text, scope, ...tenants });
  if (table !== undefined) {
    throw new Error(
      `This SQL uses ${table} without its workspace: compare its workspace_id with \${scope}, ` +
        'or write ${scope.crossTenant} before it.',
    );
  }
  accepted.set(text, positions);
}

/** @returns the tables that have a `workspace_id` */
function tenantTablesOf(entities: readonly EntityMetadata[]): ReadonlySet<string> {
  const known = tenantTables.get(entities);
  if (known) return known;
  const owned = entities.filter((entity) => entity.findColumnWithPropertyName(TENANT_COLUMN));
  const tables = new Set(owned.map(({ tableName }) => tableName));
  tenantTables.set(entities, tables);
  return tables;
}

import type { QueryResultRow } from 'pg';
import type { TenantDatabase } from './tenant-database.js';
import { type Sql, sql } from '@outreach/sql-fragments';

/**
 * Yields the rows of a statement in batches, of which only one is in memory. One statement is read like this at a time.
 * @throws Error outside of a transaction
 */
export async function* batches<Row extends QueryResultRow>(
  tx: TenantDatabase,
  statement: Sql,
  size: number,
): AsyncGenerator<Row[]> {
  if (!tx.isInTransaction) throw new Error('A cursor needs an open transaction.');
  await tx.execute(sql`DECLARE batches NO SCROLL CURSOR FOR ${statement}`);
  for (;;) {
    const rows = await tx.query<Row>(sql`FETCH ${sql.integer(size)} FROM batches`);
    if (rows.length > 0) yield rows;
    if (rows.length < size) break;
  }
  await tx.execute(sql`CLOSE batches`);
}

/**
 * Runs `work` in the open transaction, and then undoes everything that it has written.
 * @throws Error outside of a transaction
 */
export async function undoing<R>(tx: TenantDatabase, work: () => Promise<R>): Promise<R> {
  if (!tx.isInTransaction) throw new Error('Only a part of an open transaction can be undone.');
  await tx.execute(sql`SAVEPOINT before_undone`);
  const result = await work();
  await tx.execute(sql`ROLLBACK TO SAVEPOINT before_undone`);
  return result;
}

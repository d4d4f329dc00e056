import { type Sql, sql } from './sql.js';

/** SQL of the transaction ID (64 bits, a bigint) after the highest one whose transaction has ended: the xmax of a snapshot. */
export const snapshotXmax: Sql = sql`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;

/** SQL of an ID with 64 bits. @param id one with 32 bits, as in `pg_locks`, less than 2^31 away from {@link snapshotXmax} */
const withAllBits = (id: Sql): Sql => sql`(
  ${snapshotXmax} + ((${id}::text::bigint - ${snapshotXmax} + 2147483648) & 4294967295) - 2147483648)`;

/**
 * SQL of the transactions of this database that may have written and have not ended, as tables `lock`, `session` and
 * `prepared`. Every transaction with an ID holds a lock on it until it has ended. Any role sees these locks, and the
 * databases of their sessions and of prepared transactions. (The xmin of a snapshot is that of all databases of the server.)
 */
const openTransactions: Sql = sql`pg_locks lock
  LEFT JOIN pg_stat_activity session ON session.pid = lock.pid
  LEFT JOIN pg_prepared_xacts prepared ON prepared.transaction = lock.transactionid
  WHERE lock.locktype = 'transactionid' AND lock.granted AND lock.mode = 'ExclusiveLock'
    AND coalesce(session.datname, prepared.database, current_database()) = current_database()`;

/**
 * SQL of the oldest transaction ID (a bigint) whose transaction may be open in this database: all before it have ended, and
 * a later statement sees what they have written.
 */
export const oldestOpenTransaction: Sql = sql`(
  SELECT coalesce(min(${withAllBits(sql`lock.transactionid`)}), ${snapshotXmax}) FROM ${openTransactions})`;

/**
 * SQL of the instant (a timestamptz) at which the oldest transaction that may have written in this database began: what
 * began before it has ended. `infinity` if there is none, `-infinity` while there is a prepared one, or one of a role whose
 * sessions this role may not see.
 */
export const oldestOpenTransactionStart: Sql = sql`(
  SELECT coalesce(min(coalesce(session.xact_start, '-infinity')), 'infinity') FROM ${openTransactions})`;

import { type Sql, sql } from './sql.js';

/** SQL of the first transaction ID (64 bits, a bigint) whose transaction has not been seen to end. */
export const nextTransaction: Sql = sql`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;

/** SQL of an ID with 64 bits. @param id one with 32 bits, as in `pg_locks`, less than 2^31 away from the next one */
const withAllBits = (id: Sql): Sql => sql`(
  ${nextTransaction} + ((${id}::text::bigint - ${nextTransaction} + 2147483648) & 4294967295) - 2147483648)`;

/**
 * SQL of the oldest transaction ID (a bigint) whose transaction may be open in this database: all before it have ended, and
 * a later statement sees what they have written. Every transaction with an ID holds a lock on it until it has ended; any
 * role sees these locks and the databases of their sessions, and a prepared transaction has no session. (The xmin of a
 * snapshot is that of all databases of the server.)
 */
export const oldestOpenTransaction: Sql = sql`(
  SELECT coalesce(min(${withAllBits(sql`held.transactionid`)}), ${nextTransaction}) FROM pg_locks held
  LEFT JOIN pg_stat_activity session ON session.pid = held.pid
  WHERE held.locktype = 'transactionid' AND held.granted AND held.mode = 'ExclusiveLock'
    AND (session.datname IS NULL OR session.datname = current_database()))`;

import type { QueryRunner } from 'typeorm';

const SETTINGS = [
  // A trigger of ours writes to the shards beside its own, which are on the same node.
  ['citus.enable_unsafe_triggers', 'on'],
  // Otherwise a new table that refers to a reference table is no longer placed by us, and may not refer to distributed ones.
  ['citus.enable_local_reference_table_foreign_keys', 'off'],
  // What changes tables, triggers and functions in one transaction uses one connection to each node.
  ['citus.multi_shard_modify_mode', 'sequential'],
] as const;

/** Runs DDL in a session that may create on several nodes what the schema has. */
export async function withDdlOnNodes<R>(session: QueryRunner, work: () => Promise<R>): Promise<R> {
  for (const [name, value] of SETTINGS) await session.query(`SET ${name} = ${value}`);
  const result = await work();
  for (const [name] of SETTINGS) await session.query(`RESET ${name}`);
  return result;
}

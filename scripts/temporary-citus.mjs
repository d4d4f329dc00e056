// Starts a Citus of a coordinator and two nodes on loopback, if the PostgreSQL of the operating system has the extension.
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { debianPostgres, startTemporaryPostgres } from './temporary-postgres.mjs';

const SERVERS = 3;
const SETTINGS = [
  'shared_preload_libraries=citus',
  'max_prepared_transactions=600',
  // Each test database is one more copy of all tables: with few shards these stay small.
  'citus.shard_count=4',
  'citus.node_conninfo=sslmode=disable',
  'citus.enable_statistics_collection=off',
];

/** @returns the folder of PostgreSQL's programs, if its version has the extension */
export function citusPostgres() {
  const programs = debianPostgres();
  const version = programs && basename(dirname(programs));
  return existsSync(`/usr/share/postgresql/${version}/extension/citus.control`) ? programs : undefined;
}

/**
 * @param {string} programs
 * @param {readonly string[]} [settings] further ones, as `name=value`
 * @returns the coordinator and the nodes, their URLs, without a database that is distributed, and what ends them
 */
export async function startTemporaryCitus(programs, settings = []) {
  const servers = [];
  for (let number = 0; number < SERVERS; number += 1)
    servers.push(await startTemporaryPostgres(programs, { settings: [...SETTINGS, ...settings], auth: 'trust' }));
  return {
    servers,
    urls: servers.map(({ url }) => url),
    stop: async () => {
      for (const server of servers) await server.stop();
    },
  };
}

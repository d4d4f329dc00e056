import pg from 'pg';
import { parseDatabaseAddress } from './database-address.js';
import { failoverClient } from './failover-client.js';
import { checkNewConnection, ignoreConnectionErrors } from './lost-connections.js';
import { PrimaryFinder } from './primary-finder.js';

/** How long a connection may take to open. */
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * How long each of several servers may take for a login or a statement, so that one that has vanished leaves time for the others.
 */
const SERVER_TIMEOUT_MS = 3_000;

/**
 * How long a connection is idle before the operating system asks whether its other end still exists. Node lets it ask ten
 * times in ten seconds, so a server that has vanished is noticed after fifteen seconds.
 */
const KEEP_ALIVE_DELAY_MS = 5_000;

/**
 * A `date` is read as the text `YYYY-MM-DD`: a `Date` would be an instant, and several nodes refuse `date::text` in `RETURNING`.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format): unknown => (id === pg.types.builtins.DATE ? String : pg.types.getTypeParser(id, format)),
};

/**
 * Returns the options of every pool: timeouts, keep-alive and, for a connection string with several hosts or with
 * `target_session_attrs`, a client that connects to the server that accepts writes.
 */
export function connectionOptions(url: string): pg.PoolConfig {
  const { servers, mustAcceptWrites, hostlessUrl } = parseDatabaseAddress(url);
  const options = {
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    onConnect: checkNewConnection,
    types,
  };
  if (!mustAcceptWrites) return { ...options, connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  const server = { connectionString: hostlessUrl, connectionTimeoutMillis: SERVER_TIMEOUT_MS };
  const finder = new PrimaryFinder(servers, { ...server, query_timeout: SERVER_TIMEOUT_MS });
  return {
    ...options,
    connectionString: hostlessUrl,
    Client: failoverClient(finder, SERVER_TIMEOUT_MS),
    // Of the search, i.e. a login and a statement for each server, and of the connection, with some time in reserve.
    connectionTimeoutMillis: 2 * (servers.length + 1) * SERVER_TIMEOUT_MS,
  };
}

/**
 * Returns a client that is not connected, with the {@link connectionOptions} of a connection string. It ignores errors while no
 * statement runs: the next statement fails.
 */
export function newClient(url: string, config: pg.ClientConfig = {}): pg.Client {
  const { Client = pg.Client, ...options } = connectionOptions(url);
  const client = new (Client as typeof pg.Client)({ ...options, ...config });
  ignoreConnectionErrors(client);
  return client;
}

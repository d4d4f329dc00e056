import pg from 'pg';
import { type DatabaseServer, describeServer } from './database-address.js';
import { ignoreConnectionErrors } from './lost-connections.js';

/** Finds the server that accepts writes among several, as libpq does with `target_session_attrs=read-write`. */
export class PrimaryFinder {
  private last: DatabaseServer | undefined;
  private searching: Promise<DatabaseServer> | undefined;

  /** @param config how to connect to any of the servers, with time limits, without host and port */
  constructor(
    private readonly servers: readonly DatabaseServer[],
    private readonly config: pg.ClientConfig,
  ) {}

  /**
   * Tries the server that was found last, then the others in their order. Concurrent calls share one search.
   * @throws Error with the reason of each server, if none accepts writes
   */
  find(): Promise<DatabaseServer> {
    this.searching ??= this.search().finally(() => (this.searching = undefined));
    return this.searching;
  }

  private async search(): Promise<DatabaseServer> {
    const { last } = this;
    const reasons: string[] = [];
    for (const server of last ? [last, ...this.servers.filter((other) => other !== last)] : this.servers) {
      const reason = await this.refusalOf(server);
      if (reason === undefined) return (this.last = server);
      reasons.push(`${describeServer(server)}: ${reason}`);
    }
    throw new Error(`no server accepts writes (${reasons.join('; ')})`);
  }

  /** @returns why the server cannot be used */
  private async refusalOf({ host, port }: DatabaseServer): Promise<string | undefined> {
    const client = new pg.Client(this.config);
    ignoreConnectionErrors(client);
    Object.assign(client, { host, port });
    try {
      await client.connect();
      // A standby, and a primary that is closed to writes with `default_transaction_read_only`.
      const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
      return rows[0]?.transaction_read_only === 'off' ? undefined : 'it is read-only';
    } catch (error) {
      return error instanceof Error ? reasonOf(error) : String(error);
    } finally {
      // A server that hangs may not end it.
      void client.end().catch(() => undefined);
    }
  }
}

/** The message of a connection to a name with several addresses is empty; those of its addresses are not. */
const reasonOf = (error: Error): string =>
  error.message || (error instanceof AggregateError ? error.errors.map(String).join(', ') : error.name);

import pg from 'pg';
import type { PrimaryFinder } from './primary-finder.js';

type Callback = (error: Error | null, client?: pg.Client) => void;

/** Returns a class of clients that look for the server that accepts writes before they connect. */
export const failoverClient = (finder: PrimaryFinder, timeoutMs: number): typeof pg.Client =>
  class FailoverClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      // The timeout of a pool includes the search.
      super({ ...config, connectionTimeoutMillis: timeoutMs });
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Callback): void;
    override connect(callback?: Callback): Promise<pg.Client> | void {
      const connected = this.find().then(() => super.connect());
      if (!callback) return connected;
      connected.then(
        (client) => callback(null, client),
        (error: Error) => callback(error),
      );
    }

    private async find(): Promise<void> {
      ({ host: this.host, port: this.port } = await finder.find());
    }
  };

import type { HttpsConnection } from './https-connection.js';

const MAX_IDLE_CONNECTIONS = 500;

/** Connections that wait for the next request to their origin; a few hundred altogether, for any number of origins. */
export class IdleConnections {
  /** The one that waits longest is first. */
  readonly #oldestFirst = new Set<HttpsConnection>();
  /** The last is taken first, so that those which are not needed run into the end of their time. */
  readonly #byOrigin = new Map<string, HttpsConnection[]>();

  /** @param lifetimeMs milliseconds after which a connection is not used again, so that a change in DNS takes effect */
  constructor(private readonly lifetimeMs: number) {}

  /** The one that was used last, which is kept no more. */
  take(origin: string): HttpsConnection | undefined {
    for (;;) {
      const connection = this.#byOrigin.get(origin)?.at(-1);
      if (connection === undefined) return undefined;
      this.#remove(connection);
      if (connection.isOpen && this.#isYoung(connection)) return connection;
      connection.destroy();
    }
  }

  /** Keeps a connection until it is taken, closed by either side, or pushed out by younger ones. */
  add(connection: HttpsConnection): void {
    if (!connection.isOpen) return;
    if (!this.#isYoung(connection)) return connection.destroy();
    this.#oldestFirst.add(connection);
    this.#byOrigin.set(connection.origin, [...(this.#byOrigin.get(connection.origin) ?? []), connection]);
    const [oldest] = this.#oldestFirst;
    if (oldest && this.#oldestFirst.size > MAX_IDLE_CONNECTIONS) this.#evict(oldest);
  }

  /** A connection that was closed is not held any more. */
  removeOnClose(connection: HttpsConnection): HttpsConnection {
    connection.onClosed(() => this.#remove(connection));
    return connection;
  }

  clear(): void {
    for (const connection of this.#oldestFirst) this.#evict(connection);
  }

  #isYoung(connection: HttpsConnection): boolean {
    return performance.now() - connection.openedAt < this.lifetimeMs;
  }

  #evict(connection: HttpsConnection): void {
    this.#remove(connection);
    connection.destroy();
  }

  #remove(connection: HttpsConnection): void {
    if (!this.#oldestFirst.delete(connection)) return;
    const others = this.#byOrigin.get(connection.origin)?.filter((other) => other !== connection) ?? [];
    if (others.length > 0) this.#byOrigin.set(connection.origin, others);
    else this.#byOrigin.delete(connection.origin);
  }
}

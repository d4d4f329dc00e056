import type { HttpsConnection } from './https-connection.js';

const MAX_IDLE_CONNECTIONS = 500;

/** Connections that wait for the next request to their origin; a few hundred altogether, for any number of origins. */
export class IdleConnections {
  /** The one that waits longest is first. */
  readonly #waiting = new Set<HttpsConnection>();
  /** The last is taken first, so that those which are not needed run into the end of their time. */
  readonly #byOrigin = new Map<string, HttpsConnection[]>();

  /** @param lifetimeMs milliseconds after which a connection is not used again, so that a change in DNS takes effect */
  constructor(private readonly lifetimeMs: number) {}

  /** The one that was used last, which is kept no more. */
  take(origin: string): HttpsConnection | undefined {
    for (;;) {
      const connection = this.#byOrigin.get(origin)?.at(-1);
      if (connection === undefined) return undefined;
      this.#forget(connection);
      if (connection.isOpen && this.#isYoung(connection)) return connection;
      connection.destroy();
    }
  }

  /** Keeps a connection until it is taken, closed by either side, or pushed out by younger ones. */
  keep(connection: HttpsConnection): void {
    if (!connection.isOpen) return;
    if (!this.#isYoung(connection)) return connection.destroy();
    this.#waiting.add(connection);
    this.#byOrigin.set(connection.origin, [...(this.#byOrigin.get(connection.origin) ?? []), connection]);
    const [oldest] = this.#waiting;
    if (oldest && this.#waiting.size > MAX_IDLE_CONNECTIONS) this.#drop(oldest);
  }

  /** A connection that was closed is not held any more. */
  watch(connection: HttpsConnection): HttpsConnection {
    connection.onClosed(() => this.#forget(connection));
    return connection;
  }

  clear(): void {
    for (const connection of this.#waiting) this.#drop(connection);
  }

  #isYoung(connection: HttpsConnection): boolean {
    return performance.now() - connection.openedAt < this.lifetimeMs;
  }

  #drop(connection: HttpsConnection): void {
    this.#forget(connection);
    connection.destroy();
  }

  #forget(connection: HttpsConnection): void {
    if (!this.#waiting.delete(connection)) return;
    const others = this.#byOrigin.get(connection.origin)?.filter((other) => other !== connection) ?? [];
    if (others.length > 0) this.#byOrigin.set(connection.origin, others);
    else this.#byOrigin.delete(connection.origin);
  }
}

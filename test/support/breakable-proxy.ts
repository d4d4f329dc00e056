import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';

/** `ReadyForQuery`, after which a connection to PostgreSQL can be used. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', '', ''].join(
  '\0',
);
const length = Buffer.alloc(4);
length.writeInt32BE(4 + fields.length);
/** What PostgreSQL sends when it ends a connection. */
const TERMINATED = Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)]);

/** A TCP proxy whose connections a test can break and restore. */
export class BreakableProxy {
  /** Connections that were closed immediately because the proxy was broken. */
  refusedConnections = 0;
  /**
   * Whether connections to PostgreSQL end at the moment at which they become usable: the last bytes of the login and the
   * error of the termination arrive together.
   */
  isEndingLogins = false;
  /** Connections that were ended because of {@link isEndingLogins}. */
  endedLogins = 0;
  /** Whether connections to PostgreSQL get no responses as soon as they are usable. */
  isSilentAfterLogins = false;
  private readonly sockets = new Set<Socket>();
  private isBroken = false;
  private isHanging = false;
  private upstream: URL;
  private readonly server: Server;

  private constructor(to: URL) {
    this.upstream = to;
    this.server = createServer((client) => {
      this.watch(client);
      if (this.isBroken) return this.refuse(client);
      if (this.isHanging) return;
      const upstream = this.watch(createConnection(Number(this.upstream.port), this.upstream.hostname));
      client.pipe(upstream);
      upstream.on('data', (bytes: Buffer) => this.endLogin(bytes, client, upstream)).pipe(client);
      client.once('close', () => upstream.destroy());
      upstream.once('close', () => client.destroy());
    });
  }

  /** Starts a proxy to the host and port of `url`. */
  static async to(url: string): Promise<BreakableProxy> {
    const proxy = new BreakableProxy(new URL(url));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** Returns `url` with the host and port of the proxy. */
  urlThrough(url: string): string {
    const through = new URL(url);
    through.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return through.href;
  }

  /** Lets new connections lead to the host and port of another URL, as DNS does after a failover. Open ones stay. */
  redirect(url: string): void {
    this.upstream = new URL(url);
  }

  /** Closes all connections, and every new one immediately. */
  break(): void {
    this.isBroken = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /** Passes on no more bytes, and none of new connections, like a server that is stopped by SIGSTOP. */
  hang(): void {
    this.isHanging = true;
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** Passes on no more bytes, and accepts no new connections, like a host that is gone. There is no way back. */
  vanish(): void {
    this.hang();
    this.server.close();
  }

  /** Connections that hang are closed. */
  restore(): void {
    if (this.isHanging) for (const socket of this.sockets) socket.destroy();
    this.isBroken = false;
    this.isHanging = false;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.break();
    await closed;
  }

  private endLogin(bytes: Buffer, client: Socket, upstream: Socket): void {
    if (!bytes.includes(READY)) return;
    if (this.isSilentAfterLogins) client.unpipe(upstream);
    if (!this.isEndingLogins) return;
    this.endedLogins += 1;
    upstream.unpipe(client);
    client.end(Buffer.concat([bytes, TERMINATED]), () => upstream.destroy());
  }

  private refuse(socket: Socket): void {
    this.refusedConnections += 1;
    socket.destroy();
  }

  private watch(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => undefined);
    return socket;
  }
}

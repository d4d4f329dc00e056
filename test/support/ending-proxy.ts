import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';

/** `ReadyForQuery`, after which a connection can be used. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', '', ''].join(
  '\0',
);
const length = Buffer.alloc(4);
length.writeInt32BE(4 + fields.length);
/** What PostgreSQL sends when it ends a connection. */
const TERMINATED = Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)]);

/**
 * A TCP proxy to PostgreSQL that ends connections at the moment at which they become usable: the last bytes of the login
 * and the error of the termination arrive together.
 */
export class EndingProxy {
  /** Connections that were ended. */
  ended = 0;
  isEnding = false;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(to: URL) {
    this.server = createServer((client) => {
      const upstream = this.watch(createConnection(Number(to.port), to.hostname));
      this.watch(client).pipe(upstream);
      upstream.on('data', (bytes) => this.forward(bytes, client, upstream));
      client.once('close', () => upstream.destroy());
      upstream.once('close', () => client.end());
    });
  }

  /** Starts a proxy to the host and port of `url`. */
  static async to(url: string): Promise<EndingProxy> {
    const proxy = new EndingProxy(new URL(url));
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

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private forward(bytes: Buffer, client: Socket, upstream: Socket): void {
    if (!this.isEnding || !bytes.includes(READY)) return void client.write(bytes);
    this.ended += 1;
    client.end(Buffer.concat([bytes, TERMINATED]));
    upstream.destroy();
  }

  private watch(socket: Socket): Socket {
    this.sockets.add(socket);
    return socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
  }
}

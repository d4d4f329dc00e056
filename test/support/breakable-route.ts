import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';

/** A way to a server that can be broken and mended while processes use it. */
export class BreakableRoute {
  /** Connections that were cut at once, because it was broken. */
  refused = 0;
  private readonly sockets = new Set<Socket>();
  private isBroken = false;
  private readonly server: Server;

  private constructor(to: URL) {
    this.server = createServer((near) => {
      this.watch(near);
      if (this.isBroken) return this.refuse(near);
      const far = this.watch(createConnection(Number(to.port), to.hostname));
      near.pipe(far).pipe(near);
      near.once('close', () => far.destroy());
      far.once('close', () => near.destroy());
    });
  }

  /** @param url where it leads */
  static async to(url: string): Promise<BreakableRoute> {
    const route = new BreakableRoute(new URL(url));
    route.server.listen(0, '127.0.0.1');
    await once(route.server, 'listening');
    return route;
  }

  /** The URL by which one goes this way. */
  leading(url: string): string {
    const through = new URL(url);
    through.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return through.href;
  }

  /** Cuts all connections, and every new one. */
  break(): void {
    this.isBroken = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isBroken = false;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.break();
    await closed;
  }

  private refuse(socket: Socket): void {
    this.refused += 1;
    socket.destroy();
  }

  private watch(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => undefined);
    return socket;
  }
}

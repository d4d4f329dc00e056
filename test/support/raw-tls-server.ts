import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { pem } from './tls-files.js';

/** PEM of the authority behind the usual certificate, which is for `localhost`, `127.0.0.1` and `::1`. */
export const serverAuthority = pem('ca.pem');

/** PEM of a certificate for the same hosts that signed itself. */
export const selfSignedCertificate = pem('self-signed.pem');

/** PEM of one that did so and expired in 2021. */
export const expiredCertificate = pem('expired.pem');

/** A request, as far as it had come when its headers were there. */
export interface RawRequest {
  /** The connection that it came on, counted from 1. */
  readonly connection: number;
  /** All of the requests so far, with this one. */
  readonly request: number;
  /** The name that the client asked the certificate for (SNI), false without one. */
  readonly servername: string | false | null;
}

/** What is done with a request: anything may be written, in any pieces, at any time. */
export type RequestHandler = (socket: TLSSocket, request: RawRequest) => void;

/** `HTTP/1.1 200 OK` with a body of its announced length, and the connection kept. */
export const ok = (body = 'ok'): string =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** A TLS server on loopback for what no HTTP server would say. */
export class RawTlsServer {
  readonly requests: RawRequest[] = [];
  /** TLS connections so far. */
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<TLSSocket>();

  private constructor(
    private readonly handler: RequestHandler,
    cert: string,
  ) {
    this.#server = createServer({ key: pem('server.key'), cert }, (socket) => this.#accept(socket));
    // A client that does not like the certificate, or hangs up, is no fault of the server's.
    this.#server.on('tlsClientError', () => undefined);
  }

  /** @param options.host 127.0.0.1 unless given */
  static async start(
    handler: RequestHandler,
    { host = '127.0.0.1', cert = pem('server.pem') } = {},
  ): Promise<RawTlsServer> {
    const server = new RawTlsServer(handler, cert);
    server.#server.listen(0, host);
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Says goodbye on all connections. */
  endAll(): void {
    for (const socket of this.#sockets) socket.end();
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #accept(socket: TLSSocket): void {
    const connection = ++this.connections;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      // Header lines and body are written at once, so that each request is recognised by its first line.
      if (!bytes.toString('latin1').startsWith('POST ')) return;
      const { servername } = socket as TLSSocket & { servername: string | false | null };
      const request = { connection, request: this.requests.length + 1, servername };
      this.requests.push(request);
      this.handler(socket, request);
    });
  }
}

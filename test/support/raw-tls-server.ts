import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { pem } from './tls-files.js';

/** PEM of the authority of the default certificate, which is for `localhost`, `127.0.0.1` and `::1`. */
export const serverAuthority = pem('ca.pem');

/** PEM of a self-signed certificate for the same hosts. */
export const selfSignedCertificate = pem('self-signed.pem');

/** PEM of a self-signed certificate that expired in 2021. */
export const expiredCertificate = pem('expired.pem');

/** A request after its headers have arrived. */
export interface RawRequest {
  /** The number of the connection, from 1. */
  readonly connection: number;
  /** The number of the request, from 1. */
  readonly request: number;
  /** The server name that the client requested (SNI), false without one. */
  readonly servername: string | false | null;
}

/** Handles a request. It may write any bytes at any time. */
export type RequestHandler = (socket: TLSSocket, request: RawRequest) => void;

/** `HTTP/1.1 200 OK` with a body and its Content-Length; the connection stays open. */
export const ok = (body = 'ok'): string =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** A TLS server on loopback for responses that an HTTP server would not send. */
export class RawTlsServer {
  readonly requests: RawRequest[] = [];
  /** The number of TLS connections so far. */
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<TLSSocket>();

  private constructor(
    private readonly handler: RequestHandler,
    cert: string,
  ) {
    this.#server = createServer({ key: pem('server.key'), cert }, (socket) => this.#accept(socket));
    // Clients may reject the certificate or close the connection.
    this.#server.on('tlsClientError', () => undefined);
  }

  /** @param options.host 127.0.0.1 by default */
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

  /** The number of open connections. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Ends all connections. */
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
      // Clients write headers and body together, so a chunk that starts with a request line is a request.
      if (!bytes.toString('latin1').startsWith('POST ')) return;
      const { servername } = socket as TLSSocket & { servername: string | false | null };
      const request = { connection, request: this.requests.length + 1, servername };
      this.requests.push(request);
      this.handler(socket, request);
    });
  }
}

import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What the proxy does with a request instead of passing it on. */
export type Failure =
  | { readonly status: number; readonly headers?: OutgoingHttpHeaders }
  /** The service does not get the request. */
  | 'reset'
  /** The service carries the request out, and the client does not get the response. */
  | 'lose-response'
  /** The client gets the first bytes of the response's body. */
  | 'cut-response'
  /** No response until the client gives up. */
  | 'silence';

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly at: number;
}

/** An HTTP proxy on loopback in front of the service, with failures that a test plans. */
export class FaultyHttpProxy {
  readonly requests: SeenRequest[] = [];
  /** What happens to the next requests; the others are passed on. */
  readonly failures: Failure[] = [];
  /** Headers of every response that is passed on, over those of the service. */
  responseHeaders: Record<string, string> = {};
  private readonly server = createServer((request, response) => {
    this.handle(request, response).catch(() => request.socket.destroy());
  });

  private constructor(private readonly target: () => string) {}

  /** @param target the URL of the service */
  static async start(target: () => string): Promise<FaultyHttpProxy> {
    const proxy = new FaultyHttpProxy(target);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Forgets what it has seen and what it was asked to do. */
  reset(): void {
    this.requests.length = 0;
    this.failures.length = 0;
    this.responseHeaders = {};
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const body = await buffer(request);
    this.requests.push({ method, path, headers, body, at: Date.now() });
    const failure = this.failures.shift();
    if (failure === 'silence') return;
    if (failure === 'reset') return void request.socket.destroy();
    if (typeof failure === 'object') return void response.writeHead(failure.status, failure.headers).end();
    const { status, headers: received, bytes } = await this.pass(method, path, headers, body);
    if (failure === 'lose-response') return void request.socket.destroy();
    if (failure === 'cut-response') {
      response.writeHead(status, { ...received, 'content-length': bytes.length });
      return void response.write(bytes.subarray(0, 10), () => request.socket.destroy());
    }
    response.writeHead(status, { ...received, ...this.responseHeaders }).end(bytes);
  }

  private async pass(method: string, path: string, headers: IncomingHttpHeaders, body: Buffer) {
    const {
      host: _host,
      connection: _connection,
      'content-length': _length,
      'transfer-encoding': _coding,
      ...rest
    } = headers;
    const response = await fetch(`${this.target()}${path}`, {
      method,
      headers: rest as Record<string, string>,
      ...(body.length > 0 ? { body } : {}),
    });
    const {
      'transfer-encoding': _chunked,
      'content-encoding': _encoding,
      'content-length': _size,
      ...passed
    } = Object.fromEntries(response.headers);
    return { status: response.status, headers: passed, bytes: Buffer.from(await response.arrayBuffer()) };
  }
}

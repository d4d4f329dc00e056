import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import tls from 'node:tls';
import { pem, tlsFile } from './tls-files.js';

/** Environment for processes that must trust the certificates of the receivers. */
export const TRUSTING_RECEIVERS = { NODE_EXTRA_CA_CERTS: tlsFile('ca.pem') } as const;

/**
 * Makes this process trust the authority of the receivers during the tests of a file, as `NODE_EXTRA_CA_CERTS` does at the
 * start of a process.
 */
export function trustReceivers(): void {
  const { createSecureContext } = tls;
  beforeAll(() => {
    tls.createSecureContext = (options) => {
      const made = createSecureContext(options);
      if (!options?.ca) (made.context as { addCACert(pem: string): void }).addCACert(pem('ca.pem'));
      return made;
    };
    syncBuiltinESMExports();
  });
  afterAll(() => {
    tls.createSecureContext = createSecureContext;
    syncBuiltinESMExports();
  });
}

/** A received request. */
export interface ReceivedWebhook {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The bytes of the body. */
  readonly raw: Buffer;
  /** The parsed body; undefined if it is not JSON. */
  readonly body: any;
  readonly at: Date;
}

/**
 * The response to a request: a status (200 by default) and a body, which may be slow or endless. `reset` closes the
 * connection, `silence` never responds.
 */
export type Reply =
  | {
      readonly status?: number;
      readonly headers?: OutgoingHttpHeaders;
      readonly body?: string | Buffer | AsyncIterable<string | Buffer>;
      /** Delays the response. */
      readonly wait?: () => Promise<unknown>;
    }
  | 'reset'
  | 'silence';

/** A real HTTPS server on loopback that records requests and responds as the test defines. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** The number of TLS connections so far. */
  connections = 0;
  /** Returns the response to a request, which is in `received` already. */
  reply: (request: ReceivedWebhook) => Reply = () => ({});
  private readonly server: Server;

  private constructor() {
    this.server = createServer({ key: pem('server.key'), cert: pem('server.pem') }, (request, response) => {
      // The service may close the connection at any time.
      this.handle(request, response).catch(() => response.destroy());
    });
    this.server.on('secureConnection', () => (this.connections += 1));
  }

  /**
   * @param host the certificate is valid for `127.0.0.1` and `localhost` only, so it is invalid at `127.0.0.2`
   * @param port a free one by default
   */
  static async start({ host = '127.0.0.1', port = 0 } = {}): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.server.listen(port, host);
    await once(receiver.server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** @param path distinguishes the requests of several webhooks */
  url(path = '/hook'): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `https://${address}:${port}${path}`;
  }

  /** Returns the requests to one path. */
  at(path: string): ReceivedWebhook[] {
    return this.received.filter((request) => request.path === path);
  }

  /** Sets the responses to the next requests; later requests get the previous response again. */
  replyOnce(...replies: Reply[]): void {
    const usual = this.reply;
    this.reply = (request) => {
      const reply = replies.shift();
      if (replies.length === 0) this.reply = usual;
      return reply ?? usual(request);
    };
  }

  /** Closes the port and all connections. */
  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await buffer(message);
    const { method = '', url: path = '', headers } = message;
    const request = { method, path, headers, raw, body: parsed(raw), at: new Date() };
    this.received.push(request);
    const reply = this.reply(request);
    if (reply === 'silence') return;
    if (reply === 'reset') return void message.socket.destroy();
    await reply.wait?.();
    response.writeHead(reply.status ?? 200, reply.headers);
    const { body = '' } = reply;
    if (typeof body === 'string' || Buffer.isBuffer(body)) response.end(body);
    else Readable.from(body).pipe(response);
  }
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return undefined;
  }
}

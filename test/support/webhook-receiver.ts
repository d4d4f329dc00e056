import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import tls from 'node:tls';
import { pem, tlsFile } from './tls-files.js';

/** For processes that the tests start: they trust the receivers then. */
export const TRUSTING_RECEIVERS = { NODE_EXTRA_CA_CERTS: tlsFile('ca.pem') } as const;

/**
 * Makes this process trust the authority behind the receivers, as `NODE_EXTRA_CA_CERTS` does for one that starts: until
 * the tests of the file that imports this are over, because others that run in the same process trust nobody new.
 */
const { createSecureContext } = tls;
const trusting: typeof createSecureContext = (options) => {
  const made = createSecureContext(options);
  if (!options?.ca) (made.context as { addCACert(pem: string): void }).addCACert(pem('ca.pem'));
  return made;
};
tls.createSecureContext = trusting;
afterAll(() => {
  tls.createSecureContext = createSecureContext;
});

/** A request as it came. */
export interface ReceivedWebhook {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The body, byte for byte. */
  readonly raw: Buffer;
  /** What the body says. */
  readonly body: any;
  readonly at: Date;
}

/**
 * What a request is answered: a status (200 unless given), a body that may come bit by bit or be endless; `reset` cuts
 * the connection, `silence` says nothing for ever.
 */
export type Reply =
  | {
      readonly status?: number;
      readonly headers?: OutgoingHttpHeaders;
      readonly body?: string | Buffer | AsyncIterable<string | Buffer>;
      /** What to wait for first. */
      readonly wait?: () => Promise<unknown>;
    }
  | 'reset'
  | 'silence';

/** A real HTTPS server on loopback that keeps what it is sent and can be told how to answer. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** TLS connections so far. */
  connections = 0;
  /** What every request is answered. Called when the request is there with its body, `received` already tells it. */
  reply: (request: ReceivedWebhook) => Reply = () => ({});
  private readonly server: Server;

  private constructor() {
    this.server = createServer({ key: pem('server.key'), cert: pem('server.pem') }, (request, response) => {
      // The service may hang up at any time; the tests look at what it makes of that.
      this.take(request, response).catch(() => response.destroy());
    });
    this.server.on('secureConnection', () => (this.connections += 1));
  }

  /**
   * @param host the certificate holds for `127.0.0.1` and `localhost`; at `127.0.0.2`, say, it is invalid
   * @param port any that is free unless given
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

  /** @param path sets requests of several webhooks apart */
  url(path = '/hook'): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `https://${address}:${port}${path}`;
  }

  /** What came to one path. */
  at(path: string): ReceivedWebhook[] {
    return this.received.filter((request) => request.path === path);
  }

  /** Answers the next requests so, one after the other, and the ones after them as before. */
  replyOnce(...replies: Reply[]): void {
    const usual = this.reply;
    this.reply = (request) => {
      const reply = replies.shift();
      if (replies.length === 0) this.reply = usual;
      return reply ?? usual(request);
    };
  }

  /** Lets go of the port and cuts all connections. */
  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async take(message: IncomingMessage, response: ServerResponse): Promise<void> {
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

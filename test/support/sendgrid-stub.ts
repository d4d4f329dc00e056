import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { RequestGate } from './request-gate.js';

/** A mail that the stub has accepted, as the client sent it. */
export interface SentThroughSendgrid {
  readonly personalizations: { to: { email: string }[]; custom_args: Record<string, string> }[];
  readonly from: { email: string; name: string };
  readonly subject: string;
  readonly content: { type: string; value: string }[];
  readonly headers: Record<string, string>;
  readonly tracking_settings: Record<string, { enable: boolean }>;
}

const RESERVED =
  /^(x-sg-id|x-sg-eid|received|dkim-signature|content-type|content-transfer-encoding|to|from|subject|reply-to|cc|bcc)$/i;

/** Implements the two calls of SendGrid's v3 API that the service makes, with the checks that SendGrid documents. */
export class SendgridStub {
  readonly sent: SentThroughSendgrid[] = [];
  /** The responses to the next calls: a status with an error message, or `drop` to close the connection. */
  readonly nextResponses: (readonly [status: number, text: string] | 'drop')[] = [];
  /** The response to every call, if no others are next. */
  outage: readonly [status: number, text: string] | 'drop' | undefined;
  /** Delays each response to a POST. */
  delayMs = 0;
  /** Blocks each response to a POST. */
  gate: RequestGate | undefined;
  scopes: readonly string[] = ['mail.send', 'user.profile.read'];
  private readonly server: Server;

  private constructor(readonly key: string) {
    this.server = createServer((request, response) => void this.respond(request, response));
  }

  static async start(key = 'SG.stand-in.key'): Promise<SendgridStub> {
    const stub = new SendgridStub(key);
    stub.server.listen(0, '127.0.0.1');
    await once(stub.server, 'listening');
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await json(request) : undefined;
    if (this.delayMs > 0 && request.method === 'POST') await pause(this.delayMs, undefined, { ref: false });
    if (request.method === 'POST') await this.gate?.pass();
    const next = this.nextResponses.shift() ?? this.outage;
    if (next === 'drop') return void request.socket.destroy();
    if (next) return refuse(response, ...next);
    if (request.headers.authorization !== `Bearer ${this.key}`) {
      return refuse(response, 401, 'The provided authorization grant is invalid, expired, or revoked');
    }
    const route = `${request.method} ${request.url}`;
    if (route === 'GET /v3/scopes') return reply(response, 200, { scopes: this.scopes });
    if (route !== 'POST /v3/mail/send') return refuse(response, 404, 'not found');
    this.receive(body as SentThroughSendgrid, response);
  }

  private receive(mail: SentThroughSendgrid, response: ServerResponse): void {
    if (!this.scopes.includes('mail.send')) return refuse(response, 403, 'access forbidden');
    const reserved = Object.keys(mail.headers).find((name) => RESERVED.test(name));
    if (reserved) return refuse(response, 400, `The header ${reserved} is reserved`);
    if (!mail.subject) return refuse(response, 400, 'The subject is required');
    if (mail.content.length === 0 || mail.content.some(({ value }) => value === '')) {
      return refuse(response, 400, 'The content value must be a string at least one character in length.');
    }
    const types = mail.content.map(({ type }) => type);
    if (types.includes('text/plain') && types[0] !== 'text/plain') {
      return refuse(response, 400, 'text/plain must come first');
    }
    if (!mail.personalizations[0]?.to[0]?.email.includes('@')) {
      return refuse(response, 400, 'Does not contain a valid address.');
    }
    this.sent.push(mail);
    response.setHeader('X-Message-Id', `sg-${this.sent.length}`);
    response.writeHead(202).end();
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const refuse = (response: ServerResponse, status: number, message: string): void =>
  reply(response, status, { errors: [{ message, field: null, help: null }] });

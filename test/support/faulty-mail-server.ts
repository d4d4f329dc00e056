import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { freeLoopbackHost } from './mail-sink.js';

/** The stages of an SMTP transaction at which a server replies; `end` is the final dot. */
export type SmtpStage = 'greeting' | 'ehlo' | 'starttls' | 'mail' | 'rcpt' | 'data' | 'end';

/** The behaviour: what the server does instead of replying as a healthy one. */
export interface ServerBehaviour {
  /** Sent instead of the reply of a stage, byte for byte; an empty text is no reply. */
  readonly replies?: Partial<Record<SmtpStage, string>>;
  /** Closes the connection when this has happened: it has asked for the content, got some of it, or got the final dot. */
  readonly closesAfter?: 'content' | 'end';
  /** Writes one byte at a time, with this pause between them. */
  readonly byteMs?: number;
  /** Instead of the reply of a stage, sends this line until the connection is closed. */
  readonly endless?: readonly [stage: SmtpStage, line: string];
}

const REPLIES: Readonly<Record<SmtpStage, string>> = {
  greeting: '220 faulty.test\r\n',
  ehlo: '250 faulty.test\r\n',
  starttls: '220 go ahead\r\n',
  mail: '250 ok\r\n',
  rcpt: '250 ok\r\n',
  data: '354 go ahead\r\n',
  end: '250 accepted\r\n',
};

/** A mail server on loopback, without login, with behaviour that no mail server library has. */
export class FaultyMailServer {
  /** How many messages were received up to the final dot, by recipient. */
  readonly copies = new Map<string, number>();
  /** How many connections were opened. */
  connections = 0;
  /** How often a client has sent content, complete or not. */
  transmissions = 0;
  behaviour: ServerBehaviour = {};
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #unanswered = new Set<Socket>();

  private constructor(readonly host: string) {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(behaviour: ServerBehaviour): Promise<FaultyMailServer> {
    const server = new FaultyMailServer(freeLoopbackHost());
    server.behaviour = behaviour;
    server.#server.listen(2525, server.host);
    await once(server.#server, 'listening');
    return server;
  }

  /** The connection fields of an email account that sends through this server. */
  get account() {
    const { port } = this.#server.address() as AddressInfo;
    return {
      smtp_host: this.host,
      smtp_port: port,
      smtp_username: 'nobody',
      smtp_password: 'nothing',
      smtp_encryption: 'tls',
    } as const;
  }

  /** Closes all connections. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Closes the connections on which it does not reply, or takes long for it. */
  hangUpUnanswered(): void {
    for (const socket of this.#unanswered) socket.destroy();
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.hangUp();
    await closed;
  }

  #serve(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => {
        this.#sockets.delete(socket);
        this.#unanswered.delete(socket);
      });
    const reply = (stage: SmtpStage): void => {
      const { byteMs, endless, replies } = this.behaviour;
      if (endless?.[0] === stage) sendEndlessly(socket, endless[1]);
      else this.#write(socket, replies?.[stage] ?? REPLIES[stage]);
      if (replies?.[stage] === '' || byteMs) this.#unanswered.add(socket);
    };
    let received = '';
    let recipient: string | undefined;
    let isContent = false;
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      if (isContent && this.behaviour.closesAfter === 'content') return void socket.destroy();
      for (let line = nextLine(); line !== undefined; line = nextLine()) handle(line);
    });
    const nextLine = (): string | undefined => {
      const end = received.indexOf('\r\n');
      if (end < 0) return undefined;
      const line = received.slice(0, end);
      received = received.slice(end + 2);
      return line;
    };
    const handle = (line: string): void => {
      if (isContent) {
        if (line !== '.') return;
        isContent = false;
        this.copies.set(String(recipient), (this.copies.get(String(recipient)) ?? 0) + 1);
        if (this.behaviour.closesAfter === 'end') return void socket.destroy();
        return reply('end');
      }
      const command = line.slice(0, 4).toUpperCase();
      if (command === 'RCPT') recipient = /<(.*)>/.exec(line)?.[1];
      if (command === 'DATA') {
        isContent = this.behaviour.replies?.data === undefined;
        if (isContent) this.transmissions += 1;
      }
      reply(STAGES[command] ?? 'mail');
    };
    reply('greeting');
  }

  #write(socket: Socket, text: string): void {
    const { byteMs } = this.behaviour;
    if (byteMs === undefined) return void (text && socket.write(text));
    const [first, ...rest] = text;
    if (first === undefined || socket.destroyed) return;
    socket.write(first, () => setTimeout(() => this.#write(socket, rest.join('')), byteMs));
  }
}

/** As fast as the client reads. */
function sendEndlessly(socket: Socket, line: string): void {
  const lines = line.repeat(1_000);
  const send = (error?: Error | null): void => {
    if (!error && socket.writable) socket.write(lines, (failure) => setImmediate(send, failure));
  };
  send();
}

const STAGES: Readonly<Record<string, SmtpStage>> = {
  EHLO: 'ehlo',
  STAR: 'starttls',
  MAIL: 'mail',
  RCPT: 'rcpt',
  DATA: 'data',
};

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { pem } from './tls-files.js';

/** Replies to a command, which is without its tag; it may write any bytes, or none. */
export type ImapReply = (socket: TLSSocket, tag: string, command: string) => void;

/** What the server does instead of replying as a healthy one: the greeting, and commands by name, such as `UID FETCH`. */
export type ImapBehaviour = Readonly<Partial<Record<string, ImapReply>>>;

/** Writes lines and, as the last one, that the command is complete. */
export const completes =
  (...lines: string[]): ImapReply =>
  (socket, tag) =>
    socket.write([...lines, `${tag} OK done`, ''].join('\r\n'));

/** Refuses the command. */
export const refuses =
  (text: string): ImapReply =>
  (socket, tag) =>
    socket.write(`${tag} NO ${text}\r\n`);

/** Replies nothing. */
export const silent: ImapReply = () => undefined;

/** Closes the connection. */
export const drops: ImapReply = (socket) => socket.destroy();

/** Writes the same text until the connection is closed, as fast as the client reads. */
export const endless =
  (text: string): ImapReply =>
  (socket) => {
    const write = (): void => {
      while (socket.writable && socket.write(text));
      if (socket.writable) socket.once('drain', write);
    };
    write();
  };

const HEALTHY: Record<string, ImapReply> = {
  greeting: (socket) => socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR] ready\r\n'),
  CAPABILITY: completes('* CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR'),
  AUTHENTICATE: (socket) => socket.write('+ \r\n'),
  LIST: completes('* LIST (\\HasNoChildren) "/" INBOX'),
  LSUB: completes(),
  EXAMINE: completes('* 1 EXISTS', '* OK [UIDVALIDITY 1] valid', '* OK [UIDNEXT 2] next'),
  'UID SEARCH': completes('* SEARCH 1'),
  'UID FETCH': completes(),
  LOGOUT: completes('* BYE bye'),
};

/** An IMAP server with TLS on loopback, with behaviour that no IMAP server has. */
export class FaultyImapServer {
  /** The commands that it has received, without their tags. */
  readonly commands: string[] = [];
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<TLSSocket>();

  private constructor(public behaviour: ImapBehaviour) {
    this.#server = createServer({ key: pem('server.key'), cert: pem('server.pem') }, (socket) => this.#serve(socket));
    this.#server.on('tlsClientError', () => undefined);
  }

  static async start(behaviour: ImapBehaviour = {}): Promise<FaultyImapServer> {
    const server = new FaultyImapServer(behaviour);
    server.#server.listen(0, '127.0.0.1');
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

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #serve(socket: TLSSocket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
    let tag = '';
    let rest = '';
    this.#reply('greeting', socket, '*');
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) tag = this.#receive(socket, line, tag);
    });
  }

  /** @returns the tag of the command that is running */
  #receive(socket: TLSSocket, line: string, running: string): string {
    const [, tag = '', name = ''] = /^([0-9A-F]+) ((?:UID )?[A-Z]+)/i.exec(line) ?? [];
    // A line without a command continues AUTHENTICATE.
    if (name === '') {
      this.#reply('credentials', socket, running);
      return running;
    }
    const command = line.slice(tag.length + 1);
    this.commands.push(command);
    this.#reply(name.toUpperCase(), socket, tag, command);
    return tag;
  }

  #reply(stage: string, socket: TLSSocket, tag: string, command = ''): void {
    const reply = this.behaviour[stage] ?? HEALTHY[stage] ?? completes();
    reply(socket, tag, command);
  }
}

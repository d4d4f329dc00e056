import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type SMTPServerDataStream, SMTPServer, type SMTPServerSession } from 'smtp-server';
import { pem } from './tls-files.js';

/** PEM of the authority of the sink's certificate, which is valid for `localhost` and `127.0.0.1`. */
export const sinkAuthority = pem('ca.pem');

export interface MailSinkOptions {
  /** By default a loopback address that no other sink has, so that several can use the same port. */
  readonly host?: string;
  /** 2525 by default, because an email account may have this port; 0 chooses a free one. */
  readonly port?: number;
  readonly encryption?: 'none' | 'starttls' | 'implicit';
  /** User name → password. Without users the sink offers no login. */
  readonly users?: Readonly<Record<string, string>>;
  readonly pipelining?: boolean;
  /** How many connections it serves at the same time; any number by default. Others get 421. */
  readonly maxClients?: number;
  /** The methods of AUTH that it offers, instead of those that it knows. */
  readonly methods?: readonly string[];
  /** User name → access token: offers XOAUTH2, too. */
  readonly tokens?: Readonly<Record<string, string>>;
}

/** A mail that the sink has accepted. */
export interface ReceivedMail {
  /** Without angle brackets. */
  readonly message_id: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly user: string | undefined;
  /** What the client calls itself in EHLO. */
  readonly client_name: string;
  readonly encrypted: boolean;
  readonly at: Date;
}

/**
 * The phases at which the sink can misbehave. `data`: before it asks for the content; `content`: before the final dot;
 * `reply`: after it has accepted the mail, before it replies.
 */
export type SinkPhase = 'connect' | 'login' | 'mail' | 'rcpt' | 'data' | 'content' | 'reply';

export interface Misbehaviour {
  readonly at: SinkPhase;
  /** Matches the user (`login`), the sender (`mail`) or the recipient; all of them by default. */
  readonly matches?: RegExp;
  /** How often it misbehaves; always by default. */
  times?: number;
  /** First waits for this. */
  readonly wait?: () => Promise<unknown>;
  /** Then closes the connection. */
  readonly drop?: boolean;
  /** Then refuses, with a code and a text. SMTP allows no refusal at `data` and `content`. */
  readonly refuse?: readonly [code: number, text: string];
}

/** Returns a random loopback address, so that servers of several tests can use the same port. */
export const freeLoopbackHost = (): string => {
  const part = () => 1 + Math.floor(Math.random() * 250);
  return process.platform === 'linux' ? `127.${part()}.${part()}.${part()}` : '127.0.0.1';
};

/** A host of the certificate, for a sink with port 2525: a mail catcher of the developer may use this port of 127.0.0.1. */
export const certifiedHost = process.platform === 'linux' ? '127.25.25.25' : '127.0.0.1';

/** A real mail server on loopback that stores the mails it accepts, and misbehaves on request. */
export class MailSink {
  readonly mails: ReceivedMail[] = [];
  /** How many connections were opened. */
  connections = 0;
  /** The user name of each login. */
  readonly logins: string[] = [];
  /** The method and user name of each attempt to log in. */
  readonly attempts: string[] = [];
  /** User name → access token that is accepted. */
  readonly tokens: Record<string, string>;
  private readonly server: SMTPServer;
  private misbehaviours: Misbehaviour[] = [];

  private constructor(
    readonly host: string,
    private readonly options: MailSinkOptions,
    private readonly users: Readonly<Record<string, string>>,
  ) {
    this.tokens = { ...options.tokens };
    this.server = new SMTPServer({
      ...this.protocol(),
      maxClients: options.maxClients ?? Infinity,
      onConnect: (session, done) => {
        this.connections += 1;
        this.applyMisbehaviour('connect', '', session, done);
      },
      onAuth: ({ method, username = '', password, accessToken }, session, done) => {
        this.attempts.push(`${method} ${username}`);
        this.applyMisbehaviour('login', username, session, (refusal) => {
          if (refusal) return done(refusal);
          if (method === 'XOAUTH2') {
            if (accessToken === undefined || this.tokens[username] !== accessToken) return done(null, REFUSED_TOKEN);
          } else if (this.users[username] !== password)
            return done(smtpError(535, '5.7.8 Wrong user name or password'));
          this.logins.push(username);
          done(null, { user: username });
        });
      },
      onMailFrom: ({ address }, session, done) => this.applyMisbehaviour('mail', address, session, done),
      onRcptTo: ({ address }, session, done) => this.applyMisbehaviour('rcpt', address, session, done),
      onData: (stream, session, done) => this.receive(stream, session, done),
    });
    // Emitted when a client closes its connection early.
    this.server.on('error', () => undefined);
  }

  /** Listens until {@link stop}. */
  static async start(options: MailSinkOptions = {}): Promise<MailSink> {
    const sink = new MailSink(
      options.host ?? freeLoopbackHost(),
      options,
      options.users ?? { mailer: 'correct horse' },
    );
    const listening = sink.server.listen(options.port ?? 2525, sink.host);
    await once(listening, 'listening');
    return sink;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  /** The connection fields of an email account that sends through this sink, as its first user. */
  get account() {
    const [username = 'nobody', password = 'nothing'] = Object.entries(this.users)[0] ?? [];
    return {
      smtp_host: this.host,
      smtp_port: this.port,
      smtp_username: username,
      smtp_password: password,
      smtp_encryption: this.options.encryption === 'implicit' ? 'ssl' : 'tls',
    } as const;
  }

  /** Misbehaves from now on. The first misbehaviour that matches is applied. */
  misbehave(...misbehaviours: Misbehaviour[]): void {
    this.misbehaviours.push(...misbehaviours);
  }

  behave(): void {
    this.misbehaviours = [];
  }

  /** Returns the mails to a recipient, in the order in which they were accepted. */
  to(recipient: string): ReceivedMail[] {
    return this.mails.filter((mail) => mail.to.includes(recipient));
  }

  /** Closes all connections. */
  hangUp(): void {
    for (const connection of this.server.connections) connection._socket.destroy();
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(resolve));
    this.hangUp();
    await closed;
  }

  private protocol() {
    const { encryption = 'none', pipelining = true, tokens } = this.options;
    const { methods = tokens ? ['XOAUTH2', 'PLAIN', 'LOGIN'] : ['PLAIN', 'LOGIN'] } = this.options;
    const offersLogin = Object.keys({ ...this.users, ...tokens }).length > 0;
    return {
      name: 'sink.test',
      logger: false,
      disableReverseLookup: true,
      hidePIPELINING: !pipelining,
      secure: encryption === 'implicit',
      allowInsecureAuth: encryption === 'none',
      authMethods: [...methods],
      authOptional: !offersLogin,
      disabledCommands: [...(encryption === 'none' ? ['STARTTLS'] : []), ...(offersLogin ? [] : ['AUTH'])],
      key: pem('server.key'),
      cert: pem('server.pem'),
    };
  }

  private receive(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    done: (error?: Error | null) => void,
  ): void {
    const to = session.envelope.rcptTo.map(({ address }) => address);
    // The stream fails if the connection is closed before its end.
    const received = buffer(stream).catch(() => undefined);
    this.applyMisbehaviour('data', to.join(), session, () => {
      stream.once('data', () => this.applyMisbehaviour('content', to.join(), session, () => undefined));
      void received.then((raw) => {
        if (raw === undefined) return;
        const mail = receivedMail(raw.toString('utf8'), to, session);
        this.mails.push(mail);
        this.applyMisbehaviour('reply', to.join(), session, (refusal) => {
          if (refusal) this.mails.splice(this.mails.indexOf(mail), 1);
          done(refusal);
        });
      });
    });
  }

  /** Applies the misbehaviour that matches, then calls `next`, unless the connection was closed. */
  private applyMisbehaviour(
    at: SinkPhase,
    subject: string,
    session: SMTPServerSession,
    next: (refusal: Error | null) => void,
  ): void {
    const found = this.misbehaviours.find((each) => each.at === at && (each.matches?.test(subject) ?? true));
    if (!found) return next(null);
    if (found.times !== undefined && --found.times === 0) {
      this.misbehaviours = this.misbehaviours.filter((each) => each !== found);
    }
    const act = (): void => {
      if (found.drop) return this.disconnect(session);
      next(found.refuse ? smtpError(...found.refuse) : null);
    };
    if (found.wait) void found.wait().then(act);
    else act();
  }

  private disconnect(session: SMTPServerSession): void {
    for (const connection of this.server.connections) {
      if (connection.session.id === session.id) connection._socket.destroy();
    }
  }
}

/** The challenge of Gmail for a token that it refuses; an empty response gets 535. */
const REFUSED_TOKEN = { data: { status: '400', schemes: 'Bearer', scope: 'https://mail.google.com/' } };

const smtpError = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code });

const receivedMail = (raw: string, to: readonly string[], session: SMTPServerSession): ReceivedMail => ({
  message_id: /^message-id:\s*<([^>]+)>/im.exec(raw)?.[1],
  from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
  to,
  raw,
  user: session.user as string | undefined,
  client_name: session.hostNameAppearsAs,
  encrypted: session.secure,
  at: new Date(),
});

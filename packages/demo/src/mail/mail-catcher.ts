import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type SMTPServerDataStream, SMTPServer, type SMTPServerSession } from 'smtp-server';
import { DemoFailed } from '../demo-failed.js';
import { type CaughtMail, parseCaughtMail } from './caught-mail.js';

/** The only port that email accounts may use and that requires no privilege. */
const PORT = 2525;
/** Loopback addresses, in order of preference: another program may listen on the port of the first ones. */
const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
const LOGIN = { username: 'demo', password: 'only-on-this-machine' };

/** How the mail server treats messages. */
export interface MailCatcherRules {
  /** Returns whether this recipient is rejected with 550. */
  readonly isBouncing: (address: string) => boolean;
  /** Called for each message before the server responds to the sender. */
  readonly onMail: (mail: CaughtMail) => Promise<void>;
}

/** A mail server on a loopback address that stores all messages and forwards none. */
export class MailCatcher {
  /** The accepted messages, in order of arrival. */
  readonly mails: CaughtMail[] = [];
  /** The rejected recipients, one entry per attempt. */
  readonly refused: string[] = [];
  /** The messages of connection errors. */
  readonly errors: string[] = [];
  private readonly server: SMTPServer;

  private constructor(private readonly rules: MailCatcherRules) {
    this.server = new SMTPServer({
      name: 'mail.demo.example',
      banner: 'accepts and stores all messages',
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      disableReverseLookup: true,
      logger: false,
      onAuth: ({ username, password }, _session, done) =>
        username === LOGIN.username && password === LOGIN.password
          ? done(null, { user: username })
          : done(refusal(535, '5.7.8 Wrong user name or password')),
      onRcptTo: ({ address }, _session, done) => done(this.refusalOf(address)),
      onData: (stream, session, done) => void this.receive(stream, session).then(() => done(), done),
    });
    this.server.on('error', ({ message }) => this.errors.push(message));
  }

  /** Listens until {@link stop}. @throws DemoFailed if the port is in use on all addresses */
  static async start(rules: MailCatcherRules): Promise<{ catcher: MailCatcher; host: string }> {
    for (const host of HOSTS) {
      const catcher = new MailCatcher(rules);
      if (await catcher.listen(host)) return { catcher, host };
    }
    throw new DemoFailed(`The demo's mail server needs port ${PORT}, and another program listens there.`);
  }

  /** The connection fields of an email account that sends through a catcher on `host`. */
  static account(host: string) {
    return {
      smtp_host: host,
      smtp_port: PORT,
      smtp_username: LOGIN.username,
      smtp_password: LOGIN.password,
      smtp_encryption: 'tls',
    };
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(resolve));
  }

  private async listen(host: string): Promise<boolean> {
    try {
      await once(this.server.listen(PORT, host), 'listening');
      return true;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EADDRINUSE' || code === 'EADDRNOTAVAIL') return false;
      throw error;
    }
  }

  private refusalOf(address: string): Error | null {
    if (!this.rules.isBouncing(address)) return null;
    this.refused.push(address);
    return refusal(550, '5.1.1 No such user here');
  }

  private async receive(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
    const source = await text(stream);
    for (const { address } of envelope.rcptTo) {
      const mail = parseCaughtMail(address, source, performance.now());
      this.mails.push(mail);
      await this.rules.onMail(mail);
    }
  }
}

const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });

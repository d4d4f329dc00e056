import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type SMTPServerDataStream, SMTPServer, type SMTPServerSession } from 'smtp-server';
import { DemoFailed } from '../demo-failed.js';
import { type CaughtMail, parseCaughtMail } from './caught-mail.js';

/** The one of the ports that email accounts may have which needs no privilege. */
const PORT = 2525;
/** Addresses of this machine alone, in case something else listens on the first ones. */
const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
const LOGIN = { username: 'demo', password: 'only-on-this-machine' };

/** How the mail server treats what it is given. */
export interface MailCatcherRules {
  /** Whether nobody has this address: it is refused with 550. */
  readonly isBouncing: (address: string) => boolean;
  /** Is told of each message before the sender hears that it is accepted. */
  readonly onMail: (mail: CaughtMail) => Promise<void>;
}

/** A mail server on loopback that keeps whatever it takes and passes nothing on. */
export class MailCatcher {
  /** In the order in which they came. */
  readonly mails: CaughtMail[] = [];
  /** Addresses that were refused, one for each attempt. */
  readonly refused: string[] = [];
  /** What went wrong with connections, in words. */
  readonly errors: string[] = [];
  private readonly server: SMTPServer;

  private constructor(private readonly rules: MailCatcherRules) {
    this.server = new SMTPServer({
      name: 'mail.demo.example',
      banner: 'catches everything',
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

  /** Listens until {@link stop}. @throws DemoFailed where its port is taken on every address */
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
    return refusal(550, '5.1.1 Nobody here has this address');
  }

  private async receive(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
    const source = await text(stream);
    for (const { address } of envelope.rcptTo) {
      const mail = parseCaughtMail(address, source, Date.now());
      this.mails.push(mail);
      await this.rules.onMail(mail);
    }
  }
}

const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });

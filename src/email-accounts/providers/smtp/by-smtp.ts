import type { SmtpSession } from '@outreach/mail-sessions';
import type { MailConnections, MailProvider, ProviderSession, SmtpMailbox } from '../provider.js';

/** Longer than most servers need to close a connection and most networks to show it. */
const FINAL_DOT_DELAY_MS = 1_000;

/** What providers have in common to which messages are sent by SMTP. */
export const BY_SMTP = {
  signs: false,
  limits: [],
  max_connections: 5,
  stores_sent_mail: false,
  events: null,
  received_form: null,

  async open(credentials: SmtpMailbox, connections: MailConnections<unknown>): Promise<ProviderSession> {
    return providerSession(await connections.smtp(credentials));
  },

  async logIn(credentials: SmtpMailbox, connections: MailConnections<unknown>): Promise<string> {
    const { host, port } = credentials.smtp;
    const session = await connections.smtp(credentials);
    session.close();
    const connected = `Connected to ${host}, port ${port}`;
    if (session.isLoggedIn) return `${connected}, and logged in.`;
    return `${connected}. The server offers no login, so user name and password were not used.`;
  },
} as const satisfies Partial<MailProvider<SmtpMailbox>>;

const providerSession = (session: SmtpSession): ProviderSession => ({
  get isOpen() {
    return session.isOpen;
  },
  hasSession: true,
  send: ({ mail, encode, mayContinue, nextPart, isRepeated }) =>
    session.send({ from: mail.from.email, to: mail.to }, encode, {
      mayContinue,
      nextPart,
      finalDotDelayMs: isRepeated ? FINAL_DOT_DELAY_MS : 0,
    }),
  close: () => session.close(),
});

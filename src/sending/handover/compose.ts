import type { ComposedMail } from '../../email-accounts/index.js';
import MailComposer from 'nodemailer/lib/mail-composer';
import { TemplateCache, toPlainText, type TemplateValues } from '../../templates/index.js';
import type { ClaimedMessage } from './claim.queries.js';

/** The sender as recipients see it. */
export type Sender = ComposedMail['from'];

/** What composing needs to know beside the message itself. */
export interface Envelope {
  readonly sender: Sender;
  readonly message_id: string;
  readonly unsubscribe_url: string;
}

const sources = new TemplateCache();
const texts = new Map<string, string | null>();
const MOST_TEXTS = 500;

/** Renders a step for one contact: subject, HTML, its plain-text twin and the headers of RFC 2369, 5322 and 8058. */
export function compose(message: ClaimedMessage, envelope: Envelope): ComposedMail {
  const values: TemplateValues = {
    ...message.contact,
    sender: envelope.sender,
    unsubscribe_url: envelope.unsubscribe_url,
  };
  const source = message.unsubscribe_footer ? withFooter(message.body) : message.body;
  const html = sources.parse(source).renderHtml(values);
  return {
    from: envelope.sender,
    to: message.contact.email,
    message_id: envelope.message_id,
    subject: sources.parse(message.subject).renderSubject(values),
    html,
    text: textOf(source, html, values),
    headers: {
      'List-Unsubscribe': `<${envelope.unsubscribe_url}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      ...threadHeaders(message.thread),
    },
  };
}

/** The whole message in the form of RFC 5322. */
export function toMime(mail: ComposedMail): Promise<Buffer> {
  const composer = new MailComposer({
    from: { name: mail.from.name, address: mail.from.email },
    to: { name: '', address: mail.to },
    messageId: `<${mail.message_id}>`,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: { ...mail.headers },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

const threadHeaders = (thread: readonly string[]): Record<string, string> => {
  const parent = thread.at(-1);
  if (parent === undefined) return {};
  return { 'In-Reply-To': `<${parent}>`, References: thread.map((id) => `<${id}>`).join(' ') };
};

const FOOTER =
  '<p style="margin-top:24px;font-size:12px;color:#767676"><a href="{{ unsubscribe_url }}" style="color:#767676">Unsubscribe</a></p>';

/** The body with a way out, unless its author has put one in. */
function withFooter(body: string): string {
  if (sources.parse(body).variables.includes('unsubscribe_url')) return body;
  const end = body.toLowerCase().lastIndexOf('</body>');
  return end < 0 ? `${body}\n${FOOTER}` : `${body.slice(0, end)}${FOOTER}\n${body.slice(end)}`;
}

/**
 * Converting HTML costs more than all else in composing, so the step is converted once, variables and all, and that
 * text is rendered. Where a variable does not survive the conversion, the rendered HTML is converted.
 */
function textOf(source: string, html: string, values: TemplateValues): string {
  const text = textTemplate(source);
  return text === null ? toPlainText(html) : sources.parse(text).renderText(values);
}

function textTemplate(source: string): string | null {
  const known = texts.get(source);
  if (known !== undefined) return known;
  const text = convertible(source);
  if (texts.size >= MOST_TEXTS) texts.clear();
  texts.set(source, text);
  return text;
}

function convertible(source: string): string | null {
  const text = toPlainText(source);
  const count = (template: string): number => template.split('{{').length;
  return count(text) === count(source) && isParsable(text) ? text : null;
}

function isParsable(text: string): boolean {
  try {
    sources.parse(text);
    return true;
  } catch {
    return false;
  }
}

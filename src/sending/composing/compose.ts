import type { ComposedMail } from '../../email-accounts/index.js';
import MailComposer from 'nodemailer/lib/mail-composer';
import {
  BodyCache,
  type HtmlAdditions,
  scanHtml,
  parseTemplate,
  recipientValues,
  TemplateCache,
} from '../../templates/index.js';
import type { ClaimedMessage } from '../dispatch/claim.queries.js';

/** The sender as recipients see it. */
export type Sender = ComposedMail['from'];

/** What composing needs to know beside the message itself. */
export interface MailContext {
  readonly sender: Sender;
  readonly message_id: string;
  readonly unsubscribe_url: string;
  /** What the HTML tells us of its recipient. Its plain-text twin shows every address as its author wrote it. */
  readonly tracking?: HtmlAdditions;
}

const subjects = new TemplateCache();
const bodies = new BodyCache();
const bodiesWithFooter = new BodyCache(withFooter);

/**
 * Renders a step for one contact: subject, HTML, its plain-text twin and the headers of RFC 2369, 5322 and 8058.
 * @throws RenderedTooLong
 */
export function compose(message: ClaimedMessage, context: MailContext): ComposedMail {
  const values = recipientValues(message.contact, context);
  const body = (message.unsubscribe_footer ? bodiesWithFooter : bodies).parse(message.body);
  return {
    from: context.sender,
    to: message.contact.email,
    message_id: context.message_id,
    subject: subjects.parse(message.subject).renderSubject(values),
    html: body.renderHtml(values, context.tracking),
    text: body.renderText(values),
    headers: {
      'List-Unsubscribe': `<${context.unsubscribe_url}>`,
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
  if (parseTemplate(body).variables.includes('unsubscribe_url')) return body;
  const { bodyEnd: end } = scanHtml(body);
  return end === body.length ? `${body}\n${FOOTER}` : `${body.slice(0, end)}${FOOTER}\n${body.slice(end)}`;
}

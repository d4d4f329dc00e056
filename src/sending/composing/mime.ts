import MailComposer from 'nodemailer/lib/mail-composer';
import type { ComposedMail } from '../../email-accounts/index.js';

/** The complete message in the format of RFC 5322 and MIME, in lines of 7-bit characters. */
export function toMime(mail: ComposedMail): Promise<Buffer> {
  const composer = new MailComposer({
    from: { name: mail.from.name, address: mail.from.email },
    to: { name: '', address: mail.to },
    messageId: `<${mail.message_id}>`,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: Object.fromEntries(Object.entries(mail.headers).map(([name, value]) => [name, headerOf(name, value)])),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** Some mail programs do not find a link in a folded header. A line may have 998 characters (RFC 5322, 2.1.1). */
const headerOf = (name: string, value: string): string | { prepared: true; value: string } =>
  name === 'List-Unsubscribe' ? { prepared: true, value } : value;

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
    headers: { ...mail.headers },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

import { threadHeaders } from '@outreach/mail-writing';
import { onOneLine } from '@outreach/template-language';
import type { ComposedMail } from '../../email-accounts/index.js';
import { literalText } from '../../templates/index.js';
import type { MailSource, Sender } from './compose.js';

type Content = Pick<MailSource, 'subject' | 'body' | 'thread'> & {
  readonly to_address: string;
  readonly message_id: string;
};

/**
 * Composes a message with content of its own, as a person would write it: nothing is filled in, and it has no pixel, no
 * tracked links and no link to unsubscribe.
 * @throws TemplateTooComplex
 */
export async function composeOwnContent(content: Content, sender: Sender, workspaceId: number): Promise<ComposedMail> {
  return {
    from: { name: onOneLine(sender.name), email: sender.email },
    to: content.to_address,
    message_id: content.message_id,
    subject: onOneLine(content.subject),
    html: content.body,
    text: await literalText(content.body, workspaceId),
    headers: threadHeaders(content.thread),
  };
}

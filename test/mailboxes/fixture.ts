import { MessageLinks } from '../../src/sending/index.js';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { Given } from '../support/given.js';
import type { TestService } from '../support/service.js';

/** A message that was sent to a contact of its own. */
export interface SentMessage {
  readonly id: number;
  readonly message_id: string;
  readonly campaign: Schema<'Campaign'>;
  readonly contact: Schema<'Contact'>;
}

/** Inserts a message that an account has sent to a new contact. */
export async function givenSentMessage(service: TestService, api: ApiClient, accountId: number): Promise<SentMessage> {
  const given = new Given(api, service.database);
  const contact = await given.contact();
  const { id, campaign } = await given.sentMessage(contact.id);
  const [row] = await service.database.query<{ enrollment_id: string; step_id: string; workspace_id: string }>(
    'SELECT enrollment_id, step_id, workspace_id FROM messages WHERE id = $1',
    [id],
  );
  const links = service.app.get(MessageLinks, { strict: false });
  const step = { enrollment_id: Number(row?.enrollment_id), step_id: Number(row?.step_id) };
  const messageId = links.messageId(Number(row?.workspace_id), step, 'sales@sender.example');
  await service.database.query('UPDATE messages SET message_id = $2, email_account_id = $3 WHERE id = $1', [
    id,
    messageId,
    accountId,
  ]);
  return { id, message_id: messageId, campaign, contact };
}

let numbered = 0;

/** A mail of a person who replies to a message. */
export function replyTo({ message_id: messageId, contact }: SentMessage, body = 'Yes, please.'): string {
  numbered += 1;
  return mailOf(contact.email, { 'In-Reply-To': `<${messageId}>`, Subject: 'Re: Hello' }, body);
}

/** A mail with a Message-ID of its own. */
export function mailOf(from: string, fields: Readonly<Record<string, string>>, body = 'Hello'): string {
  numbered += 1;
  const header = {
    From: from,
    To: 'sales@sender.example',
    'Message-ID': `<${numbered}.${process.pid}@contact.example>`,
    'Content-Type': 'text/plain',
    ...fields,
  };
  const lines = Object.entries(header).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}\r\n`;
}

/** An `smtp` account whose mailbox is read; nothing is sent from it. */
export const readAccount = (fields: object) => ({
  name: 'Mailbox',
  type: 'smtp',
  from_email: 'sales@sender.example',
  from_name: 'Sales',
  smtp_host: '127.0.0.1',
  smtp_port: 2525,
  smtp_username: 'sales',
  smtp_password: 'not used',
  ...fields,
});

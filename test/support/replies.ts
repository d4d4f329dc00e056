import { DeliveryReports, MessageLinks, type ReceivedReply } from '../../src/sending/index.js';
import { Workspaces } from '../../src/workspaces/index.js';
import type { Schema } from './api-schemas.js';
import type { ApiClient } from './api-client.js';
import type { Given } from './given.js';
import type { TestService } from './service.js';

/** A mail that replies to a message. */
export interface ReplyMail {
  /** Of the message, without angle brackets. */
  readonly to: string;
  readonly from: string;
  readonly subject?: string;
  readonly text?: string;
  /** Without angle brackets; a new one by default. */
  readonly message_id?: string;
  /** Further lines of the header. */
  readonly header?: readonly string[];
}

let numbered = 0;

/** Returns a reply as a mail server gives it to `POST /inbound/mail/{key}`. */
export function rawReply(mail: ReplyMail): string {
  numbered += 1;
  return [
    `From: ${mail.from}`,
    'To: Sales <sales@sender.example>',
    `Subject: ${mail.subject ?? 'Re: Hello'}`,
    `Message-ID: <${mail.message_id ?? `reply-${numbered}@example.com`}>`,
    `In-Reply-To: <${mail.to}>`,
    `References: <${mail.to}>`,
    ...(mail.header ?? []),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    mail.text ?? 'Yes, call me on Monday.',
    '',
  ].join('\r\n');
}

/** Receives mails for one workspace. */
export class Mailroom {
  constructor(
    private readonly service: TestService,
    private readonly api: ApiClient,
    private readonly given: Given,
  ) {}

  /** Inserts a sent message to a new contact, by an account. */
  async sent(
    fields: { readonly account?: number; readonly contact?: Schema<'Contact'>; readonly campaign?: object } = {},
  ) {
    const contact = fields.contact ?? (await this.given.contact());
    const { id, campaign } = await this.given.sentMessage(contact.id, fields.campaign);
    const { database, app } = this.service;
    const [row] = await database.query<{ enrollment_id: string; step_id: string }>(
      'UPDATE messages SET email_account_id = $2 WHERE id = $1 RETURNING enrollment_id, step_id',
      [id, fields.account ?? null],
    );
    const step = { enrollment_id: Number(row?.enrollment_id), step_id: Number(row?.step_id) };
    const links = app.get(MessageLinks, { strict: false });
    const messageId = links.messageId(this.api.workspaceId, step, 'sales@sender.example');
    await database.query(`UPDATE messages SET message_id = $2, subject = 'Hello' WHERE id = $1`, [id, messageId]);
    return { id, campaign, contact, message_id: messageId, ...step };
  }

  /** Posts a raw mail to the address of the workspace. */
  async receive(raw: string): Promise<{ readonly matched: number }> {
    const { data } = await this.api.get('/inbound');
    const response = await fetch(`${this.service.url}/inbound/mail/${data.key}`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822' },
      body: raw,
    });
    const body = (await response.json()) as { data: { matched: number } };
    if (response.status !== 200) throw new Error(JSON.stringify(body));
    return body.data;
  }

  /** Records what a received mail says of a message, as the inbound module does. */
  async record(id: number, fields: Partial<ReceivedReply> = {}): Promise<void> {
    numbered += 1;
    const scope = await this.service.app.get(Workspaces, { strict: false }).scope(this.api.workspaceId);
    const reply: ReceivedReply = {
      dedup_key: `recorded-${numbered}@example.com`,
      from: { name: null, address: 'person@example.com' },
      subject: 'Re: Hello',
      text: 'Yes',
      classification: 'reply',
      is_automatic: (fields.classification ?? 'reply') !== 'reply',
      asks_to_unsubscribe: false,
      returns_on: null,
      received_at: scope.clock.now(),
      ...fields,
    };
    await this.service.app.get(DeliveryReports, { strict: false }).record(scope, [id], { kind: 'replied', reply });
  }

  /** Receives a reply and returns its record. */
  async replied(mail: ReplyMail): Promise<Schema<'Reply'>> {
    await this.receive(rawReply(mail));
    return (await this.api.get('/replies')).data[0];
  }
}

import { MessageLinks } from '../../src/sending/index.js';
import { type ApiClient, type ApiResponse, parseResponse } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { Given } from '../support/given.js';
import { reportedMail } from '../../packages/mail-reading/test/reported-mail.js';
import { useSharedService } from '../support/service.js';

interface Mail {
  readonly from: string;
  readonly to?: string;
  readonly subject?: string;
  readonly fields?: readonly string[];
  readonly text?: string;
}

let numbered = 0;

/** A mail with a Message-ID of its own. */
function mailOf({ from, to = 'sales@sender.example', subject = 'Hello', fields = [], text = 'Yes.' }: Mail): string {
  numbered += 1;
  const header = [
    `From: Bob <${from}>`,
    `To: Sales <${to}>`,
    `Subject: ${subject}`,
    `Message-ID: <m${numbered}@acme.example>`,
  ];
  return [...header, ...fields, '', text].join('\r\n');
}

describe('mails to the workspace', () => {
  const service = useSharedService();
  let api: ApiClient;
  let given: Given;
  let key: string;

  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
    key = (await api.get('/inbound')).data.key;
  });

  const receive = async (raw: Buffer | string): Promise<unknown> => {
    const init = { method: 'POST', headers: { 'content-type': 'message/rfc822' }, body: raw as string };
    const { status, data } = await parseResponse(await fetch(`${service.url}/inbound/mail/${key}`, init));
    expect(status).toBe(200);
    return data.matched;
  };
  const links = (): MessageLinks => service.app.get(MessageLinks, { strict: false });
  const replies = async (): Promise<Schema<'Reply'>[]> => (await api.get('/replies')).data;

  const account = async (email = 'sales@sender.example'): Promise<number> => {
    const fields = { name: email, type: 'sendgrid', from_email: email, from_name: 'Sales', sendgrid_api_key: 'SG.x' };
    return (await api.post('/email-accounts', fields)).data.id;
  };

  /** Inserts a sent message of an account to a contact. */
  async function sent(accountId: number, contact: Schema<'Contact'>, sentAt = 'now()') {
    const { id, campaign } = await given.sentMessage(contact.id);
    const [row] = await service.database.query<{ enrollment_id: string; step_id: string }>(
      `UPDATE messages SET email_account_id = $2, sent_at = ${sentAt} WHERE id = $1 RETURNING enrollment_id, step_id`,
      [id, accountId],
    );
    const ids = { enrollment_id: Number(row?.enrollment_id), step_id: Number(row?.step_id) };
    const message_id = links().messageId(api.workspaceId, ids, 'sales@sender.example');
    await service.database.query('UPDATE messages SET message_id = $2 WHERE id = $1', [id, message_id]);
    return { id, campaign, message_id };
  }
  const repliedAt = async (campaign: { id: number }): Promise<unknown> =>
    (await api.get(`/campaigns/${campaign.id}/messages`)).data[0].replied_at;

  describe('without a Message-ID of a message', () => {
    it('is a reply to the latest message to its sender, in the mailbox of the account that wrote it', async () => {
      const contact = await given.contact();
      const id = await account();
      await sent(id, contact, "now() - interval '2 days'");
      const latest = await sent(id, contact, "now() - interval '1 day'");
      const shouted = contact.email.toUpperCase();
      expect(await receive(mailOf({ from: shouted, text: 'Call me.\r\n\r\n> Hello' }))).toBe(1);
      expect(await repliedAt(latest.campaign)).not.toBeNull();
      expect(await replies()).toMatchObject([
        {
          message_id: latest.message_id,
          email_account_id: id,
          from: { name: 'Bob', address: contact.email },
          subject: 'Hello',
          text: 'Call me.',
          classification: 'reply',
          is_automatic: false,
          returns_on: null,
        },
      ]);
    });

    it('is found by the addresses that servers and forwarding rules add', async () => {
      const contact = await given.contact();
      await sent(await account(), contact);
      const fields = ['Delivered-To: archive@sender.example', 'X-Forwarded-To: <SALES@sender.example>'];
      expect(await receive(mailOf({ from: contact.email, to: 'info@sender.example', fields }))).toBe(1);
    });

    it.each([
      ['an absence', 'Auto-Submitted: auto-replied', 'I am away until 5 January.', 'out_of_office'],
      ['a receipt', 'Auto-Submitted: auto-generated', 'We got your request.', 'automatic'],
    ])('is recorded, but is no reply of a person: %s', async (_, field, text, classification) => {
      const contact = await given.contact();
      const { campaign } = await sent(await account(), contact);
      expect(await receive(mailOf({ from: contact.email, fields: [field], text }))).toBe(1);
      expect(await repliedAt(campaign)).toBeNull();
      expect(await replies()).toMatchObject([{ classification, is_automatic: true }]);
    });

    it('is ignored in the mailbox of another account, and if another account wrote last', async () => {
      const contact = await given.contact();
      const [first, second] = [await account(), await account('anna@sender.example')];
      await sent(first, contact, "now() - interval '2 hours'");
      await sent(second, contact, "now() - interval '1 hour'");
      expect(await receive(mailOf({ from: contact.email }))).toBe(0);
      expect(await receive(mailOf({ from: contact.email, to: 'others@sender.example' }))).toBe(0);
      expect(await receive(mailOf({ from: contact.email, to: 'anna@sender.example' }))).toBe(1);
    });

    it('is ignored after 30 days, from others, and from contacts of other workspaces', async () => {
      const [late, contact] = [await given.contact(), await given.contact()];
      const id = await account();
      await sent(id, late, "now() - interval '31 days'");
      await sent(id, contact);
      expect(await receive(mailOf({ from: late.email }))).toBe(0);
      expect(await receive(mailOf({ from: 'unknown@example.com' }))).toBe(0);
      key = (await (await service.client()).get('/inbound')).data.key;
      expect(await receive(mailOf({ from: contact.email }))).toBe(0);
    });

    it.each([
      ['a newsletter', ['List-Unsubscribe: <https://acme.example/u>']],
      ['a mail to a mailing list', ['List-Id: <people.acme.example>']],
    ])('is ignored if it is %s', async (_, fields) => {
      const contact = await given.contact();
      await sent(await account(), contact);
      expect(await receive(mailOf({ from: contact.email, fields }))).toBe(0);
    });
  });

  describe('with the Message-ID of a message', () => {
    it('is a reply, too, if a colleague of the recipient writes', async () => {
      const { message_id } = await sent(await account(), await given.contact());
      const fields = [`In-Reply-To: <${message_id}>`];
      expect(await receive(mailOf({ from: 'ann@acme.example', subject: 'Re: Hello', fields }))).toBe(1);
      expect(await replies()).toMatchObject([{ from: { address: 'ann@acme.example' } }]);
    });

    it.each([
      ['of an account of the workspace', 'SALES@sender.example', 'Re: Hello', []],
      ['that another person forwards', 'ann@acme.example', 'Fwd: Hello', []],
      ['that another person forwards, in French', 'ann@acme.example', 'TR : Hello', []],
      ['of a mailing list', 'ann@acme.example', 'Re: Hello', ['List-Id: <people.acme.example>']],
    ])('is ignored if it is one %s', async (_, from, subject, others) => {
      const { message_id, campaign } = await sent(await account(), await given.contact());
      const fields = [`In-Reply-To: <${message_id}>`, ...others];
      expect(await receive(mailOf({ from, subject, fields }))).toBe(0);
      expect(await repliedAt(campaign)).toBeNull();
      expect(await replies()).toEqual([]);
    });

    it('is recorded once, also if it is received again', async () => {
      const contact = await given.contact();
      const { message_id } = await sent(await account(), contact);
      const raw = reportedMail('replies/outlook-desktop-html-only', { message_id, address: contact.email });
      expect([await receive(raw), await receive(raw)]).toEqual([1, 1]);
      expect(await replies()).toMatchObject([{ text: 'Oui, lundi me convient.' }]);
    });

    it('is read if it has 10 MB of attachments', async () => {
      const contact = await given.contact();
      const { message_id } = await sent(await account(), contact);
      const parts = ['--b', 'Content-Type: text/plain', '', 'See the attachment.', '--b', 'Content-Type: image/png'];
      const encoded = ['Content-Transfer-Encoding: base64', '', `${'QUFB'.repeat(19)}\r\n`.repeat(130_000), '--b--'];
      const fields = [`In-Reply-To: <${message_id}>`, 'Content-Type: multipart/mixed; boundary=b'];
      const text = [...parts, ...encoded].join('\r\n');
      expect(await receive(mailOf({ from: contact.email, fields, text }))).toBe(1);
      expect(await replies()).toMatchObject([{ text: 'See the attachment.' }]);
    });
  });

  describe('to unsubscribe', () => {
    const subjectFor = (message_id: number, address: string): string => {
      const mailto = links().unsubscribeMailto(
        { workspace_id: api.workspaceId, message_id, address },
        'sales@sender.example',
      );
      return decodeURIComponent(mailto.slice(mailto.indexOf('subject=') + 'subject='.length));
    };
    const statusOf = async ({ id }: { id: number }): Promise<string> => (await api.get(`/contacts/${id}`)).data.status;

    it('unsubscribes the recipient of the message, whoever writes', async () => {
      const contact = await given.contact();
      const { id, campaign } = await sent(await account(), contact);
      const raw = mailOf({ from: 'another@else.example', subject: subjectFor(id, contact.email), text: '' });
      expect([await receive(raw), await statusOf(contact)]).toEqual([1, 'unsubscribed']);
      const { data } = await api.get(`/campaigns/${campaign.id}/contacts/${contact.id}`);
      expect(data.status).toBe('unsubscribed');
      expect(await receive(raw)).toBe(1);
      expect(await replies()).toEqual([]);
    });

    it('unsubscribes the address of a contact that was deleted', async () => {
      const contact = await given.contact();
      const { id } = await sent(await account(), contact);
      await api.delete(`/contacts/${contact.id}`);
      expect(await receive(mailOf({ from: contact.email, subject: subjectFor(id, contact.email) }))).toBe(1);
      expect((await given.contact({ email: contact.email })).status).toBe('unsubscribed');
    });

    it('unsubscribes a contact whose whole answer asks for it, and says so in its activity', async () => {
      const contact = await given.contact();
      const { message_id, campaign } = await sent(await account(), contact);
      const text = 'Please unsubscribe me.\r\n\r\nBob\r\n\r\n> Hello Bob';
      const raw = mailOf({ from: contact.email, subject: 'Re: Hello', fields: [`In-Reply-To: <${message_id}>`], text });
      expect([await receive(raw), await statusOf(contact)]).toEqual([1, 'unsubscribed']);
      expect(await replies()).toMatchObject([{ classification: 'reply' }]);
      expect((await api.get(`/campaigns/${campaign.id}/contacts/${contact.id}`)).data.status).toBe('unsubscribed');
      const { data } = await api.get(`/contacts/${contact.id}/activity`);
      const types = data.map(({ type }: { type: string }) => type);
      expect(types).toEqual(expect.arrayContaining(['email.replied', 'email.unsubscribed']));
      const change = data.find(({ type }: { type: string }) => type === 'contact.status_changed');
      expect(change.data).toEqual({ from: 'active', to: 'unsubscribed', source: 'mail' });
      await api.post(`/contacts/${contact.id}/resubscribe`);
      expect([await receive(raw), await statusOf(contact)]).toEqual([1, 'active']);
    });

    it.each([
      ['says more', [], 'Please unsubscribe me from the newsletter, but call me about the offer.'],
      ['quotes it', [], 'Yes, call me.\r\n\r\n> Unsubscribe'],
      ['is automatic', ['Auto-Submitted: auto-replied'], 'Unsubscribe me.'],
    ])('leaves a contact active whose answer %s', async (_, fields, text) => {
      const contact = await given.contact();
      const { message_id } = await sent(await account(), contact);
      const all = [`In-Reply-To: <${message_id}>`, ...fields];
      expect(await receive(mailOf({ from: contact.email, fields: all, text }))).toBe(1);
      expect(await statusOf(contact)).toBe('active');
    });

    it('changes nothing with a token that is invalid or of another workspace', async () => {
      const contact = await given.contact();
      const { id } = await sent(await account(), contact);
      const subject = subjectFor(id, contact.email);
      expect(await receive(mailOf({ from: 'a@else.example', subject: `${subject}A` }))).toBe(0);
      key = (await (await service.client()).get('/inbound')).data.key;
      expect([await receive(mailOf({ from: 'a@else.example', subject })), await statusOf(contact)]).toEqual([
        0,
        'active',
      ]);
    });
  });

  describe('POST /inbound/parse/{key}', () => {
    const post = async (
      body: FormData | string | undefined,
      headers: Record<string, string> = {},
      to = key,
    ): Promise<ApiResponse> =>
      parseResponse(
        await fetch(`${service.url}/inbound/parse/${to}`, { method: 'POST', headers, ...(body && { body }) }),
      );

    /** The form that Inbound Parse posts with the option "POST the raw, full MIME message". */
    function formOf(raw: string | Blob): FormData {
      const form = new FormData();
      form.set('to', 'Sales <sales@sender.example>');
      form.set('from', 'Bob <bob@acme.example>');
      form.set('subject', 'Re: Hello');
      form.set('email', raw);
      form.set('charsets', '{"to":"UTF-8","subject":"UTF-8"}');
      form.set('envelope', '{"to":["sales@sender.example"],"from":"bob@acme.example"}');
      return form;
    }

    it.each(['replies/windows-1252', 'postfix-dead', 'complaint'])(
      'takes the raw message of the sample %s',
      async (sample) => {
        const contact = await given.contact();
        const { message_id } = await sent(await account(), contact);
        const raw = reportedMail(sample, { message_id, address: contact.email }).toString();
        expect(await post(formOf(raw))).toMatchObject({ status: 200, data: { matched: 1 } });
        expect(await post(formOf(new Blob([raw])))).toMatchObject({ status: 200, data: { matched: 1 } });
        expect((await api.get('/replies')).data).toHaveLength(sample.startsWith('replies') ? 1 : 0);
      },
    );

    it('keeps the bytes of a message that is not encoded', async () => {
      const contact = await given.contact();
      await sent(await account(), contact);
      const fields = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit'];
      const raw = mailOf({ from: contact.email, fields, text: 'D’accord, à bientôt 🙂' });
      expect(await post(formOf(raw))).toMatchObject({ status: 200, data: { matched: 1 } });
      expect(await replies()).toMatchObject([{ text: 'D’accord, à bientôt 🙂' }]);
    });

    it('returns 422 for a form without the raw message, and 415 for another media type', async () => {
      const form = formOf('x');
      form.delete('email');
      form.set('text', 'Yes.');
      for (const body of [form, undefined]) {
        const { status, body: error } = await post(body);
        expect([status, error.error, Object.keys(error.errors)]).toEqual([422, 'ValidationError', ['email']]);
      }
      expect((await post('{}', { 'content-type': 'application/json' })).status).toBe(415);
      const compressed = { 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' };
      expect((await post('x', compressed)).status).toBe(415);
      expect((await fetch(`${service.url}/inbound/parse/${key}`)).status).toBe(405);
    });

    it('returns 404 for an invalid key, 400 for a malformed form, and 413 for more than 30 MB', async () => {
      expect((await post(formOf('x'), {}, `${key}A`)).status).toBe(404);
      expect((await post('x', { 'content-type': 'multipart/form-data' })).status).toBe(400);
      expect((await post('--b\r\nx', { 'content-type': 'multipart/form-data; boundary=b' })).status).toBe(400);
      const large = formOf(mailOf({ from: 'a@b.example', text: 'x'.repeat(29 * 1_048_576) }));
      expect(await post(large)).toMatchObject({ status: 200, data: { matched: 0 } });
      large.set('attachment1', new Blob(['x'.repeat(1_048_576)]), 'a.png');
      expect((await post(large)).status).toBe(413);
    });
  });
});

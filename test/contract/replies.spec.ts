import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { Mailroom, rawReply } from '../support/replies.js';
import { useSharedService } from '../support/service.js';

describe('replies', () => {
  const service = useSharedService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  let mailroom: Mailroom;
  let account: Schema<'EmailAccount'>;

  beforeAll(async () => {
    sink = await MailSink.start();
  });
  afterAll(() => sink.stop());
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
    mailroom = new Mailroom(service, api, given);
    account = await given.mailbox(sink);
  });

  const sent = (fields = {}) => mailroom.sent({ account: account.id, ...fields });
  const replied = async (fields = {}) => {
    const message = await sent();
    return {
      message,
      reply: await mailroom.replied({ to: message.message_id, from: message.contact.email, ...fields }),
    };
  };

  describe('a received reply', () => {
    it('is stored with its message, its sender and its text', async () => {
      const message = await sent();
      const raw = rawReply({ to: message.message_id, from: `Bob Smith <${message.contact.email.toUpperCase()}>` });
      expect(await mailroom.receive(raw)).toEqual({ matched: 1 });
      const { data, body } = await api.get('/replies');
      expect(body.meta).toMatchObject({ total: 1, count: 1 });
      expect(data).toEqual([
        {
          id: expect.any(Number),
          campaign_id: message.campaign.id,
          enrollment_id: message.enrollment_id,
          contact_id: message.contact.id,
          email_account_id: account.id,
          message_id: message.message_id,
          from: { name: 'Bob Smith', address: message.contact.email },
          subject: 'Re: Hello',
          text: 'Yes, call me on Monday.',
          classification: 'reply',
          is_automatic: false,
          returns_on: null,
          received_at: expect.stringMatching(/Z$/),
          created_at: expect.stringMatching(/Z$/),
        },
      ]);
      expect((await api.get(`/replies/${data[0].id}`)).data).toEqual(data[0]);
    });

    it('is stored once, also if it is received several times at once', async () => {
      const message = await sent();
      const raw = rawReply({ to: message.message_id, from: message.contact.email });
      await Promise.all(Array.from({ length: 6 }, () => mailroom.receive(raw)));
      expect((await api.get('/replies')).body.meta.total).toBe(1);
      expect(await mailroom.receive(raw)).toEqual({ matched: 1 });
      expect((await api.get('/replies')).body.meta.total).toBe(1);
    });

    it('ends the enrollment and counts, if a person wrote it', async () => {
      const { message } = await replied();
      const enrollment = await api.get(`/campaigns/${message.campaign.id}/contacts/${message.contact.id}`);
      expect(enrollment.data.status).toBe('completed');
      expect((await api.get(`/campaigns/${message.campaign.id}/stats`)).data.messages.replied).toBe(1);
    });

    it('ends no enrollment and does not count, if a machine wrote it', async () => {
      const { message, reply } = await replied({
        header: ['Auto-Submitted: auto-replied'],
        subject: 'Automatic reply',
      });
      expect(reply).toMatchObject({ is_automatic: true });
      const enrollment = await api.get(`/campaigns/${message.campaign.id}/contacts/${message.contact.id}`);
      expect(enrollment.data.status).toBe('in_progress');
      expect((await api.get(`/campaigns/${message.campaign.id}/stats`)).data.messages.replied).toBe(0);
      expect((await api.get(`/campaigns/${message.campaign.id}/messages`)).data[0].replied_at).toBeNull();
    });

    it('shows the day of the return', async () => {
      const message = await sent();
      await mailroom.record(message.id, { classification: 'out_of_office', returns_on: '2026-02-28' });
      const [reply] = (await api.get('/replies?classification=out_of_office')).data;
      expect(reply).toMatchObject({ is_automatic: true, returns_on: '2026-02-28' });
    });

    it('is not stored if a loop of automatic replies has filled the message', async () => {
      const message = await sent();
      for (let count = 0; count < 22; count += 1) await mailroom.record(message.id, { classification: 'automatic' });
      expect((await api.get('/replies')).body.meta.total).toBe(20);
      await mailroom.record(message.id);
      expect((await api.get('/replies?classification=reply')).body.meta.total).toBe(1);
    });

    it('is deleted with its contact, and loses its account with the account', async () => {
      const { message, reply } = await replied();
      await given.mailbox(sink);
      expect((await api.delete(`/email-accounts/${account.id}`)).status).toBe(204);
      expect((await api.get(`/replies/${reply.id}`)).data.email_account_id).toBeNull();
      expect((await api.delete(`/contacts/${message.contact.id}`)).status).toBe(204);
      expect((await api.get(`/replies/${reply.id}`)).status).toBe(404);
      expect((await api.get('/replies')).body.meta.total).toBe(0);
    });
  });

  describe('GET /replies', () => {
    it('lists the newest first, and filters', async () => {
      const { message, reply } = await replied({ subject: 'Re: Offer', text: 'Too expensive.' });
      const { message: other, reply: second } = await replied({ text: 'Gerne, 50% Rabatt?' });
      const ids = async (query: string): Promise<number[]> =>
        (await api.get(`/replies?${query}`)).data.map(({ id }: { id: number }) => id);
      expect(await ids('')).toEqual([second.id, reply.id]);
      expect(await ids('sort=received_at&direction=asc')).toEqual([reply.id, second.id]);
      expect(await ids(`campaign_id=${message.campaign.id}`)).toEqual([reply.id]);
      expect(await ids(`contact_id=${other.contact.id}`)).toEqual([second.id]);
      expect(await ids(`email_account_id=${account.id}`)).toEqual([second.id, reply.id]);
      expect(await ids('classification=reply')).toEqual([second.id, reply.id]);
      expect(await ids('classification=lead')).toEqual([]);
      expect(await ids('search=EXPENSIVE%20offer')).toEqual([reply.id]);
      expect(await ids('search=50%25')).toEqual([second.id]);
      expect(await ids('search=absent')).toEqual([]);
      expect((await api.get('/replies?per_page=1&page=2')).data).toMatchObject([{ id: reply.id }]);
    });

    it.each(['campaign_id=999999', 'contact_id=999999', 'email_account_id=999999', 'classification=No!', 'sort=text'])(
      'refuses %s',
      async (query) => {
        const { status, body } = await api.get(`/replies?${query}`);
        expect([status, Object.keys(body.errors)]).toEqual([422, [query.split('=')[0]]]);
      },
    );
  });

  describe('PUT /replies/{id}', () => {
    it('changes the classification, and nothing else', async () => {
      const { message, reply } = await replied({ header: ['Auto-Submitted: auto-replied'] });
      const { status, data } = await api.put(`/replies/${reply.id}`, { classification: 'lead-2_hot' });
      expect([status, data]).toEqual([200, { ...reply, classification: 'lead-2_hot' }]);
      expect((await api.put(`/replies/${reply.id}`, { classification: 'reply' })).data.is_automatic).toBe(true);
      const enrollment = await api.get(`/campaigns/${message.campaign.id}/contacts/${message.contact.id}`);
      expect(enrollment.data.status).toBe('in_progress');
      expect((await api.put(`/replies/${reply.id}`, {})).data.classification).toBe('reply');
    });

    it.each(['', 'Lead', 'a b', 'x'.repeat(51), 5, null])('refuses the classification %j', async (classification) => {
      const { reply } = await replied();
      const { status, body } = await api.put(`/replies/${reply.id}`, { classification });
      expect([status, Object.keys(body.errors)]).toEqual([422, ['classification']]);
    });

    it('needs campaigns:write', async () => {
      const reader = await service.client(['campaigns:read']);
      expect((await reader.get('/replies')).status).toBe(200);
      expect((await reader.put('/replies/1', { classification: 'lead' })).status).toBe(403);
    });
  });

  describe('POST /replies/{id}/answer', () => {
    const answer = (id: number, body: unknown = '<p>Monday at nine?</p>') =>
      api.post(`/replies/${id}/answer`, { body });

    it('queues a message of the campaign without a step', async () => {
      const { message, reply } = await replied();
      const { status, data } = await answer(reply.id);
      expect(status).toBe(202);
      expect(data).toMatchObject({
        campaign_id: message.campaign.id,
        enrollment_id: message.enrollment_id,
        contact_id: message.contact.id,
        step_id: null,
        email_account_id: account.id,
        subject: 'Re: Hello',
        status: 'queued',
        message_id: null,
      });
      const { data: messages } = await api.get(`/campaigns/${message.campaign.id}/messages`);
      expect(messages.map(({ id }: { id: number }) => id)).toEqual([data.id, message.id]);
      const stats = await api.get(`/campaigns/${message.campaign.id}/stats`);
      expect(stats.data.messages).toMatchObject({ queued: 0, sent: 1 });
    });

    it.each([
      ['empty', ''],
      ['null', null],
      ['absent', undefined],
      ['a number', 7],
      ['over 256 KB', 'x'.repeat(262_145)],
    ])('refuses a body that is %s', async (_what, body) => {
      const { reply } = await replied();
      const { status, body: error } = await api.post(`/replies/${reply.id}/answer`, { body });
      expect([status, Object.keys(error.errors)]).toEqual([422, ['body']]);
    });

    it('takes braces as they are', async () => {
      const { reply } = await replied();
      expect((await answer(reply.id, '<p>{{ first_name | upper }} {% if %}</p>')).status).toBe(202);
    });

    it('is refused to a contact that unsubscribed, complained or bounced, and to a blacklisted address', async () => {
      for (const status of ['unsubscribed', 'complained', 'bounced']) {
        const { message, reply } = await replied();
        await service.database.query('UPDATE contacts SET status = $2 WHERE id = $1', [message.contact.id, status]);
        expect((await answer(reply.id)).body).toMatchObject({ code: 422, errors: null, reason: status });
      }
      const { reply } = await replied({ from: 'assistant@other.example' });
      await (await service.client()).post('/blacklist', { email: 'assistant@other.example' });
      expect((await answer(reply.id)).body).toMatchObject({ code: 422, errors: null, reason: 'blacklisted' });
      const { reply: ofAnother } = await replied({ from: 'colleague@other.example' });
      await given.contact({ email: 'colleague@other.example', status: 'unsubscribed' });
      expect((await answer(ofAnother.id)).body).toMatchObject({ code: 422, errors: null, reason: 'unsubscribed' });
    });

    it('is refused without the account', async () => {
      const { reply } = await replied();
      await given.mailbox(sink);
      await api.delete(`/email-accounts/${account.id}`);
      expect((await answer(reply.id)).body).toMatchObject({
        code: 422,
        error: 'HttpError',
        errors: null,
        reason: 'no_account',
      });
    });

    it('is cancelled with its account, and nothing is sent by another one', async () => {
      const { message, reply } = await replied();
      const { data } = await answer(reply.id);
      await given.mailbox(sink);
      await api.delete(`/email-accounts/${account.id}`);
      const { data: messages } = await api.get(`/campaigns/${message.campaign.id}/messages`);
      expect(messages[0]).toMatchObject({ id: data.id, status: 'cancelled', reason: 'no_account' });
      expect(messages).toHaveLength(2);
    });

    it('stays queued when the campaign is paused, when the contact is skipped, and when there is another reply', async () => {
      const { message, reply } = await replied({ header: ['Auto-Submitted: auto-replied'] });
      const { data } = await answer(reply.id);
      const { campaign, contact } = message;
      await api.post(`/campaigns/${campaign.id}/start`);
      await api.post(`/campaigns/${campaign.id}/pause`);
      await mailroom.receive(rawReply({ to: message.message_id, from: contact.email }));
      await api.post(`/campaigns/${campaign.id}/contacts/${contact.id}/skip`);
      const { data: messages } = await api.get(`/campaigns/${campaign.id}/messages`);
      expect(messages[0]).toMatchObject({ id: data.id, status: 'queued', reason: null });
    });

    it('is 404 for a reply that does not exist', async () => {
      expect((await answer(999_999)).status).toBe(404);
    });
  });
});

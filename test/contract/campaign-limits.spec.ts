import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { Mailroom, rawReply } from '../support/replies.js';
import { useSharedService } from '../support/service.js';

const LATER = [{ subject: 'Later', body: '<p>Later</p>', delay_minutes: 10_000 }];

describe('campaigns that look at what else is written to a contact', () => {
  const service = useSharedService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    await given.mailbox(sink);
  });
  afterEach(() => sink.stop());

  const enroll = async (campaign: { id: number }, ids: readonly number[]) =>
    (await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: ids })).data;
  const started = async (fields: object = {}): Promise<Schema<'Campaign'>> => {
    const campaign = await given.campaign({ steps: LATER, ...fields });
    expect((await api.post(`/campaigns/${campaign.id}/start`)).status).toBe(200);
    return campaign;
  };
  const statusOf = async (campaign: { id: number }, contact: { id: number }): Promise<string> =>
    (await api.get(`/campaigns/${campaign.id}/contacts/${contact.id}`)).data.status;

  describe('skip_running_elsewhere', () => {
    it('skips contacts with a running enrollment in another active campaign, and no others', async () => {
      const [running, ended, drafted, free] = await given.contacts(4);
      const other = await given.running([running ?? 0, ended ?? 0], { steps: LATER });
      await api.post(`/campaigns/${other.id}/contacts/${ended}/skip`);
      await enroll(await given.campaign(), [drafted ?? 0]);
      const campaign = await given.campaign({ skip_running_elsewhere: true });
      const all = [running, ended, drafted, free].map(Number);
      expect(await enroll(campaign, all)).toMatchObject({ enrolled: 3, skipped: 1 });
      expect((await api.get(`/campaigns/${campaign.id}/contacts/${running}`)).status).toBe(404);
      await api.post(`/campaigns/${other.id}/pause`);
      expect(await enroll(campaign, all)).toMatchObject({ enrolled: 1, skipped: 3 });
    });

    it('skips them in lists and segments, too', async () => {
      const list = await given.group('/lists');
      const contacts = await given.contacts(3, 'listed');
      await api.post(`/lists/${list.id}/contacts`, { contact_ids: contacts });
      const segment = await given.segment([{ field: 'email', operator: 'contains', value: 'listed' }]);
      await given.running(contacts.slice(0, 2), { steps: LATER });
      const campaign = await given.campaign({ skip_running_elsewhere: true });
      const { data } = await api.post(`/campaigns/${campaign.id}/contacts/enroll-from-lists`, {
        list_ids: [list.id],
        segment_ids: [segment.id],
      });
      expect(data).toMatchObject({ enrolled: 1, skipped: 2 });
    });

    it('lets exactly one of two campaigns have a contact that both enroll at the same time', async () => {
      const contacts = await given.contacts(200);
      const campaigns = [
        await started({ skip_running_elsewhere: true }),
        await started({ skip_running_elsewhere: true }),
      ];
      const reversed = [...contacts].reverse();
      const results = await Promise.all([
        ...campaigns.map((campaign) => enroll(campaign, contacts)),
        ...campaigns.map((campaign) => enroll(campaign, reversed)),
      ]);
      expect(results.reduce((sum, { enrolled }) => sum + enrolled, 0)).toBe(200);
      const [row] = await service.database.query<{ contacts: number; enrollments: number }>(
        `SELECT count(DISTINCT contact_id)::int AS contacts, count(*)::int AS enrollments FROM enrollments
         WHERE workspace_id = $1`,
        [api.workspaceId],
      );
      expect(row).toEqual({ contacts: 200, enrollments: 200 });
    });

    it('is off by default', async () => {
      const contacts = await given.contacts(1);
      await given.running(contacts, { steps: LATER });
      expect(await enroll(await given.campaign(), contacts)).toMatchObject({ enrolled: 1, skipped: 0 });
    });
  });

  describe('stop_company_on_reply', () => {
    /** A campaign that has written to the first of three contacts of a company, two others and one without a company. */
    async function sentTo(first: 'colleague' | 'loner', fields: object) {
      const [company, rival] = [await given.group('/companies'), await given.group('/companies')];
      const contacts = {
        colleague: await given.contact({ company_id: company.id }),
        second: await given.contact({ company_id: company.id }),
        rival: await given.contact({ company_id: rival.id }),
        loner: await given.contact(),
        otherLoner: await given.contact(),
      };
      const mailroom = new Mailroom(service, api, given);
      const sent = await mailroom.sent({ contact: contacts[first], campaign: fields });
      await enroll(
        sent.campaign,
        Object.values(contacts).map(({ id }) => id),
      );
      const statuses = async () =>
        Object.fromEntries(
          await Promise.all(
            Object.entries(contacts).map(async ([name, contact]) => [name, await statusOf(sent.campaign, contact)]),
          ),
        );
      const reply = (header: readonly string[] = []) =>
        mailroom.receive(rawReply({ to: sent.message_id, from: contacts[first].email, header }));
      return { ...sent, contacts, statuses, reply };
    }

    const RUNNING = { second: 'pending', rival: 'pending', otherLoner: 'pending' };

    it('ends the enrollments of all contacts of the company, whatever stop_on_reply says', async () => {
      for (const stopOnReply of [true, false]) {
        const { statuses, reply } = await sentTo('colleague', {
          stop_company_on_reply: true,
          stop_on_reply: stopOnReply,
        });
        await reply();
        expect(await statuses()).toEqual({
          ...RUNNING,
          loner: 'pending',
          colleague: 'completed',
          second: 'completed',
        });
      }
    });

    it('ends only the own enrollment of a contact without a company', async () => {
      const { statuses, reply } = await sentTo('loner', { stop_company_on_reply: true, stop_on_reply: false });
      await reply();
      expect(await statuses()).toEqual({ ...RUNNING, colleague: 'pending', loner: 'completed' });
    });

    it('ends nothing after an automatic reply, and nothing of others by default', async () => {
      const automatic = await sentTo('colleague', { stop_company_on_reply: true });
      await automatic.reply(['Auto-Submitted: auto-replied']);
      expect(await automatic.statuses()).toMatchObject({ colleague: 'in_progress', second: 'pending' });
      const off = await sentTo('colleague', {});
      await off.reply();
      expect(await off.statuses()).toMatchObject({ colleague: 'completed', second: 'pending' });
    });

    it('leaves other campaigns as they are, and cancels the queued messages of colleagues', async () => {
      const { campaign, contacts, reply } = await sentTo('colleague', { stop_company_on_reply: true });
      const other = await given.campaign({ stop_company_on_reply: true });
      await enroll(other, [contacts.second.id]);
      await service.database.query(
        `INSERT INTO queued_messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id)
         SELECT workspace_id, campaign_id, id, contact_id, current_step_id FROM enrollments
         WHERE campaign_id = $1 AND contact_id = $2`,
        [campaign.id, contacts.second.id],
      );
      await reply();
      expect(await statusOf(other, contacts.second)).toBe('pending');
      const { data } = await api.get(`/campaigns/${campaign.id}/messages?contact_id=${contacts.second.id}`);
      expect(data).toMatchObject([{ status: 'cancelled', reason: 'replied' }]);
    });

    it('ends the enrollments of a company with very many contacts', async () => {
      const { campaign, contacts, reply } = await sentTo('colleague', { stop_company_on_reply: true });
      await service.database.query(
        `WITH colleague AS (
           INSERT INTO contacts (workspace_id, email, company_id)
           SELECT $1, 'colleague' || n || '@example.com', $2 FROM generate_series(1, 5000) n RETURNING id)
         INSERT INTO enrollments (workspace_id, campaign_id, contact_id) SELECT $1, $3, id FROM colleague`,
        [api.workspaceId, contacts.colleague.company_id, campaign.id],
      );
      await reply();
      const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
      expect(data.enrollments).toMatchObject({ completed: 5_002, pending: 3 });
    });
  });
});

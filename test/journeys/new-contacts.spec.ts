import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const FIRST = { subject: 'First', body: '<p>First</p>' };
const SECOND = { subject: 'Second', body: '<p>Second</p>' };

/** Each test begins at noon. */
const LATER = { timezone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], start: '14:00', end: '15:00' };

describe('a campaign that limits its new contacts of a day', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    await service.startWorker();
  });
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    service.clocks.advanceToNoon(api.workspaceId);
  });
  afterEach(() => sink.stop());

  const received = (subject: string) => sink.mails.filter(({ raw }) => raw.includes(`Subject: ${subject}\r\n`));
  const messages = async (campaign: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${campaign.id}/messages?per_page=100`)).data;
  const sent = (campaign: { id: number }, count: number) =>
    eventually(async () => {
      const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
      expect(data.messages.sent).toBe(count);
    });
  const update = async (campaign: { id: number }, fields: object) =>
    expect((await api.put(`/campaigns/${campaign.id}`, fields)).status).toBe(200);
  /** Waits until planning has found nothing more to do. */
  const settled = async (campaign: { id: number }, expected: () => Promise<void>) => {
    await eventually(expected);
    const planned = async () =>
      (
        await service.database.query<{ from: Date | null }>(
          'SELECT new_contacts_from AS from FROM campaigns WHERE id = $1',
          [campaign.id],
        )
      )[0]?.from ?? null;
    await eventually(async () => expect(await planned()).not.toBeNull());
    await expected();
  };

  it('writes to others in place of contacts that are removed or deleted before their first message is sent', async () => {
    await given.mailbox(sink);
    const contacts = await given.contacts(6);
    const campaign = await given.running(contacts, { schedule: LATER, max_new_contacts_per_day: 3, steps: [FIRST] });
    await settled(campaign, async () => expect(await messages(campaign)).toHaveLength(3));
    const [removed, deleted] = (await messages(campaign)).map((message) => message.contact_id);
    expect((await api.delete(`/campaigns/${campaign.id}/contacts/${removed}`)).status).toBe(204);
    expect((await api.delete(`/contacts/${deleted}`)).status).toBe(204);
    service.clocks.advance(api.workspaceId, { hours: 2, minutes: 10 });
    await sent(campaign, 3);
    expect(received('First')).toHaveLength(3);
    const left: Schema<'Enrollment'>[] = (await api.get(`/campaigns/${campaign.id}/contacts?status=pending`)).data;
    expect(left).toMatchObject([{ waiting_for: 'max_new_contacts' }]);
  });

  it('sends their first messages to so many contacts each day, and the later messages without a limit', async () => {
    await given.mailbox(sink);
    await given.mailbox(sink, { from_email: 'second@sender.example' });
    const contacts = await given.contacts(7);
    const campaign = await given.running(contacts, { steps: [FIRST, SECOND], max_new_contacts_per_day: 3 });
    const counts = () => [received('First').length, received('Second').length];
    await settled(campaign, async () => expect(counts()).toEqual([3, 3]));
    const { data: enrollments } = await api.get(`/campaigns/${campaign.id}/contacts?status=pending`);
    const now = (await api.get(`/campaigns/${campaign.id}`)).data.updated_at;
    const tomorrow = new Date(new Date(now).setUTCHours(24, 0, 0, 0)).toISOString();
    expect(enrollments).toMatchObject(
      Array.from({ length: 4 }, () => ({ next_send_at: tomorrow, waiting_for: 'max_new_contacts' })),
    );
    service.clocks.advance(api.workspaceId, { days: 1 });
    await settled(campaign, async () => expect(counts()).toEqual([6, 6]));
    service.clocks.advance(api.workspaceId, { days: 1 });
    await eventually(async () =>
      expect((await api.get(`/campaigns/${campaign.id}`)).data).toMatchObject({ status: 'completed' }),
    );
    expect(counts()).toEqual([7, 7]);
  });

  it('sends to more contacts at once when the limit is raised, and to all when it is removed', async () => {
    await given.mailbox(sink);
    const campaign = await given.running(await given.contacts(9), { max_new_contacts_per_day: 2 });
    await sent(campaign, 2);
    await update(campaign, { max_new_contacts_per_day: 5 });
    await settled(campaign, () => sent(campaign, 5));
    await update(campaign, { max_new_contacts_per_day: null });
    await sent(campaign, 9);
  });

  it('respects a limit that was lowered while messages waited, and sends these before it plans others', async () => {
    await given.mailbox(sink);
    await given.mailbox(sink, { from_email: 'second@sender.example' });
    const campaign = await given.running(await given.contacts(12), { max_new_contacts_per_day: 10, schedule: LATER });
    await eventually(async () => expect(await messages(campaign)).toHaveLength(10));
    const waiting = new Set((await messages(campaign)).map(({ contact_id: id }) => id));
    await update(campaign, { max_new_contacts_per_day: 4 });
    service.clocks.advance(api.workspaceId, { hours: 2 });
    await sent(campaign, 4);
    await eventually(async () => {
      const reasons = (await messages(campaign))
        .filter(({ status }) => status === 'queued')
        .map(({ reason }) => reason);
      expect(reasons).toEqual(Array.from({ length: 6 }, () => 'max_new_contacts'));
    });
    service.clocks.advance(api.workspaceId, { days: 1 });
    await sent(campaign, 8);
    expect((await messages(campaign)).filter(({ contact_id: id }) => !waiting.has(id))).toEqual([]);
    expect(sink.mails).toHaveLength(8);
  });

  it('counts the contacts of the day who got their first message before there was a limit', async () => {
    await given.mailbox(sink, { daily_limit: 5 });
    const campaign = await given.running(await given.contacts(8));
    await sent(campaign, 5);
    await update(campaign, { max_new_contacts_per_day: 4 });
    const [account] = (await api.get('/email-accounts')).data;
    await api.put(`/email-accounts/${account.id}`, { daily_limit: 100 });
    await eventually(async () => {
      const reasons = (await messages(campaign))
        .filter(({ status }) => status === 'queued')
        .map(({ reason }) => reason);
      expect(reasons).toEqual(['max_new_contacts', 'max_new_contacts', 'max_new_contacts']);
    });
    await update(campaign, { max_new_contacts_per_day: 7 });
    await eventually(async () => {
      const all = await messages(campaign);
      expect(all.flatMap(({ reason }) => reason ?? [])).toEqual(['max_new_contacts']);
      expect(all.filter(({ status }) => status === 'sent')).toHaveLength(7);
    });
  });

  it.each([
    ['that PostgreSQL does not know, which an earlier version has stored', 'AGT'],
    ['whose name is an abbreviation of winter time for PostgreSQL, late in the evening', 'CET'],
  ])('counts the contacts of the day in a time zone %s', async (_kind, timezone) => {
    // Half past midnight in summer time, and half past eleven in winter time.
    const now = service.clocks.clockOf(api.workspaceId).now();
    const night = Date.UTC(now.getUTCFullYear() + 1, 6, 1, 22, 30);
    service.clocks.advance(api.workspaceId, { seconds: Math.floor((night - now.getTime()) / 1000) });
    await given.mailbox(sink, { daily_limit: 3 });
    const campaign = await given.running(await given.contacts(5));
    await sent(campaign, 3);
    const schedule = { ...LATER, timezone, start: '00:00', end: '23:59' };
    await service.database.query('UPDATE campaigns SET schedule = $2 WHERE id = $1', [campaign.id, schedule]);
    await update(campaign, { max_new_contacts_per_day: 3 });
    const [account] = (await api.get('/email-accounts')).data;
    await api.put(`/email-accounts/${account.id}`, { daily_limit: 100 });
    await eventually(async () => {
      const { data } = await api.get(`/campaigns/${campaign.id}/contacts?status=pending`);
      expect(data).toMatchObject(Array(2).fill({ waiting_for: 'max_new_contacts' }));
    });
    expect(sink.mails).toHaveLength(3);
  });

  it('needs a place on the next day for a message that failed for the time being on this one', async () => {
    await given.mailbox(sink);
    sink.misbehave({ at: 'rcpt', refuse: [451, '4.3.0 Try later'] });
    const campaign = await given.running(await given.contacts(6), { max_new_contacts_per_day: 3 });
    await eventually(async () => {
      const all = await messages(campaign);
      expect(all.map(({ reason }) => reason)).toEqual(Array.from({ length: 3 }, () => 'temporary_failure'));
    });
    sink.behave();
    service.clocks.advance(api.workspaceId, { days: 1 });
    await settled(campaign, () => sent(campaign, 3));
    service.clocks.advance(api.workspaceId, { days: 1 });
    await sent(campaign, 6);
    expect(sink.mails).toHaveLength(6);
  });

  it('needs a place for a first message that is retried by request', async () => {
    await given.mailbox(sink);
    sink.misbehave({ at: 'rcpt', refuse: [550, '5.7.1 Refused'] });
    const campaign = await given.running(await given.contacts(2), { max_new_contacts_per_day: 2 });
    await eventually(async () =>
      expect((await messages(campaign)).map(({ status }) => status)).toEqual(['failed', 'failed']),
    );
    sink.behave();
    const others = await given.contacts(1, 'other');
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: others });
    await eventually(async () => {
      await api.post(`/campaigns/${campaign.id}/start`);
      expect((await api.get(`/campaigns/${campaign.id}/stats`)).data.messages.sent).toBe(1);
    });
    expect((await api.post(`/campaigns/${campaign.id}/messages/retry`, { status: 'failed' })).status).toBe(202);
    await eventually(async () => {
      await api.post(`/campaigns/${campaign.id}/start`);
      expect((await messages(campaign)).map(({ reason }) => reason)).toContain('max_new_contacts');
    });
    await sent(campaign, 2);
    service.clocks.advance(api.workspaceId, { days: 1 });
    await sent(campaign, 3);
  });

  it('frees the places of contacts who unsubscribe while their messages wait', async () => {
    await given.mailbox(sink);
    const contacts = await given.contacts(4);
    const campaign = await given.running(contacts, { max_new_contacts_per_day: 2, schedule: LATER });
    await eventually(async () => expect(await messages(campaign)).toHaveLength(2));
    for (const { contact_id: id } of await messages(campaign)) await api.post(`/contacts/${id}/unsubscribe`);
    service.clocks.advance(api.workspaceId, { hours: 2 });
    await sent(campaign, 2);
  });

  it('goes on with the contacts of a deleted account while new ones wait', async () => {
    const first = await given.mailbox(sink);
    const steps = [FIRST, { ...SECOND, delay_minutes: 60 }];
    const contacts = await given.contacts(4);
    const campaign = await given.running(contacts, {
      steps,
      max_new_contacts_per_day: 2,
      email_account_ids: [first.id],
    });
    await settled(campaign, () => sent(campaign, 2));
    const second = await given.mailbox(sink, { from_email: 'second@sender.example' });
    await update(campaign, { email_account_ids: [first.id, second.id] });
    expect((await api.delete(`/email-accounts/${first.id}`)).status).toBe(204);

    service.clocks.advance(api.workspaceId, { hours: 1 });
    await eventually(() => expect(received('Second')).toHaveLength(2));
    expect(received('First')).toHaveLength(2);
  });
});

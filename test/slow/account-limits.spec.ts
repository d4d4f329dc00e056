import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink, type ReceivedMail } from '../support/mail-sink.js';
import { Mailroom } from '../support/replies.js';
import { RequestGate } from '../support/request-gate.js';
import { ServiceProcess } from '../support/service-process.js';
import { useService } from '../support/service.js';

const GAP_SECONDS = 2;
const HOUR_SECONDS = 3_600;

/** The milliseconds between each mail and the one before it, as the server has received them. */
const gapsOf = (mails: readonly ReceivedMail[]): number[] =>
  mails.slice(1).map(({ at }, index) => at.getTime() - (mails[index]?.at.getTime() ?? 0));

describe('the gap and the ramp of an account', () => {
  const service = useService();
  const processes: ServiceProcess[] = [];
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((worker) => worker.kill()));
    await sink.stop();
  });

  const startWorkers = async (count: number): Promise<void> => {
    const started = Array.from({ length: count }, () => ServiceProcess.startWorker(service));
    processes.push(...(await Promise.all(started)));
  };
  const messagesOf = async ({ id }: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${id}/messages?per_page=100`)).data;
  const reasonsOf = async (campaign: { id: number }) =>
    (await messagesOf(campaign)).filter(({ status }) => status === 'queued').map(({ reason }) => reason);
  /** The gap begins when a message is recorded as sent, after the server has it. */
  const sent = (campaign: { id: number }, count: number) =>
    eventually(async () => {
      const messages = await messagesOf(campaign);
      expect(messages.filter(({ status }) => status === 'sent')).toHaveLength(count);
    });
  const completed = (campaign: { id: number }) =>
    eventually(async () => expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed'));

  it('has its gap between all messages of all campaigns that two workers send', async () => {
    await given.mailbox(sink, { min_seconds_between: GAP_SECONDS });
    await startWorkers(2);
    const campaigns = [
      await given.running(await given.contacts(2, 'a')),
      await given.running(await given.contacts(2, 'b')),
    ];
    for (const campaign of campaigns) await completed(campaign);
    expect(sink.mails).toHaveLength(4);
    expect(Math.min(...gapsOf(sink.mails))).toBeGreaterThanOrEqual(GAP_SECONDS * 1_000);
  });

  it('has its gap after a message whose worker was killed while the server accepted it', async () => {
    let killed = false;
    sink.misbehave({
      at: 'reply',
      times: 1,
      wait: async () => {
        await Promise.all(processes.splice(0).map((worker) => worker.kill()));
        killed = true;
      },
      drop: true,
    });
    await given.mailbox(sink, { min_seconds_between: GAP_SECONDS });
    // Before the campaign: only workers that have started can be killed.
    await startWorkers(2);
    const campaign = await given.running(await given.contacts(3));
    await eventually(() => expect(killed).toBe(true));
    await startWorkers(2);
    await completed(campaign);
    expect(new Set(sink.mails.map((mail) => mail.message_id)).size).toBe(3);
    expect(Math.min(...gapsOf(sink.mails))).toBeGreaterThanOrEqual(GAP_SECONDS * 1_000);
  });

  it('has its gap after a message that a killed worker may have sent', async () => {
    let killed = false;
    sink.misbehave({
      at: 'rcpt',
      times: 1,
      wait: async () => {
        await Promise.all(processes.splice(0).map((worker) => worker.kill()));
        killed = true;
      },
      drop: true,
    });
    const { id } = await given.mailbox(sink, { min_seconds_between: HOUR_SECONDS });
    await startWorkers(1);
    const campaign = await given.running(await given.contacts(2), { on_unknown: 'hold' });
    await eventually(() => expect(killed).toBe(true));
    expect(await reasonsOf(campaign)).not.toContain('daily_limit');
    await startWorkers(1);
    // The server may have accepted what a killed worker was sending: that one is unknown, and begins a gap.
    await eventually(async () => {
      const statuses = (await messagesOf(campaign)).map(({ status }) => status).sort();
      expect(statuses).toEqual(['queued', 'unknown']);
    });
    expect(await reasonsOf(campaign)).toEqual(['min_seconds_between']);
    await api.put(`/email-accounts/${id}`, { min_seconds_between: 0 });
    await eventually(() => expect(sink.mails).toHaveLength(1));
  });

  it('lets two workers send exactly the limit of the first day of a ramp', async () => {
    const { id } = await given.mailbox(sink, { ramp_start: 7 });
    await startWorkers(2);
    const campaign = await given.running(await given.contacts(30));
    await eventually(async () => {
      expect((await reasonsOf(campaign)).filter((reason) => reason === 'daily_limit')).toHaveLength(23);
      expect(sink.mails).toHaveLength(7);
    });
    expect((await api.get(`/email-accounts/${id}/stats`)).data).toMatchObject({
      ...{ sent_today: 7, effective_limit_today: 7, remaining_today: 0, can_send_today: false },
    });
  });

  describe('with a worker in this process', () => {
    beforeAll(async () => {
      await service.startWorker();
    });
    beforeEach(() => service.clocks.advanceToNoon(api.workspaceId));

    it('shows why the other messages wait, and sends them as soon as the gap is removed', async () => {
      const { id } = await given.mailbox(sink, { min_seconds_between: HOUR_SECONDS });
      const campaign = await given.running(await given.contacts(4));
      await eventually(async () => expect(await reasonsOf(campaign)).toEqual(Array(3).fill('min_seconds_between')));
      await eventually(() => expect(sink.mails).toHaveLength(1));
      const csv = String((await api.get(`/campaigns/${campaign.id}/messages/export`)).body);
      expect(csv.match(/min_seconds_between/g)).toHaveLength(3);
      await api.put(`/email-accounts/${id}`, { min_seconds_between: 0 });
      await completed(campaign);
      expect(sink.mails).toHaveLength(4);
    });

    it('does not delay the other accounts of the workspace', async () => {
      const slow = await given.mailbox(sink, { min_seconds_between: HOUR_SECONDS, from_email: 'slow@sender.example' });
      const fast = await given.mailbox(sink, { from_email: 'fast@sender.example' });
      const campaign = await given.campaign({ email_account_ids: [slow.id, fast.id] });
      await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: await given.contacts(20) });
      await api.post(`/campaigns/${campaign.id}/start`);
      await eventually(() => {
        expect(sink.mails.filter(({ from }) => from === 'fast@sender.example')).toHaveLength(10);
        expect(sink.mails.filter(({ from }) => from === 'slow@sender.example')).toHaveLength(1);
      });
      await eventually(async () => expect(await reasonsOf(campaign)).toEqual(Array(9).fill('min_seconds_between')));
    });

    it('does not use up the gap for messages that the server refuses', async () => {
      sink.misbehave({ at: 'rcpt', matches: /^refused[123]@/, refuse: [550, '5.1.1 No such user'] });
      await given.mailbox(sink, { min_seconds_between: HOUR_SECONDS });
      const campaign = await given.running(await given.contacts(5, 'refused'));
      await eventually(async () => {
        const statuses = (await messagesOf(campaign)).map(({ status }) => status).sort();
        expect(statuses).toEqual(['bounced', 'bounced', 'bounced', 'queued', 'sent']);
      });
      expect(sink.mails).toHaveLength(1);
      expect(await reasonsOf(campaign)).toEqual(['min_seconds_between']);
    });

    it('begins when it is set in the middle of a campaign', async () => {
      sink.misbehave({ at: 'reply', wait: () => pause(20) });
      const { id } = await given.mailbox(sink);
      const campaign = await given.running(await given.contacts(90));
      await eventually(() => expect(sink.mails.length).toBeGreaterThan(10));
      await api.put(`/email-accounts/${id}`, { min_seconds_between: HOUR_SECONDS });
      const before = sink.mails.length;
      await eventually(async () => {
        const reasons = await reasonsOf(campaign);
        expect(reasons.filter((reason) => reason !== 'min_seconds_between')).toEqual([]);
        expect(reasons.length + sink.mails.length).toBe(90);
      });
      // What was being sent at that moment: one message of each connection.
      expect(sink.mails.length).toBeLessThanOrEqual(before + 5);
      sink.behave();
    });

    it('grows day by day, but not on days on which nothing was due', async () => {
      const { id } = await given.mailbox(sink, { daily_limit: 10, ramp_start: 2, ramp_per_day: 3 });
      const stats = async () => (await api.get(`/email-accounts/${id}/stats`)).data;
      const campaign = await given.running(await given.contacts(7, 'first'));
      await eventually(async () => expect(await reasonsOf(campaign)).toEqual(Array(5).fill('daily_limit')));
      expect(sink.mails).toHaveLength(2);
      expect(await stats()).toMatchObject({ effective_limit_today: 2, remaining_today: 0 });
      service.clocks.advance(api.workspaceId, { days: 1 });
      // The worker may have used up the limit already.
      expect(await stats()).toMatchObject({ effective_limit_today: 5 });
      await completed(campaign);
      expect(sink.mails).toHaveLength(7);
      service.clocks.advance(api.workspaceId, { days: 4 });
      expect(await stats()).toMatchObject({ effective_limit_today: 8, remaining_today: 8, can_send_today: true });
      const second = await given.running(await given.contacts(20, 'second'));
      await eventually(async () => expect(await reasonsOf(second)).toEqual(Array(12).fill('daily_limit')));
      expect(sink.mails).toHaveLength(15);
      service.clocks.advance(api.workspaceId, { days: 1 });
      // The last two have the reason of the day before until the others are sent.
      await sent(second, 18);
      expect(await reasonsOf(second)).toEqual(Array(2).fill('daily_limit'));
      expect(await stats()).toMatchObject({ effective_limit_today: 10, sent_today: 10 });
      expect(sink.mails).toHaveLength(25);
    });

    it('sends what the daily limit allows although messages are refused after it was used up', async () => {
      const gate = new RequestGate(0);
      sink.misbehave({ at: 'rcpt', times: 2, wait: gate.pass, refuse: [550, '5.7.1 Not here'] });
      const { id } = await given.mailbox(sink, { daily_limit: 4 });
      const campaign = await given.running(await given.contacts(8));
      await eventually(() => expect([gate.waiting, sink.mails.length]).toEqual([2, 2]));
      gate.open();
      await eventually(async () => expect(await reasonsOf(campaign)).toEqual(Array(2).fill('daily_limit')));
      expect(sink.mails).toHaveLength(4);
      expect((await api.get(`/email-accounts/${id}/stats`)).data).toMatchObject({
        ...{ sent_today: 4, remaining_today: 0, can_send_today: false },
      });
    });

    it('takes a higher ramp into account at once', async () => {
      const { id } = await given.mailbox(sink, { ramp_start: 2 });
      const campaign = await given.running(await given.contacts(6));
      await eventually(async () => expect(await reasonsOf(campaign)).toEqual(Array(4).fill('daily_limit')));
      await api.put(`/email-accounts/${id}`, { ramp_start: 5 });
      await eventually(async () => expect(await reasonsOf(campaign)).toEqual(['daily_limit']));
      expect(sink.mails).toHaveLength(5);
      await api.put(`/email-accounts/${id}`, { ramp_start: null });
      await completed(campaign);
    });

    it('sends an answer to a reply before the messages that wait, and after the gap', async () => {
      const account = await given.mailbox(sink, { min_seconds_between: HOUR_SECONDS });
      const campaign = await given.running(await given.contacts(4, 'waiting'));
      await sent(campaign, 1);
      expect(await reasonsOf(campaign)).toEqual(Array(3).fill('min_seconds_between'));
      const mailroom = new Mailroom(service, api, given);
      const { message_id: to, contact } = await mailroom.sent({ account: account.id });
      const reply = await mailroom.replied({ to, from: contact.email });
      const { data: answer } = await api.post(`/replies/${reply.id}/answer`, { body: '<p>Monday at nine?</p>' });
      expect(answer).toMatchObject({ status: 'queued', reason: 'min_seconds_between' });
      expect(sink.mails).toHaveLength(1);
      service.clocks.advance(api.workspaceId, { hours: 2 });
      await eventually(() => expect(sink.mails).toHaveLength(2));
      expect(sink.mails[1]?.to).toEqual([contact.email]);
      await eventually(async () => expect(await reasonsOf(campaign)).toEqual(Array(3).fill('min_seconds_between')));
    });

    it('passes with the clock of the workspace', async () => {
      await given.mailbox(sink, { min_seconds_between: HOUR_SECONDS });
      const campaign = await given.running(await given.contacts(3));
      await sent(campaign, 1);
      expect(await reasonsOf(campaign)).toEqual(Array(2).fill('min_seconds_between'));
      service.clocks.advance(api.workspaceId, { hours: 2 });
      await sent(campaign, 2);
      expect(await reasonsOf(campaign)).toEqual(['min_seconds_between']);
      service.clocks.advance(api.workspaceId, { hours: 2 });
      await completed(campaign);
    });
  });
});

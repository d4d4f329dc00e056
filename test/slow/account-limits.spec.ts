import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { recoverMessages } from '../support/killed-workers.js';
import { MailSink, type ReceivedMail } from '../support/mail-sink.js';
import { Mailroom } from '../support/replies.js';
import { RequestGate } from '../support/request-gate.js';
import { ServiceProcess } from '../support/service-process.js';
import { useService } from '../support/service.js';

const HOUR_SECONDS = 3_600;
const CONNECTIONS = 5;

/** The milliseconds between each mail and the one before it, as the server has received them. */
const gapsOf = (mails: readonly ReceivedMail[]): number[] =>
  mails.slice(1).map(({ at }, index) => at.getTime() - (mails[index]?.at.getTime() ?? 0));

let sink: MailSink;
let api: ApiClient;
let given: Given;

function useServiceAndSink() {
  const service = useService();
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterEach(() => sink.stop());
  return service;
}

const messagesOf = async ({ id }: { id: number }): Promise<Schema<'Message'>[]> =>
  (await api.get(`/campaigns/${id}/messages?per_page=100`)).data;
const statusesOf = async (campaign: { id: number }) => (await messagesOf(campaign)).map(({ status }) => status).sort();
const reasonsOf = async (campaign: { id: number }) =>
  (await messagesOf(campaign)).filter(({ status }) => status === 'queued').map(({ reason }) => reason);
/** The gap begins when a message is recorded as sent, after the server has it. */
const sent = (campaign: { id: number }, count: number) =>
  eventually(async () =>
    expect((await statusesOf(campaign)).filter((status) => status === 'sent')).toHaveLength(count),
  );
const completed = (campaign: { id: number }) =>
  eventually(async () => expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed'));

describe('the gap of an account whose worker was killed', () => {
  const service = useServiceAndSink();

  it('begins anew after a message that the server has accepted, and after one that it may have accepted', async () => {
    const [accepting, doubtful] = [new RequestGate(0), new RequestGate(0)];
    const sender = (name: string) =>
      given.mailbox(sink, { min_seconds_between: HOUR_SECONDS, from_email: `${name}@sender.example` });
    const mailsFrom = (name: string) => sink.mails.filter(({ from }) => from === `${name}@sender.example`);
    sink.misbehave(
      { at: 'reply', matches: /^accepted/, times: 1, wait: accepting.pass },
      { at: 'rcpt', matches: /^doubtful/, times: 1, wait: doubtful.pass },
    );
    const [accepted, uncertain] = [await sender('accepted'), await sender('doubtful')];
    const worker = await ServiceProcess.startWorker(service);
    const first = await given.running(await given.contacts(3, 'accepted'), { email_account_ids: [accepted.id] });
    const second = await given.running(await given.contacts(2, 'doubtful'), {
      ...{ email_account_ids: [uncertain.id], on_unknown: 'hold' },
    });
    await eventually(() => expect([accepting.waiting, doubtful.waiting]).toEqual([1, 1]));
    await worker.kill();
    for (const campaign of [first, second]) expect(await reasonsOf(campaign)).not.toContain('daily_limit');
    await recoverMessages(service);
    expect(await reasonsOf(first)).toEqual(Array(3).fill('min_seconds_between'));
    expect(await statusesOf(second)).toEqual(['queued', 'unknown']);
    expect(await reasonsOf(second)).toEqual(['min_seconds_between']);

    await service.startWorker();
    await api.put(`/email-accounts/${uncertain.id}`, { min_seconds_between: 0 });
    await eventually(() => expect(mailsFrom('doubtful')).toHaveLength(1));
    // The worker has had its turn.
    expect(mailsFrom('accepted')).toHaveLength(1);
    for (let count = 1; count <= 3; count++) {
      service.clocks.advance(api.workspaceId, { hours: 2 });
      await sent(first, count);
      expect(mailsFrom('accepted')).toHaveLength(1 + count);
    }
    expect(new Set(mailsFrom('accepted').map((mail) => mail.message_id)).size).toBe(3);
  });
});

describe('the gap and the ramp of an account', () => {
  const service = useServiceAndSink();
  beforeAll(async () => {
    await service.startWorker();
  });

  describe('with a worker in this process and one in another', () => {
    let other: ServiceProcess;
    beforeAll(async () => {
      other = await ServiceProcess.startWorker(service);
    });
    afterAll(() => other.stop());

    it('has its gap between all messages of all campaigns', async () => {
      await given.mailbox(sink, { min_seconds_between: 1 });
      const campaigns = [
        await given.running(await given.contacts(2, 'a')),
        await given.running(await given.contacts(2, 'b')),
      ];
      for (const campaign of campaigns) await completed(campaign);
      expect(sink.mails).toHaveLength(4);
      expect(Math.min(...gapsOf(sink.mails))).toBeGreaterThanOrEqual(1_000);
    });

    it.each([
      ['its daily limit', { daily_limit: 37 }, [37, 37]],
      ['the first day of a ramp', { ramp_start: 7, ramp_per_day: 5 }, [7, 12]],
    ])('sends exactly what %s allows', async (_, fields, limits) => {
      const { id } = await given.mailbox(sink, fields);
      const campaign = await given.running(await given.contacts(90));
      // If the day (UTC) ends meanwhile, the next one has a limit of its own.
      await eventually(async () => {
        const { data: stats } = await api.get(`/email-accounts/${id}/stats`);
        expect(limits).toContain(stats.effective_limit_today);
        expect(stats).toMatchObject({
          ...{ sent_today: stats.effective_limit_today, remaining_today: 0, can_send_today: false },
        });
        expect(await statusesOf(campaign)).not.toContain('sending');
        expect(new Set(await reasonsOf(campaign))).toEqual(new Set(['daily_limit']));
      });
      const instants = (await messagesOf(campaign)).flatMap(({ sent_at: at }) => at ?? []).sort();
      expect(sink.mails).toHaveLength(instants.length);
      const days = [...new Set(instants.map((at) => at.slice(0, 10)))];
      const counts = days.map((day) => instants.filter((at) => at.startsWith(day)).length);
      counts.forEach((count, day) => expect(count).toBeLessThanOrEqual(limits[day] ?? 0));
    });
  });

  describe('with a worker in this process', () => {
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
        expect(await statusesOf(campaign)).toEqual(['bounced', 'bounced', 'bounced', 'queued', 'sent']);
      });
      expect(sink.mails).toHaveLength(1);
      expect(await reasonsOf(campaign)).toEqual(['min_seconds_between']);
    });

    it('begins when it is set in the middle of a campaign', async () => {
      const gate = new RequestGate(10);
      sink.misbehave({ at: 'reply', wait: gate.pass });
      const { id } = await given.mailbox(sink);
      const campaign = await given.running(await given.contacts(90));
      await eventually(() => expect(gate.waiting).toBe(CONNECTIONS));
      await api.put(`/email-accounts/${id}`, { min_seconds_between: HOUR_SECONDS });
      gate.open();
      await eventually(async () => {
        const reasons = await reasonsOf(campaign);
        expect(reasons.filter((reason) => reason !== 'min_seconds_between')).toEqual([]);
        expect(reasons.length + sink.mails.length).toBe(90);
      });
      // What was being sent at that moment: one message of each connection.
      expect(sink.mails).toHaveLength(10 + CONNECTIONS);
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

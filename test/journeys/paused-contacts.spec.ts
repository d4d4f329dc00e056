import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { useService } from '../support/service.js';

const DAY_MS = 86_400_000;
const WAITING = { status: 'queued', reason: 'contact_paused' };
const after = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

describe('a paused contact', () => {
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
    await given.mailbox(sink);
  });
  afterEach(() => sink.stop());

  const pause = (contact: { id: number }, until: unknown) => api.post(`/contacts/${contact.id}/pause`, { until });
  const resume = (contact: { id: number }) => api.post(`/contacts/${contact.id}/resume`);
  const messages = async (campaign: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${campaign.id}/messages`)).data;
  const enrollment = async (campaign: { id: number }, contact: { id: number }) =>
    (await api.get(`/campaigns/${campaign.id}/contacts/${contact.id}`)).data;
  const sentTo = () => sink.mails.flatMap(({ to }) => to);

  it('gets nothing while others do, shows until when, and gets it at once when it is resumed', async () => {
    const [contact, other] = [await given.contact(), await given.contact()];
    const until = after(3);
    const { status, data } = await pause(contact, until);
    expect([status, data.paused_until]).toEqual([200, until]);
    const campaign = await given.running([contact.id, other.id]);
    await eventually(async () => {
      expect(sentTo()).toEqual([other.email]);
      expect((await messages(campaign)).find(({ contact_id: id }) => id === contact.id)).toMatchObject(WAITING);
    });
    expect(await enrollment(campaign, contact)).toMatchObject({ waiting_for: 'contact_paused', next_send_at: until });
    expect((await resume(contact)).data.paused_until).toBeNull();
    await eventually(() => expect(sentTo()).toEqual([other.email, contact.email]));
  });

  it('keeps a message that is queued already, and another pause replaces the first one', async () => {
    const contact = await given.contact();
    const closed = { timezone: 'UTC', days: [((new Date().getUTCDay() + 3) % 7) + 1], start: '09:00', end: '09:30' };
    const campaign = await given.running([contact.id], { schedule: closed });
    await eventually(async () =>
      expect(await messages(campaign)).toMatchObject([{ status: 'queued', reason: 'outside_schedule' }]),
    );
    for (const days of [20, 10]) {
      expect((await pause(contact, after(days))).status).toBe(200);
      expect(await messages(campaign)).toMatchObject([WAITING]);
      expect(Date.parse((await enrollment(campaign, contact)).next_send_at)).toBeGreaterThan(
        Date.now() + days * DAY_MS - DAY_MS,
      );
    }
    await api.put(`/campaigns/${campaign.id}`, { schedule: null });
    expect(sink.mails).toEqual([]);
    await resume(contact);
    await eventually(() => expect(sentTo()).toEqual([contact.email]));
  });

  it('gets no message that was claimed before the pause and waits for its server', async () => {
    const gate = new RequestGate(0);
    sink.misbehave({ at: 'connect', wait: gate.pass });
    const contact = await given.contact();
    const campaign = await given.running([contact.id]);
    await eventually(() => expect(gate.waiting).toBeGreaterThan(0));
    expect((await pause(contact, after(1))).status).toBe(200);
    gate.open();
    await eventually(async () => expect(await messages(campaign)).toMatchObject([WAITING]));
    expect(sink.mails).toEqual([]);
    await resume(contact);
    await eventually(() => expect(sentTo()).toEqual([contact.email]));
  });

  it('does not keep a message that is planned while it is resumed', async () => {
    const contact = await given.contact();
    await pause(contact, after(1));
    const campaign = await given.campaign({ steps: [{ subject: 'Hello', body: '<p>Hello</p>' }] });
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] });
    const lock = 'SELECT 1 FROM contacts WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE';
    const blocking = await BlockingTransaction.begin(service.database, lock, [api.workspaceId, contact.id]);
    await api.post(`/campaigns/${campaign.id}/start`);
    const resumed = resume(contact);
    await blocking.blocks(1);
    await blocking.end();
    expect((await resumed).status).toBe(200);
    await eventually(async () => {
      expect(sentTo()).toEqual([contact.email]);
      expect(await messages(campaign)).toMatchObject([{ status: 'sent' }]);
    });
  });

  it('gets its message when the clock of a sandbox passes the end of the pause', async () => {
    const sandbox = await service.sandbox();
    const own = new Given(sandbox, service.database);
    await own.mailbox(sink);
    const contact = await own.contact();
    const until = after(5);
    await sandbox.post(`/contacts/${contact.id}/pause`, { until });
    const campaign = await own.running([contact.id]);
    const statusAfter = async (to: string) => {
      await sandbox.post('/sandbox/clock', { to });
      await eventually(async () => expect((await sandbox.get('/sandbox/clock')).data.is_settled).toBe(true));
      return (await sandbox.get(`/campaigns/${campaign.id}/messages`)).data;
    };
    expect(await statusAfter(after(4))).toMatchObject([WAITING]);
    expect(await statusAfter(after(6))).toMatchObject([{ status: 'sent' }]);
    expect((await sandbox.get('/contacts?paused=1')).data).toEqual([]);
  });

  it('is found by a filter, and only while the pause lasts', async () => {
    const [contact, other] = [await given.contact(), await given.contact()];
    await pause(contact, after(2));
    const ids = async (filter: string) =>
      (await api.get(`/contacts?${filter}`)).data.map(({ id }: { id: number }) => id).sort();
    expect([await ids('paused=1'), await ids('paused=0')]).toEqual([[contact.id], [other.id]]);
    service.clocks.advance(api.workspaceId, { days: 3 });
    expect([await ids('paused=1'), await ids('paused=0')]).toEqual([[], [contact.id, other.id].sort()]);
  });

  it('is paused until an instant in the future, in the own workspace', async () => {
    const contact = await given.contact();
    for (const until of [undefined, null, 'tomorrow', 5, after(-1)]) {
      const { status, body } = await pause(contact, until);
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['until']]);
    }
    const otherWorkspace = await service.client();
    for (const path of [`/contacts/${contact.id}/pause`, `/contacts/${contact.id}/resume`])
      expect((await otherWorkspace.post(path, path.endsWith('pause') ? { until: after(1) } : undefined)).status).toBe(
        404,
      );
    const reading = await service.client(['contacts:write', 'campaigns:read']);
    expect((await reading.post(`/contacts/${contact.id}/resume`)).status).toBe(403);
  });
});

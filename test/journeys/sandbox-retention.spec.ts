import type { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';
import { trustReceivers, WebhookReceiver } from '../support/webhook-receiver.js';

const DAY_SECONDS = 86_400;
/** Of the attempts at a delivery. */
const SCHEDULE_SECONDS = 5 + 300 + 1_800 + 7_200 + 18_000 + 2 * 36_000;
const ACCOUNT = {
  ...{ name: 'Sales', type: 'smtp', from_email: 'sales@sender.example', from_name: 'Sales' },
  ...{ smtp_host: 'mail.nowhere.invalid', smtp_port: 587, smtp_username: 'ann', smtp_password: 'secret' },
};
const STEPS = [{ subject: 'Hello', body: '<p>Hello</p>' }];

describe('a sandbox whose clock is put forward by days', () => {
  trustReceivers();
  const service = useService();
  let receiver: WebhookReceiver;
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    await service.startWorker();
    receiver = await WebhookReceiver.start();
  });
  beforeEach(async () => {
    api = await service.sandbox();
    given = new Given(api, service.database);
  });
  afterAll(() => receiver.stop());

  const advanceDays = async (days: number) =>
    expect((await api.post('/sandbox/clock', { advance_seconds: days * DAY_SECONDS })).data).toMatchObject({
      is_settled: true,
    });
  /** Days of logs end at midnight. */
  const advanceToNoon = async () => {
    const now = Date.parse((await api.get('/sandbox/clock')).data.now) / 1_000;
    const noon = (Math.floor(now / DAY_SECONDS) + 1.5) * DAY_SECONDS;
    await api.post('/sandbox/clock', { advance_seconds: Math.floor(noon - now) });
  };
  const eventNames = async (): Promise<string[]> =>
    (await api.get('/events?after=0&limit=1000')).data.map(({ event }: { event: string }) => event);

  it('has deleted the events of the feed that are older than seven days when the response comes', async () => {
    await given.contact();
    await advanceDays(6);
    expect(await eventNames()).toEqual(['contact.created']);
    await advanceDays(2);
    expect(await eventNames()).toEqual([]);
    const { id } = await given.contact();
    expect((await api.get('/events')).data).toMatchObject([{ event: 'contact.created', data: { id } }]);
  });

  it('has deleted logs of webhooks, imports and sent messages after 30 days, and keeps those of 29', async () => {
    await advanceToNoon();
    const url = receiver.url('/hook');
    const { data: hook } = await api.post('/webhooks', { url, events: ['contact.created'] });
    const form = new FormData();
    form.append('file', new File(['email\nada@recipient.example\n'], 'people.csv'));
    expect((await api.post('/contacts/import', form)).data).toMatchObject({ imported: 1 });
    await api.post('/email-accounts', ACCOUNT);
    await given.running([(await given.contact()).id], { steps: STEPS });
    const counts = async () =>
      Promise.all(
        [`/webhooks/${hook.id}/logs`, '/imports', '/sandbox/messages'].map(
          async (path) => (await api.get(path)).body.meta.total as number,
        ),
      );
    const logs = async () => {
      const { data, meta } = (await api.get(`/webhooks/${hook.id}/logs`)).body;
      return [data.length, meta.total];
    };
    await advanceDays(29);
    expect(await counts()).toEqual([2, 1, 1]);
    await advanceDays(1);
    expect(await logs()).toEqual([2, 2]);
    await advanceDays(1);
    expect(await counts()).toEqual([0, 0, 0]);
  });

  it('has dropped what waited for an inactive webhook for 28 hours', async () => {
    const url = receiver.url('/inactive');
    const { data: hook } = await api.post('/webhooks', { url, events: ['contact.created'] });
    receiver.reply = ({ path }) => ({ status: path === '/inactive' ? 500 : 204 });
    await given.contact();
    await api.post('/sandbox/clock', { advance_seconds: 60 });
    await api.put(`/webhooks/${hook.id}`, { is_active: false });
    await advanceDays(2);
    const { data: logs } = await api.get(`/webhooks/${hook.id}/logs`);
    expect(logs[0]).toMatchObject({ success: false, response: 'dropped' });
  });

  it('has attempted a redelivery to an inactive webhook eight times, at the times of the schedule', async () => {
    receiver.reply = () => ({});
    const { data: hook } = await api.post('/webhooks', { url: receiver.url('/again'), events: ['contact.created'] });
    await given.contact();
    await api.post('/sandbox/clock', { advance_seconds: 60 });
    const logs = async () => (await api.get(`/webhooks/${hook.id}/logs?direction=asc`)).data;
    const [log] = await logs();
    await api.put(`/webhooks/${hook.id}`, { is_active: false });
    receiver.reply = ({ path }) => ({ status: path === '/again' ? 500 : 204 });
    const { status } = await api.post(`/webhooks/${hook.id}/logs/${log.id}/redeliver`);
    expect(status).toBe(202);
    await advanceDays(2);
    const [, ...attempts] = await logs();
    expect(attempts.map(({ attempt }: { attempt: number }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const seconds = (Date.parse(attempts[7].created_at) - Date.parse(attempts[0].created_at)) / 1_000;
    expect(seconds).toBeGreaterThanOrEqual(0.8 * SCHEDULE_SECONDS);
    // The clock does together what is due within ten seconds.
    expect(seconds).toBeLessThanOrEqual(1.2 * SCHEDULE_SECONDS + 7 * 10);
    expect((await api.get(`/webhooks/${hook.id}`)).data).toMatchObject({ is_active: false, pending_count: 0 });
  });

  it('deletes nothing in other workspaces', async () => {
    const other = await service.client();
    await new Given(other, service.database).contact();
    await given.contact();
    await advanceDays(100);
    expect((await other.get('/events?after=0')).data).toHaveLength(1);
  });
});

import { createHmac } from 'node:crypto';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { startService, type TestService } from '../support/service.js';
import { type Reply, WebhookReceiver } from '../support/webhook-receiver.js';
import { passTime } from '../support/webhook-time.js';

const HOUR = 3600;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Says half of what it has announced, and hangs up. */
const CUT = {
  async *[Symbol.asyncIterator]() {
    yield 'half an answer';
  },
};

interface Subscribed {
  readonly id: number;
  readonly secret: string;
  readonly path: string;
}

describe('webhooks', () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  let api: ApiClient;
  let given: Given;
  let numbered = 0;

  beforeAll(async () => {
    service = await startService();
    await service.startWorker();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterEach(async () => {
    // Nothing of one test is delivered in the next.
    await service.database.query('DELETE FROM webhooks');
    await receiver.stop();
  });

  async function subscribe(events: string[] = ['contact.created'], fields: object = {}): Promise<Subscribed> {
    const path = `/hook/${(numbered += 1)}`;
    const { status, body } = await api.post('/webhooks', { url: receiver.url(path), events, ...fields });
    expect([status, body]).toEqual([201, expect.anything()]);
    return { id: body.data.id, secret: body.data.secret, path };
  }

  const webhook = async ({ id }: Subscribed): Promise<any> => (await api.get(`/webhooks/${id}`)).data;
  const logs = async ({ id }: Subscribed, query = ''): Promise<any[]> =>
    (await api.get(`/webhooks/${id}/logs?per_page=100&direction=asc${query}`)).data;
  const received = (hook: Subscribed, count: number): Promise<any[]> =>
    eventually(() => {
      expect(receiver.at(hook.path)).toHaveLength(count);
      return receiver.at(hook.path);
    });
  const logged = (hook: Subscribed, count: number): Promise<any[]> =>
    eventually(async () => {
      const all = await logs(hook);
      expect(all).toHaveLength(count);
      return all;
    });
  const waiting = (): Promise<any[]> =>
    service.database.query(
      `SELECT attempts, extract(epoch FROM next_attempt_at - now())::float8 AS seconds,
         extract(epoch FROM paused_until - now())::float8 AS paused
       FROM webhook_deliveries delivery JOIN webhooks webhook ON webhook.id = delivery.webhook_id ORDER BY delivery.id`,
    );

  it('are told of an event with a body that is signed byte for byte', async () => {
    const hook = await subscribe();
    const contact = await given.contact({ first_name: 'Zoë “Z”', custom_fields: { note: 'a\nb\u2028c' } });
    const [request] = await received(hook, 1);
    expect(request).toMatchObject({ method: 'POST', path: hook.path });
    expect(request.body).toEqual({
      event: 'contact.created',
      workspace_id: api.workspaceId,
      data: (await api.get(`/contacts/${contact.id}`)).data,
    });
    const headers = request.headers;
    const sent = request.raw.toString('utf8');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Outreach-Webhooks/1',
      'x-service-event': 'contact.created',
      'x-service-signature': createHmac('sha256', hook.secret).update(request.raw).digest('hex'),
      'x-service-delivery': expect.stringMatching(UUID),
      'x-service-timestamp': expect.stringMatching(/^\d{10}$/),
      'x-service-attempt': '1',
      'webhook-id': headers['x-service-delivery'],
      'webhook-timestamp': headers['x-service-timestamp'],
    });
    const key = Buffer.from(hook.secret.replace('whsec_', ''), 'base64');
    const signed = `${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${sent}`;
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    const [log] = await logged(hook, 1);
    expect(log).toMatchObject({ event: 'contact.created', status_code: 200, success: true, payload: request.body });
    expect(await webhook(hook)).toMatchObject({ failure_count: 0, last_triggered_at: expect.any(String) });
  });

  it('are told by one connection, again and again', async () => {
    const hook = await subscribe();
    for (let n = 1; n <= 5; n++) {
      await given.contact();
      await received(hook, n);
    }
    expect(receiver.connections).toBe(1);
  });

  it('each get what they have subscribed to, and nothing of other workspaces', async () => {
    const created = await subscribe(['contact.created']);
    const both = await subscribe(['contact.created', 'contact.deleted']);
    const inactive = await subscribe(['contact.created'], { is_active: false });
    const stranger = await service.client();
    await new Given(stranger, service.database).contact();
    const { id } = await given.contact();
    await api.delete(`/contacts/${id}`);
    await received(both, 2);
    await received(created, 1);
    expect(receiver.at(inactive.path)).toHaveLength(0);
    expect(receiver.received.every(({ body }) => body.workspace_id === api.workspaceId)).toBe(true);
  });

  describe('that fail', () => {
    const replies: readonly [string, Reply, number, RegExp][] = [
      ['a server error', { status: 500, body: 'broken' }, 500, /^broken$/],
      ['a client error', { status: 410 }, 410, /^$/],
      ['a redirect', { status: 302, headers: { location: 'https://example.com/' } }, 302, /^$/],
      ['a reset', 'reset', 0, /reset|cut|lost|closed/i],
      ['a body that is cut', { headers: { 'content-length': 100 }, body: CUT }, 200, /The response was incomplete/],
    ];
    it.each(replies)('are logged, counted and retried: %s', async (_, reply, status, response) => {
      const hook = await subscribe();
      receiver.reply = () => reply;
      await given.contact();
      const [log] = await logged(hook, 1);
      expect(log).toMatchObject({ status_code: status, success: false, attempt: 1 });
      expect(log.response).toMatch(response);
      expect(await webhook(hook)).toMatchObject({ failure_count: 1, is_active: true });
      const [delivery] = await waiting();
      expect(delivery).toMatchObject({ attempts: 1 });
      expect(delivery.seconds).toBeLessThanOrEqual(6);
      receiver.reply = () => ({});
      await passTime(service.database, 6);
      const [first, second] = await logged(hook, 2);
      expect(second).toMatchObject({ status_code: 200, success: true, attempt: 2, delivery_id: first.delivery_id });
      const [one, two] = await received(hook, 2);
      expect(two.raw).toEqual(one.raw);
      expect(two.headers).toMatchObject({
        'x-service-delivery': one.headers['x-service-delivery'],
        'x-service-attempt': '2',
      });
      expect(await webhook(hook)).toMatchObject({ failure_count: 0 });
      expect(await waiting()).toEqual([]);
    });

    it('are tried eight times in all, at the pauses of the schedule, and one event alone does not disable', async () => {
      const hook = await subscribe();
      receiver.reply = () => ({ status: 503 });
      await given.contact();
      const pauses = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];
      for (const [index, pause] of pauses.entries()) {
        await logged(hook, index + 1);
        const [delivery] = await waiting();
        expect(delivery.attempts).toBe(index + 1);
        expect(delivery.seconds).toBeGreaterThan(pause * 0.8 - 10);
        expect(delivery.seconds).toBeLessThanOrEqual(pause * 1.2);
        await passTime(service.database, 2 * 36_000);
      }
      const all = await logged(hook, 8);
      expect(all.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(await waiting()).toEqual([]);
      expect(await webhook(hook)).toMatchObject({ failure_count: 8, is_active: true });
    });

    it('are left alone after a failure: all else waits for one attempt at a time', async () => {
      const hook = await subscribe();
      receiver.reply = () => ({ status: 500 });
      await given.contact();
      await logged(hook, 1);
      for (let n = 0; n < 20; n++) await given.contact();
      await passTime(service.database, 6);
      await logged(hook, 2);
      expect(await webhook(hook)).toMatchObject({ failure_count: 2 });
      const all = await waiting();
      expect(all).toHaveLength(21);
      expect(all[0].paused).toBeGreaterThan(24 - 10);
      receiver.reply = () => ({});
      await passTime(service.database, 400);
      await received(hook, 2 + 21);
      expect(await webhook(hook)).toMatchObject({ failure_count: 0 });
    });

    it('are disabled by the tenth failure in a row, and another webhook hears of it', async () => {
      const hook = await subscribe(['contact.created']);
      const watching = await subscribe(['webhook.disabled']);
      receiver.reply = ({ path }) => (path === hook.path ? { status: 500 } : {});
      for (let n = 0; n < 15; n++) await given.contact();
      await eventually(async () => {
        await passTime(service.database, HOUR * 20);
        expect(await webhook(hook)).toMatchObject({ is_active: false });
      });
      expect(await webhook(hook)).toMatchObject({ failure_count: 10 });
      const failed = await logs(hook);
      expect(failed).toHaveLength(10);
      const [request] = await received(watching, 1);
      expect(request.body).toMatchObject({
        event: 'webhook.disabled',
        data: { id: hook.id, is_active: false, failure_count: 10 },
      });
      expect(request.raw.toString()).not.toContain('whsec_');
      const before = receiver.at(hook.path).length;
      await given.contact();
      await passTime(service.database, HOUR * 20);
      const { body } = await api.put(`/webhooks/${watching.id}`, { events: ['webhook.disabled', 'contact.created'] });
      expect(body.data.events).toHaveLength(2);
      await given.contact();
      await received(watching, 2);
      expect(receiver.at(hook.path)).toHaveLength(before);
    });

    it('resume what is younger than 28 hours when they are enabled again, and log the rest as dropped', async () => {
      const hook = await subscribe();
      receiver.reply = () => ({ status: 500 });
      await given.contact({ email: 'old@example.com' });
      await logged(hook, 1);
      await api.put(`/webhooks/${hook.id}`, { is_active: false });
      await passTime(service.database, 27 * HOUR);
      await service.database.query(
        `UPDATE webhooks SET is_active = true, paused_until = now() + interval '1 hour' WHERE id = $1`,
        [hook.id],
      );
      await given.contact({ email: 'young@example.com' });
      await service.database.query('UPDATE webhooks SET is_active = false WHERE id = $1', [hook.id]);
      await passTime(service.database, 2 * HOUR);
      receiver.reply = () => ({});
      await api.put(`/webhooks/${hook.id}`, { is_active: true });
      await received(hook, 2);
      expect((await received(hook, 2))[1].body.data.email).toBe('young@example.com');
      const dropped = (await logged(hook, 3)).filter(({ response }) => response === 'dropped');
      expect(dropped).toEqual([expect.objectContaining({ status_code: 0, success: false, event: 'contact.created' })]);
      expect(dropped[0].payload.data.email).toBe('old@example.com');
      expect(await waiting()).toEqual([]);
    });
  });

  it('sign what waits with the new secret as soon as the old one is replaced', async () => {
    const hook = await subscribe();
    receiver.replyOnce({ status: 500 });
    await given.contact();
    await logged(hook, 1);
    const { body } = await api.post(`/webhooks/${hook.id}/regenerate-secret`);
    await passTime(service.database, 6);
    const [, second] = await received(hook, 2);
    const { secret } = body.data;
    expect(secret).not.toBe(hook.secret);
    expect(second.headers['x-service-signature']).toBe(createHmac('sha256', secret).update(second.raw).digest('hex'));
  });

  it('whose secret can no longer be opened fail, and say why, until it is replaced', async () => {
    const hook = await subscribe();
    await service.database.query(`UPDATE webhooks SET secret = 'sealed by a key that is gone' WHERE id = $1`, [
      hook.id,
    ]);
    await given.contact();
    const [log] = await logged(hook, 1);
    expect(log).toMatchObject({ status_code: 0, success: false, response: expect.stringContaining('regenerate it') });
    expect((await api.post(`/webhooks/${hook.id}/test`)).status).toBe(422);
    await api.post(`/webhooks/${hook.id}/regenerate-secret`);
    await passTime(service.database, 6);
    await received(hook, 1);
  });

  it('that are deleted or made inactive hear no more, also of what waited', async () => {
    const [deleted, stopped] = [await subscribe(), await subscribe()];
    receiver.reply = () => ({ status: 500 });
    await given.contact();
    await logged(deleted, 1);
    await logged(stopped, 1);
    await api.delete(`/webhooks/${deleted.id}`);
    await api.put(`/webhooks/${stopped.id}`, { is_active: false });
    await passTime(service.database, HOUR);
    const other = await subscribe(['contact.deleted', 'contact.created']);
    receiver.reply = () => ({});
    await given.contact();
    await received(other, 1);
    expect([receiver.at(deleted.path).length, receiver.at(stopped.path).length]).toEqual([1, 1]);
  });

  it('that are slow delay no other', async () => {
    const slow = await Promise.all(Array.from({ length: 8 }, () => subscribe()));
    const quick = await subscribe();
    const released: (() => void)[] = [];
    receiver.reply = ({ path }) =>
      path === quick.path ? {} : { wait: () => new Promise<void>((resolve) => released.push(resolve)) };
    for (let n = 0; n < 10; n++) await given.contact();
    await received(quick, 10);
    expect(slow.every(({ path }) => receiver.at(path).length === 1)).toBe(true);
    receiver.reply = () => ({});
    for (const release of released) release();
    for (const hook of slow) await received(hook, 10);
  });

  it('send a payload again on request, also to an inactive webhook', async () => {
    const hook = await subscribe();
    await given.contact();
    const [log] = await logged(hook, 1);
    await api.put(`/webhooks/${hook.id}`, { is_active: false });
    const { status, body } = await api.post(`/webhooks/${hook.id}/logs/${log.id}/redeliver`);
    expect(status).toBe(202);
    const [first, second] = await received(hook, 2);
    expect(second.raw).toEqual(first.raw);
    expect(second.headers['x-service-delivery']).toBe(body.data.delivery_id);
    expect(await webhook(hook)).toMatchObject({ is_active: false });
    expect(await logged(hook, 2)).toHaveLength(2);
  });
});

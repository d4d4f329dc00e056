import { createHmac } from 'node:crypto';
import { useDeliveryTimeout } from '../support/delivery-timeout.js';
import { eventually } from '../support/eventually.js';
import { UUID } from '../support/expected.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';
import { violatedInvariants } from '../support/webhook-invariants.js';
import { WebhookFixture } from '../support/webhook-fixture.js';
import { type Reply, trustReceivers } from '../support/webhook-receiver.js';

const HOUR = 3600;
/** Longer than a test lasts: no delivery fails because the machine is slow. */
const DELIVERY_TIMEOUT_MS = 3_600_000;
/** With the shortest possible pauses: attempts at once, then after 4, 24, 96, 240, 720 and 1,440 s. */
const MAX_ATTEMPTS_PER_HOUR = 7;

/** Sends less than its Content-Length, and closes the connection. */
const INCOMPLETE_BODY = {
  async *[Symbol.asyncIterator]() {
    yield 'half a response';
  },
};

describe('webhook deliveries', () => {
  trustReceivers();
  useDeliveryTimeout(DELIVERY_TIMEOUT_MS);
  const service = useService();
  let fixture: WebhookFixture;

  beforeAll(async () => {
    await service.startWorker();
  });
  beforeEach(async () => {
    fixture = await WebhookFixture.start(service);
    // Time passes only when a test says so.
    service.clocks.stop(fixture.api.workspaceId);
  });
  afterEach(() => fixture.clear());

  const passTime = (seconds: number): void => service.clocks.advance(fixture.api.workspaceId, { seconds });

  it('contain the event, with two valid signatures of the exact bytes', async () => {
    const hook = await fixture.subscribe();
    const contact = await fixture.given.contact({ first_name: 'Zoë “Z”', custom_fields: { note: 'a\nb\u2028c' } });
    const [request] = await fixture.received(hook, 1);
    expect(request).toMatchObject({ method: 'POST', path: hook.path });
    expect(request.body).toEqual({
      event: 'contact.created',
      workspace_id: fixture.api.workspaceId,
      data: (await fixture.api.get(`/contacts/${contact.id}`)).data,
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
    const [log] = await fixture.logged(hook, 1);
    expect(log).toMatchObject({ event: 'contact.created', status_code: 200, success: true, payload: request.body });
    expect(await fixture.webhook(hook)).toMatchObject({ failure_count: 0, last_triggered_at: expect.any(String) });
  });

  it('to one host reuse its connections', async () => {
    const hook = await fixture.subscribe();
    await fixture.contacts(20);
    await fixture.received(hook, 20);
    expect(fixture.receiver.connections).toBeLessThan(20);
  });

  it('are made for the subscribed events only, to active webhooks, and never for other workspaces', async () => {
    const created = await fixture.subscribe('contact.created');
    const both = await fixture.subscribe(['contact.created', 'contact.deleted']);
    const inactive = await fixture.subscribe(['contact.created'], undefined, { is_active: false });
    const otherClient = await service.client();
    await new Given(otherClient, service.database).contact();
    const { id } = await fixture.given.contact();
    await fixture.api.delete(`/contacts/${id}`);
    await fixture.received(both, 2);
    await fixture.received(created, 1);
    expect(fixture.receiver.at(inactive.path)).toHaveLength(0);
    expect(fixture.receiver.received.every(({ body }) => body.workspace_id === fixture.api.workspaceId)).toBe(true);
  });

  describe('that fail', () => {
    const replies: readonly [string, Reply, number, RegExp][] = [
      ['a server error', { status: 500, body: 'broken' }, 500, /^broken$/],
      ['a client error', { status: 410 }, 410, /^$/],
      ['a redirect', { status: 302, headers: { location: 'https://example.com/' } }, 302, /^$/],
      ['a reset', 'reset', 0, /reset|cut|lost|closed/i],
      [
        'an incomplete body',
        { headers: { 'content-length': 100 }, body: INCOMPLETE_BODY },
        200,
        /The response was incomplete/,
      ],
    ];
    it.each(replies)('with %s are logged, counted and retried', async (_, reply, status, response) => {
      const hook = await fixture.subscribe();
      fixture.receiver.reply = () => reply;
      await fixture.given.contact();
      const [log] = await fixture.logged(hook, 1);
      expect(log).toMatchObject({ status_code: status, success: false, attempt: 1 });
      expect(log.response).toMatch(response);
      expect(await fixture.webhook(hook)).toMatchObject({ failure_count: 1, is_active: true });
      const [delivery] = await fixture.waitingDeliveries();
      expect(delivery).toMatchObject({ attempts: 1 });
      expect(delivery?.seconds).toBeLessThanOrEqual(6);
      fixture.receiver.reply = () => ({});
      passTime(6);
      const [first, second] = await fixture.logged(hook, 2);
      expect(second).toMatchObject({ status_code: 200, success: true, attempt: 2, delivery_id: first.delivery_id });
      const [one, two] = await fixture.received(hook, 2);
      expect(two.raw).toEqual(one.raw);
      expect(two.headers).toMatchObject({
        'x-service-delivery': one.headers['x-service-delivery'],
        'x-service-attempt': '2',
      });
      expect(await fixture.webhook(hook)).toMatchObject({ failure_count: 0 });
      expect(await fixture.waitingDeliveries()).toEqual([]);
    });

    it('are attempted eight times with the pauses of the schedule, and a single event does not disable the webhook', async () => {
      const hook = await fixture.subscribe();
      fixture.receiver.reply = () => ({ status: 503 });
      await fixture.given.contact();
      const pauses = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];
      for (const [index, pause] of pauses.entries()) {
        await fixture.logged(hook, index + 1);
        const [delivery] = await fixture.waitingDeliveries();
        expect(delivery?.attempts).toBe(index + 1);
        expect(delivery?.seconds).toBeGreaterThanOrEqual(pause * 0.8);
        expect(delivery?.seconds).toBeLessThanOrEqual(pause * 1.2);
        passTime(2 * 36_000);
      }
      const all = await fixture.logged(hook, 8);
      expect(all.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(await fixture.waitingDeliveries()).toEqual([]);
      expect(await fixture.webhook(hook)).toMatchObject({ failure_count: 8, is_active: true });
    });

    it('pause the webhook: all other deliveries wait for one attempt at a time', async () => {
      const hook = await fixture.subscribe();
      fixture.receiver.reply = () => ({ status: 500 });
      await fixture.given.contact();
      await fixture.logged(hook, 1);
      for (let n = 0; n < 20; n++) await fixture.given.contact();
      passTime(6);
      await fixture.logged(hook, 2);
      expect(await fixture.webhook(hook)).toMatchObject({ failure_count: 2 });
      const all = await fixture.waitingDeliveries();
      expect(all).toHaveLength(21);
      expect(all[0]?.paused).toBeGreaterThanOrEqual(24);
      fixture.receiver.reply = () => ({});
      passTime(400);
      await fixture.received(hook, 2 + 21);
      expect(await fixture.webhook(hook)).toMatchObject({ failure_count: 0 });
    });

    it('because the receiver is down for an hour are at most seven, and all events arrive when it is up again', async () => {
      const [hook, events] = [await fixture.subscribe(), 50];
      fixture.receiver.reply = () => 'reset';
      await fixture.contacts(events);
      let failures = 0;
      for (let passed = 0; passed < HOUR; failures++) {
        await fixture.logged(hook, failures + 1);
        const pause = (await fixture.waitingDeliveries())[0]?.paused ?? 0;
        passed += pause;
        // First, because the next attempt is made as soon as its time has come.
        if (passed >= HOUR) fixture.receiver.reply = () => ({});
        passTime(pause);
      }
      expect(failures).toBeLessThanOrEqual(MAX_ATTEMPTS_PER_HOUR);
      passTime(HOUR);
      await fixture.waitUntilIdle();
      const logs = await fixture.logs(hook);
      expect(logs).toHaveLength(events + failures);
      expect(new Set(logs.filter(({ success }) => success).map((log) => log.delivery_id)).size).toBe(events);
      expect(await fixture.webhook(hook)).toMatchObject({ failure_count: 0, is_active: true });
      expect(await violatedInvariants(service.database)).toEqual([]);
    });

    it('disable the webhook after ten failures in a row, which another webhook can subscribe to', async () => {
      const hook = await fixture.subscribe('contact.created');
      const watching = await fixture.subscribe('webhook.disabled');
      fixture.receiver.reply = ({ path }) => (path === hook.path ? { status: 500 } : {});
      for (let n = 0; n < 15; n++) await fixture.given.contact();
      for (let failures = 0; failures < 10;) {
        passTime(HOUR * 20);
        failures = await eventually(async () => {
          const { length } = await fixture.listedLogs(hook);
          expect(length).toBeGreaterThan(failures);
          return length;
        });
      }
      expect(await fixture.webhook(hook)).toMatchObject({ is_active: false });
      expect(await fixture.webhook(hook)).toMatchObject({ failure_count: 10 });
      const failed = await fixture.listedLogs(hook);
      expect(failed).toHaveLength(10);
      const [request] = await fixture.received(watching, 1);
      expect(request.body).toMatchObject({
        event: 'webhook.disabled',
        data: { id: hook.id, is_active: false, failure_count: 10 },
      });
      expect(request.raw.toString()).not.toContain('whsec_');
      const before = fixture.receiver.at(hook.path).length;
      await fixture.given.contact();
      passTime(HOUR * 20);
      const { body } = await fixture.api.put(`/webhooks/${watching.id}`, {
        events: ['webhook.disabled', 'contact.created'],
      });
      expect(body.data.events).toHaveLength(2);
      await fixture.given.contact();
      await fixture.received(watching, 2);
      expect(fixture.receiver.at(hook.path)).toHaveLength(before);
    });

    it('are attempted at the new URL at once if the tenth failure in a row comes from the old one later', async () => {
      const hook = await fixture.subscribe();
      const releases: (() => void)[] = [];
      const mended = `${hook.path}/mended`;
      let requests = 0;
      fixture.receiver.reply = ({ path }) => {
        if (path === mended) return {};
        requests += 1;
        return {
          status: 500,
          ...(requests < 10 ? {} : { wait: () => new Promise<void>((resolve) => releases.push(resolve)) }),
        };
      };
      for (let n = 0; n < 10; n++) await fixture.given.contact();
      for (let failures = 1; failures < 10; failures++) {
        await fixture.logged(hook, failures);
        passTime(HOUR * 20);
      }
      await eventually(() => expect(releases).toHaveLength(1));
      await fixture.api.put(`/webhooks/${hook.id}`, { url: fixture.receiver.url(mended) });
      for (const release of releases) release();
      const logs = await fixture.logged(hook, 20);
      expect(logs.filter(({ success }) => success)).toHaveLength(10);
      expect(fixture.receiver.at(mended)).toHaveLength(10);
      expect(await fixture.webhook(hook)).toMatchObject({ is_active: true, failure_count: 0, pending_count: 0 });
    });

    it('continue when the webhook is enabled again; those older than 28 hours are logged as dropped', async () => {
      const hook = await fixture.subscribe();
      fixture.receiver.reply = () => ({ status: 500 });
      await fixture.given.contact({ email: 'old@example.com' });
      await fixture.logged(hook, 1);
      await fixture.api.put(`/webhooks/${hook.id}`, { is_active: false });
      passTime(27 * HOUR);
      await service.database.query(
        `UPDATE webhooks SET is_active = true, paused_until = now() + interval '3 days' WHERE id = $1`,
        [hook.id],
      );
      await fixture.given.contact({ email: 'young@example.com' });
      await service.database.query('UPDATE webhooks SET is_active = false WHERE id = $1', [hook.id]);
      passTime(2 * HOUR);
      fixture.receiver.reply = () => ({});
      await fixture.api.put(`/webhooks/${hook.id}`, { is_active: true });
      await fixture.received(hook, 2);
      expect((await fixture.received(hook, 2))[1].body.data.email).toBe('young@example.com');
      const dropped = (await fixture.logged(hook, 3)).filter(({ response }) => response === 'dropped');
      expect(dropped).toEqual([expect.objectContaining({ status_code: 0, success: false, event: 'contact.created' })]);
      expect(dropped[0]?.payload).toMatchObject({ data: { email: 'old@example.com' } });
      expect(await fixture.waitingDeliveries()).toEqual([]);
    });
  });

  it('that are waiting are signed with a new secret as soon as it replaces the old one', async () => {
    const hook = await fixture.subscribe();
    fixture.receiver.replyOnce({ status: 500 });
    await fixture.given.contact();
    await fixture.logged(hook, 1);
    const { body } = await fixture.api.post(`/webhooks/${hook.id}/regenerate-secret`);
    passTime(6);
    const [, second] = await fixture.received(hook, 2);
    const { secret } = body.data;
    expect(secret).not.toBe(hook.secret);
    expect(second.headers['x-service-signature']).toBe(createHmac('sha256', secret).update(second.raw).digest('hex'));
  });

  it('fail with the reason while the secret cannot be decrypted, until it is replaced', async () => {
    const hook = await fixture.subscribe();
    await service.database.query(`UPDATE webhooks SET secret = 'encrypted with a removed key' WHERE id = $1`, [
      hook.id,
    ]);
    await fixture.given.contact();
    const [log] = await fixture.logged(hook, 1);
    expect(log).toMatchObject({ status_code: 0, success: false, response: expect.stringContaining('regenerate it') });
    expect((await fixture.api.post(`/webhooks/${hook.id}/test`)).status).toBe(422);
    await fixture.api.post(`/webhooks/${hook.id}/regenerate-secret`);
    passTime(6);
    await fixture.received(hook, 1);
  });

  it('stop when the webhook is deleted or made inactive, including those that are waiting', async () => {
    const [deleted, stopped] = [await fixture.subscribe(), await fixture.subscribe()];
    fixture.receiver.reply = () => ({ status: 500 });
    await fixture.given.contact();
    await fixture.logged(deleted, 1);
    await fixture.logged(stopped, 1);
    await fixture.api.delete(`/webhooks/${deleted.id}`);
    await fixture.api.put(`/webhooks/${stopped.id}`, { is_active: false });
    passTime(HOUR);
    const other = await fixture.subscribe(['contact.deleted', 'contact.created']);
    fixture.receiver.reply = () => ({});
    await fixture.given.contact();
    await fixture.received(other, 1);
    expect([fixture.receiver.at(deleted.path).length, fixture.receiver.at(stopped.path).length]).toEqual([1, 1]);
  });

  it('to slow receivers do not delay those to others', async () => {
    const slow = await Promise.all(Array.from({ length: 8 }, () => fixture.subscribe()));
    const quick = await fixture.subscribe();
    const released: (() => void)[] = [];
    fixture.receiver.reply = ({ path }) =>
      path === quick.path ? {} : { wait: () => new Promise<void>((resolve) => released.push(resolve)) };
    for (let n = 0; n < 10; n++) await fixture.given.contact();
    await fixture.received(quick, 10);
    await eventually(() => expect(slow.map(({ path }) => fixture.receiver.at(path).length)).toEqual(slow.map(() => 1)));
    fixture.receiver.reply = () => ({});
    for (const release of released) release();
    for (const hook of slow) await fixture.received(hook, 10);
  });

  it('are repeated with the same payload on request, even if the webhook is inactive', async () => {
    const hook = await fixture.subscribe();
    await fixture.given.contact();
    const [log] = await fixture.logged(hook, 1);
    await fixture.api.put(`/webhooks/${hook.id}`, { is_active: false });
    const { status, body } = await fixture.api.post(`/webhooks/${hook.id}/logs/${log.id}/redeliver`);
    expect(status).toBe(202);
    const [first, second] = await fixture.received(hook, 2);
    expect(second.raw).toEqual(first.raw);
    expect(second.headers['x-service-delivery']).toBe(body.data.delivery_id);
    expect(await fixture.webhook(hook)).toMatchObject({ is_active: false });
    expect(await fixture.logged(hook, 2)).toHaveLength(2);
  });
});

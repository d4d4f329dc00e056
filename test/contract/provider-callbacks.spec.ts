import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { register } from 'prom-client';
import { CallbackBatches } from '../../src/inbound/events/callback-batches.js';
import { lockCallback } from '../../src/inbound/events/failed-callbacks.queries.js';
import { retryFailedCallbacks } from '../../src/inbound/index.js';
import { Database } from '../../src/platform/database/index.js';
import { MessageLinks } from '../../src/sending/index.js';
import { Workspaces } from '../../src/workspaces/index.js';
import type { ApiClient } from '../support/api-client.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { ScrapedMetrics } from '../support/metrics.js';
import { recordMessageEvents, type PublishedMessageEvent } from '../support/published-events.js';
import { useService } from '../support/service.js';

const MAX_WAITING = 20_000;
const MAX_FAILED = 10_000;

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const sendgrid_webhook_key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

describe('a burst of events of SendGrid', () => {
  const service = useService();
  let published: PublishedMessageEvent[];
  let api: ApiClient;
  let given: Given;
  let url: string;

  beforeAll(() => {
    published = recordMessageEvents(service);
  });
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
    const { body } = await api.post('/email-accounts', {
      name: 'SendGrid',
      type: 'sendgrid',
      from_email: 'sales@sender.example',
      from_name: 'Sales',
      sendgrid_api_key: 'SG.key',
      sendgrid_webhook_key,
    });
    expect(body.data).toMatchObject({ type: 'sendgrid' });
    url = (await api.get('/inbound')).data.sendgrid_url.replace('http://outreach.test', service.url);
  });

  /** Inserts a sent message. */
  async function sent() {
    const contact = await given.contact();
    const { id } = await given.sentMessage(contact.id);
    const [row] = await service.database.query<{ enrollment_id: string; step_id: string; workspace_id: string }>(
      'SELECT enrollment_id, step_id, workspace_id FROM messages WHERE id = $1',
      [id],
    );
    const links = service.app.get(MessageLinks, { strict: false });
    const step = { enrollment_id: Number(row?.enrollment_id), step_id: Number(row?.step_id) };
    const workspaceId = Number(row?.workspace_id);
    const message_id = links.messageId(workspaceId, step, 'sales@sender.example');
    await service.database.query('UPDATE messages SET message_id = $2 WHERE id = $1', [id, message_id]);
    return { id: Number(id), message_id, workspaceId };
  }
  type Sent = Awaited<ReturnType<typeof sent>>;

  const bodyOf = (...messages: Sent[]): string =>
    JSON.stringify(
      messages.map(({ message_id }) => ({
        event: 'delivered',
        timestamp: Math.floor(Date.now() / 1000),
        outreach_message_id: message_id,
      })),
    );

  async function post(body: string) {
    const timestamp = '1763800000';
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-twilio-email-event-webhook-timestamp': timestamp,
        'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(timestamp + body), privateKey).toString(
          'base64',
        ),
      },
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  const statusOf = async ({ id }: Sent) =>
    (await service.database.query<{ status: string }>('SELECT status FROM messages WHERE id = $1', [id]))[0]?.status;
  const waiting = async ({ workspaceId }: Sent) =>
    service.database.query<{ attempts: number }>('SELECT attempts FROM provider_callbacks WHERE workspace_id = $1', [
      workspaceId,
    ]);
  const deliveriesOf = ({ id }: Sent) =>
    published.filter(({ name, ids }) => name === 'email.delivered' && ids.includes(id)).length;
  const store = (message: Sent, body: string) =>
    service.database.query(
      `INSERT INTO provider_callbacks (workspace_id, provider, body, events, received_at)
       VALUES ($1, 'sendgrid', $2, 1, now())`,
      [message.workspaceId, Buffer.from(body)],
    );

  /** Inserts requests without events that are not due. */
  const storeMany = ({ workspaceId }: Sent, count: number, attempts: number) =>
    service.database.query(
      `INSERT INTO provider_callbacks (workspace_id, provider, body, events, received_at, attempts, next_attempt_at, created_at)
       SELECT $1, 'sendgrid', '[]', 1, now(), $3, 'infinity', now() - interval '1 hour' FROM generate_series(1, $2)`,
      [workspaceId, count, attempts],
    );
  const deleteAll = ({ workspaceId }: Sent) =>
    service.database.query('DELETE FROM provider_callbacks WHERE workspace_id = $1', [workspaceId]);
  const scopeOf = ({ workspaceId }: Sent) => service.app.get(Workspaces, { strict: false }).scope(workspaceId);
  const batches = () => service.app.get(CallbackBatches, { strict: false });

  /** Locks a message, so that what is recorded of it waits. */
  const lock = ({ id, workspaceId }: Sent) =>
    BlockingTransaction.begin(
      service.database,
      'SELECT 1 FROM messages WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
      [workspaceId, id],
    );

  it('is stored and answered while the events before are still being recorded, and takes effect once', async () => {
    const [first, second, third] = [await sent(), await sent(), await sent()];
    const blocking = await lock(first);
    const answer = post(bodyOf(first));
    await blocking.blocks(1);
    expect(await post(bodyOf(second))).toMatchObject({ status: 200, body: { data: { matched: 1 } } });
    expect(await post(bodyOf(second, third))).toMatchObject({ status: 200, body: { data: { matched: 2 } } });
    expect([await statusOf(second), await statusOf(third)]).toEqual(['sent', 'sent']);
    await blocking.end();
    expect(await answer).toMatchObject({ status: 200, body: { data: { matched: 1 } } });
    expect(await statusOf(first)).toBe('delivered');
    // The next request records what has been left.
    const last = await sent();
    await post(bodyOf(last));
    for (const message of [first, second, third, last]) {
      expect(await statusOf(message)).toBe('delivered');
      expect(deliveriesOf(message)).toBe(1);
    }
    expect(await waiting(first)).toEqual([]);
  });

  it('is recorded although one of its requests cannot be, which is tried again later', async () => {
    const [good, other] = [await sent(), await sent()];
    await store(good, 'no JSON');
    await store(good, bodyOf(good));
    expect(await post(bodyOf(other))).toMatchObject({ status: 200, body: { data: { matched: 1 } } });
    expect([await statusOf(good), await statusOf(other)]).toEqual(['delivered', 'delivered']);
    expect(await waiting(good)).toEqual([{ attempts: 1 }]);
  });

  describe('with an event that cannot be recorded', () => {
    /** Lets every change of a message fail. @returns a function that ends that */
    async function refuse({ id }: Sent): Promise<() => Promise<unknown>> {
      await service.database.query(
        `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`,
      );
      await service.database.query(
        `CREATE TRIGGER refused BEFORE UPDATE ON messages FOR EACH ROW WHEN (OLD.id = ${id}) EXECUTE FUNCTION refuse()`,
      );
      return () => service.database.query('DROP TRIGGER IF EXISTS refused ON messages');
    }
    const stored = async ({ workspaceId }: Sent) =>
      service.database.query<{ attempts: number; pause: number; body: string }>(
        `SELECT attempts, extract(epoch FROM next_attempt_at - now())::float8 AS pause, convert_from(body, 'UTF8') AS body
         FROM provider_callbacks WHERE workspace_id = $1 ORDER BY id`,
        [workspaceId],
      );
    /** Makes what has failed due, and processes it. */
    const processAgain = async (message: Sent) => {
      await retryFailedCallbacks(service.app.get(Database, { strict: false }), message.workspaceId);
      await batches().run(await scopeOf(message));
    };
    /** What this process has counted. */
    const givenUp = async (): Promise<number> =>
      new ScrapedMetrics(await register.metrics()).value('outreach_callbacks_given_up_total') ?? 0;
    let accept: () => Promise<unknown> = () => Promise.resolve();
    afterEach(() => accept());

    it('takes effect but for that event, which is stored alone and takes effect when it can', async () => {
      const [first, bad, last] = [await sent(), await sent(), await sent()];
      accept = await refuse(bad);
      expect(await post(bodyOf(first, bad, last))).toMatchObject({ status: 200, body: { data: { matched: 3 } } });
      expect(await Promise.all([first, bad, last].map(statusOf))).toEqual(['delivered', 'sent', 'delivered']);
      const [event, ...others] = await stored(bad);
      expect([event, others]).toEqual([{ attempts: 1, pause: expect.any(Number), body: expect.any(String) }, []]);
      expect(event?.pause).toBeLessThanOrEqual(15);
      expect(JSON.parse(event?.body ?? '')).toEqual([expect.objectContaining({ outreach_message_id: bad.message_id })]);
      // Those that come later do not wait for it.
      const later = await sent();
      await post(bodyOf(later));
      expect(await statusOf(later)).toBe('delivered');
      await processAgain(bad);
      expect((await stored(bad)).map(({ attempts }) => attempts)).toEqual([2]);
      await accept();
      await processAgain(bad);
      expect([await statusOf(bad), await stored(bad)]).toEqual(['delivered', []]);
      for (const message of [first, bad, last, later]) expect(deliveriesOf(message)).toBe(1);
    });

    it('is tried for seven days, at least every six hours, and given up then', async () => {
      const bad = await sent();
      accept = await refuse(bad);
      await store(bad, bodyOf(bad));
      const age = (days: number, attempts: number) =>
        service.database.query(
          'UPDATE provider_callbacks SET created_at = now() - make_interval(days => $2), attempts = $3 WHERE workspace_id = $1',
          [bad.workspaceId, days, attempts],
        );
      await age(6, 30);
      await processAgain(bad);
      const [event] = await stored(bad);
      expect(event?.attempts).toBe(31);
      expect(event?.pause).toBeLessThanOrEqual(6 * 3_600);
      const before = await givenUp();
      await age(8, 31);
      await processAgain(bad);
      expect(await stored(bad)).toEqual([]);
      expect((await givenUp()) - before).toBe(1);
    });

    it('is not deleted before that because many others have failed', async () => {
      const bad = await sent();
      accept = await refuse(bad);
      await storeMany(bad, MAX_FAILED, 1);
      await store(bad, bodyOf(bad));
      await batches().run(await scopeOf(bad));
      expect(await stored(bad)).toHaveLength(MAX_FAILED + 1);
      await deleteAll(bad);
    });

    it('waits while other events are due', async () => {
      const [bad, good] = [await sent(), await sent()];
      await store(bad, bodyOf(bad));
      await service.database.query('UPDATE provider_callbacks SET attempts = 1 WHERE workspace_id = $1', [
        bad.workspaceId,
      ]);
      await store(good, bodyOf(good));
      const blocking = await lock(bad);
      await batches().run(await scopeOf(good));
      expect([await statusOf(bad), await statusOf(good)]).toEqual(['sent', 'delivered']);
      await blocking.end();
      await batches().run(await scopeOf(bad));
      expect(await statusOf(bad)).toBe('delivered');
    });

    it('is divided once if two processes have failed with its request', async () => {
      const message = await sent();
      await store(message, bodyOf(message, await sent()));
      const [row] = await service.database.query<{ id: string }>(
        'SELECT id FROM provider_callbacks WHERE workspace_id = $1',
        [message.workspaceId],
      );
      const scope = await scopeOf(message);
      const divide = 'DELETE FROM provider_callbacks WHERE id = $1';
      const other = await BlockingTransaction.begin(service.database, divide, [row?.id]);
      const locked = scope.transaction((tx) => lockCallback(tx, Number(row?.id)));
      await other.blocks(1);
      await other.commit();
      expect(await locked).toBeUndefined();
    });

    it('is counted in the metrics, and leaves other requests their capacity', async () => {
      const message = await sent();
      await storeMany(message, MAX_FAILED - 1, 1);
      expect(await post(bodyOf(message))).toMatchObject({ status: 200, body: { data: { matched: 1 } } });
      const metrics = await eventually(async () => {
        const scraped = await ScrapedMetrics.of(service.url);
        expect(scraped.valuesOf('outreach_callbacks_failed')[0]?.value).toBeGreaterThanOrEqual(MAX_FAILED - 1);
        return scraped;
      });
      expect(metrics.valuesOf('outreach_callbacks_oldest_seconds')[0]?.value).toBeGreaterThanOrEqual(3_600);
      await deleteAll(message);
    });
  });

  it('has failed once if two processes have tried it at the same time', async () => {
    const message = await sent();
    await store(message, 'no JSON');
    const scope = await scopeOf(message);
    await Promise.all([1, 2, 3].map(() => batches().run(scope)));
    expect(await waiting(message)).toEqual([{ attempts: 1 }]);
  });

  it.each([
    ['requests of the workspace wait', MAX_WAITING, 0],
    ['events of the workspace have failed', MAX_FAILED, 1],
  ])('is refused with Retry-After if too many %s, and only there', async (_what, count, attempts) => {
    const message = await sent();
    await storeMany(message, count, attempts);
    const refused = await post(bodyOf(message));
    expect(refused).toMatchObject({ status: 429, body: { error: 'TooManyRequests', reason: 'busy' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await deleteAll(message);
    expect(await post(bodyOf(message))).toMatchObject({ status: 200, body: { data: { matched: 1 } } });
  });

  it('stores nothing of events that are about no message of the workspace', async () => {
    const message = await sent();
    const foreign = { ...message, message_id: 'x.y@sender.example' };
    expect(await post(bodyOf(foreign))).toMatchObject({ status: 200, body: { data: { matched: 0 } } });
    expect(await waiting(message)).toEqual([]);
  });

  // The last tests, because their workers would process what the others store.
  it('is not lost if the database ends the transaction that records it', async () => {
    const message = await sent();
    const blocking = await lock(message);
    const answer = post(bodyOf(message));
    await blocking.blocks(1);
    await blocking.endBlocked();
    await blocking.end();
    expect(await answer).toMatchObject({ status: 200, body: { data: { matched: 1 } } });
    await service.startWorker();
    await eventually(async () => expect(await statusOf(message)).toBe('delivered'));
    expect(await waiting(message)).toEqual([]);
  });

  it('is processed by a worker if the process that has stored it does not', async () => {
    await service.startWorker();
    const messages = [await sent(), await sent()];
    for (const message of messages) await store(message, bodyOf(message));
    await eventually(async () => {
      for (const message of messages) expect(await statusOf(message)).toBe('delivered');
    });
  });

  it('are taken if one of very many keys has signed them: that of the account that has sent the messages', async () => {
    const message = await sent();
    const other = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey;
    const shown = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64');
    const keys = Array.from({ length: 12 }, () => shown(other()));
    await service.database.query(
      `INSERT INTO email_accounts (workspace_id, name, type, from_email, from_name, sendgrid_api_key_encrypted, sendgrid_webhook_key)
       SELECT account.workspace_id, 'Other', 'sendgrid', account.from_email, 'Other', account.sendgrid_api_key_encrypted, key
       FROM email_accounts account, unnest($2::text[]) key
       WHERE account.workspace_id = $1 AND account.type = 'sendgrid' AND account.sendgrid_webhook_key = $3`,
      [api.workspaceId, keys, sendgrid_webhook_key],
    );
    await service.database.query(
      `UPDATE messages SET email_account_id = account.id FROM email_accounts account
       WHERE messages.id = $1 AND account.workspace_id = messages.workspace_id AND account.sendgrid_webhook_key = $2`,
      [message.id, sendgrid_webhook_key],
    );
    // SendGrid reports what other systems have sent from the account, too.
    const foreign = Array.from({ length: 12 }, (_, number) => ({ ...message, message_id: `${number}@other.example` }));
    expect(await post(bodyOf(...foreign, message))).toMatchObject({ status: 200, body: { data: { matched: 1 } } });
    expect((await post(bodyOf(...foreign))).status).toBe(403);
  });
});

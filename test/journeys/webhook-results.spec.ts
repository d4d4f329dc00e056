import { Log } from '@outreach/logging';
import { Database } from '../../src/platform/database/index.js';
import { DomainEvents } from '../../src/platform/events/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import type { CompletedAttempt } from '../../src/webhooks/delivery/delivery-results.queries.js';
import { DeliveryResults } from '../../src/webhooks/delivery/delivery-results.js';
import { findTargets } from '../../src/webhooks/delivery/due-deliveries.queries.js';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';
import { violatedInvariants } from '../support/webhook-invariants.js';

const REPLAYS = 5;

/** No worker runs here: the tests record results of attempts that were not made. */
describe('DeliveryResults', () => {
  const service = useService();
  let api: ApiClient;
  let scope: WorkspaceScope;
  let results: DeliveryResults;

  beforeAll(() => {
    results = new DeliveryResults(service.config, service.app.get(DomainEvents, { strict: false }), new Log('silent'));
  });
  beforeEach(async () => {
    api = await service.client();
    scope = await WorkspaceScope.open(api.workspaceId, service.app.get(Database, { strict: false }));
  });

  async function subscribe(events: string[] = ['contact.created']): Promise<number> {
    const { data } = await api.post('/webhooks', { url: 'https://127.0.0.1:44443/', events });
    return data.id as number;
  }

  async function createEvents(count: number): Promise<void> {
    const given = new Given(api, service.database);
    for (let n = 0; n < count; n++) await given.contact();
  }

  /** Returns a completed attempt at each waiting delivery of a webhook. */
  async function attempts(webhookId: number, status: number): Promise<CompletedAttempt[]> {
    const rows = await service.database.query<{ id: string; event: string; failed: number }>(
      `SELECT delivery.id, event.event, delivery.attempts AS failed FROM webhook_deliveries delivery
       JOIN webhook_events event ON event.workspace_id = delivery.workspace_id AND event.id = delivery.event_id WHERE delivery.webhook_id = $1 ORDER BY delivery.id`,
      [webhookId],
    );
    const targets = new Map(
      (
        await findTargets(
          scope,
          rows.map(({ id }) => Number(id)),
        )
      ).map((each) => [each.id, each]),
    );
    return rows.map(({ id, event, failed }) => ({
      delivery: { id: Number(id), webhook_id: webhookId, event, attempt: failed + 1 },
      target_digest: targets.get(Number(id))?.target_digest ?? '',
      result: { status_code: status, success: status === 200, response: '' },
    }));
  }
  const webhook = async (id: number): Promise<Schema<'Webhook'>> => (await api.get(`/webhooks/${id}`)).data;
  const logs = async (id: number): Promise<Schema<'WebhookLog'>[]> =>
    (await api.get(`/webhooks/${id}/logs?per_page=100`)).data;
  const times = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: REPLAYS }, work));

  it('counts a failed attempt once, however often it is recorded', async () => {
    const id = await subscribe();
    await createEvents(1);
    const [made] = await attempts(id, 500);
    if (!made) throw new Error('expected a waiting delivery');
    await times(() => results.failed(scope, made));
    await results.failed(scope, made);
    expect(await webhook(id)).toMatchObject({ failure_count: 1 });
    expect(await logs(id)).toHaveLength(1);
    expect(await violatedInvariants(service.database)).toEqual([]);
  });

  it('counts a successful attempt once, and recording it again does not reset a later failure', async () => {
    const id = await subscribe();
    await createEvents(2);
    const [delivered, refused] = await attempts(id, 200);
    if (!delivered || !refused) throw new Error('expected two waiting deliveries');
    await times(() => results.delivered(scope, [delivered]));
    await results.failed(scope, { ...refused, result: { status_code: 0, success: false, response: 'refused' } });
    await results.delivered(scope, [delivered]);
    expect(await webhook(id)).toMatchObject({ failure_count: 1 });
    expect(await logs(id)).toHaveLength(2);
    expect(await violatedInvariants(service.database)).toEqual([]);
  });

  it('disables the webhook at the tenth failure and publishes one event, even if all are recorded concurrently and repeatedly', async () => {
    const [id, watching] = [await subscribe(), await subscribe(['webhook.disabled'])];
    await createEvents(10);
    const failed = await attempts(id, 500);
    await times(() => Promise.all(failed.map((made) => results.failed(scope, made))));
    expect(await webhook(id)).toMatchObject({ failure_count: 10, is_active: false });
    expect(await logs(id)).toHaveLength(10);
    expect(await attempts(watching, 200)).toHaveLength(1);
    expect(await violatedInvariants(service.database)).toEqual([]);
  });

  describe('of attempts in progress while the webhook is changed', () => {
    const [OLD, NEW] = ['https://127.0.0.1:44443/', 'https://127.0.0.1:44443/new'];
    /** Nine failures in a row, of which the last one paused the webhook for hours. */
    const givenNineFailures = async (id: number): Promise<CompletedAttempt[]> => {
      await createEvents(12);
      const all = await attempts(id, 500);
      for (const made of all.slice(0, 9)) await results.failed(scope, made);
      return all.slice(9);
    };
    const due = (id: number) =>
      service.database.query('SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1 AND next_attempt_at <= now()', [
        id,
      ]);

    it.each([
      ['a new URL', (id: number) => api.put(`/webhooks/${id}`, { url: NEW })],
      ['a new secret', (id: number) => api.post(`/webhooks/${id}/regenerate-secret`)],
    ])('say nothing about %s: it is neither paused nor disabled, and all that waits is due', async (_, change) => {
      const id = await subscribe();
      const [tenth, eleventh, delivered] = await givenNineFailures(id);
      if (!tenth || !eleventh || !delivered) throw new Error('expected three attempts in progress');
      expect(await webhook(id)).toMatchObject({ pending_count: 12, paused_until: expect.any(String) });
      await change(id);
      const changed = { is_active: true, failure_count: 9, paused_until: null };
      expect(await webhook(id)).toMatchObject({ ...changed, pending_count: 12 });
      expect(await due(id)).toHaveLength(12);
      expect(await results.failed(scope, tenth)).toBe('superseded');
      expect(await results.failed(scope, tenth)).toBe('skipped');
      await results.delivered(scope, [{ ...delivered, result: { ...delivered.result, status_code: 200 } }]);
      expect(await webhook(id)).toMatchObject({ ...changed, pending_count: 11 });
      expect(await due(id)).toHaveLength(11);
      expect(await logs(id)).toHaveLength(11);
      // The attempts with what is there now count.
      const [again, other] = await attempts(id, 500);
      if (!again || !other) throw new Error('expected waiting deliveries');
      await results.delivered(scope, [again]);
      expect(await webhook(id)).toMatchObject({ failure_count: 0 });
      expect(await results.failed(scope, other)).toBe('paused');
      await results.delivered(scope, [{ ...eleventh, result: { ...eleventh.result, status_code: 200 } }]);
      expect(await webhook(id)).toMatchObject({ failure_count: 1 });
      expect(
        await service.database.query('SELECT 1 FROM webhooks WHERE id = $1 AND paused_until IS NOT NULL', [id]),
      ).toHaveLength(1);
    });

    it.each([
      ['the same URL', { url: OLD }],
      ['other events', { events: ['contact.created', 'contact.updated'] }],
    ])('count if the webhook only gets %s', async (_, body) => {
      const id = await subscribe();
      const [tenth] = await givenNineFailures(id);
      if (!tenth) throw new Error('expected an attempt in progress');
      await api.put(`/webhooks/${id}`, body);
      expect(await webhook(id)).toMatchObject({ failure_count: 9, paused_until: expect.any(String) });
      expect(await results.failed(scope, tenth)).toBe('disabled');
      expect(await webhook(id)).toMatchObject({ is_active: false, failure_count: 10, paused_until: null });
    });

    it('count again when the former URL is back', async () => {
      const id = await subscribe();
      const [tenth] = await givenNineFailures(id);
      if (!tenth) throw new Error('expected an attempt in progress');
      for (const url of [NEW, OLD]) await api.put(`/webhooks/${id}`, { url });
      expect(await results.failed(scope, tenth)).toBe('disabled');
    });

    it('end their delivery if they were its eighth, which says nothing about the new URL', async () => {
      const id = await subscribe();
      await createEvents(1);
      await service.database.query('UPDATE webhook_deliveries SET attempts = 7 WHERE webhook_id = $1', [id]);
      const [last] = await attempts(id, 500);
      if (!last) throw new Error('expected a waiting delivery');
      await api.put(`/webhooks/${id}`, { url: NEW });
      expect(await results.failed(scope, last)).toBe('superseded');
      expect(await webhook(id)).toMatchObject({ failure_count: 0, pending_count: 0, next_attempt_at: null });
      expect(await logs(id)).toMatchObject([{ attempt: 8, success: false }]);
    });
  });

  it('locks all webhooks of a batch before their deliveries, so a delivery that is deleted in the meantime is not logged', async () => {
    const [first, second] = [await subscribe(), await subscribe()];
    await createEvents(1);
    const [[one], [two]] = [await attempts(first, 200), await attempts(second, 200)];
    if (!one || !two) throw new Error('expected a waiting delivery of each webhook');
    const other = await BlockingTransaction.begin(
      service.database,
      'SELECT 1 FROM webhooks WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [api.workspaceId, second],
    );
    const delivered = results.delivered(scope, [one, two]);
    await other.blocks(1);
    await other.run('DELETE FROM webhook_deliveries WHERE id = $1', [two.delivery.id]);
    await other.commit();
    await delivered;
    expect([await logs(first), await logs(second)]).toEqual([[expect.anything()], []]);
  });
});

import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Database } from '../../src/platform/database/index.js';
import { DomainEvents } from '../../src/platform/events/index.js';
import { Log } from '../../src/platform/logging/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { DeliveryContexts } from '../../src/webhooks/delivery/delivery-contexts.js';
import { DeliveryResults } from '../../src/webhooks/delivery/delivery-results.js';
import { WebhookRun } from '../../src/webhooks/delivery/webhook-run.js';
import { WebhookSender } from '../../src/webhooks/delivery/webhook-sender.js';
import { WebhookSecrets } from '../../src/webhooks/webhook-secrets.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { useService } from '../support/service.js';
import { type Hook, WebhookFixture } from '../support/webhook-fixture.js';
import { trustReceivers } from '../support/webhook-receiver.js';

/** No worker runs here: the tests start the runs. */
describe('WebhookRun', () => {
  trustReceivers();
  const service = useService();
  let fixture: WebhookFixture;
  let scope: WorkspaceScope;
  let contexts: DeliveryContexts;

  beforeEach(async () => {
    const get = <T>(type: new (...args: any[]) => T): T => service.app.get(type, { strict: false });
    fixture = await WebhookFixture.start(service);
    scope = WorkspaceScope.open(fixture.api.workspaceId, get(Database));
    const results = new DeliveryResults(service.config, get(DomainEvents), new Log('silent'));
    contexts = new DeliveryContexts(get(WebhookSecrets), get(WebhookSender), results);
  });
  afterEach(() => fixture.clear());

  /** Delivers what is due. @returns the number of reads, and the number of checked deliveries, repeated checks included */
  async function deliver({ id }: Hook): Promise<{ reads: number; checked: number }> {
    const query = jest.spyOn(pg.Client.prototype, 'query');
    await new WebhookRun(contexts.of(scope, id, { is_active: true }), new AbortController().signal).run();
    const statements = query.mock.calls as unknown as [{ text?: string; values?: unknown[] }][];
    query.mockRestore();
    const like = (part: string) => statements.filter(([{ text }]) => text?.includes(part));
    const idsOf = ([{ values }]: [{ values?: unknown[] }]): unknown[] => values?.find(Array.isArray) ?? [];
    return { reads: like('WITH due AS (').length, checked: like('AS attempt, webhook.url').flatMap(idsOf).length };
  }

  /** Delivers so many events, in several runs if the machine is slow: a run takes some seconds at most. */
  async function deliverAll(hook: Hook, events: number): Promise<{ reads: number; checked: number }> {
    const total = { reads: 0, checked: 0 };
    while (new Set(fixture.arrivals(hook)).size < events) {
      const { reads, checked } = await deliver(hook);
      total.reads += reads;
      total.checked += checked;
    }
    return total;
  }

  it('reads a single delivery once, and after that whether others have become due', async () => {
    const hook = await fixture.subscribe();
    await fixture.contacts(1);
    const { reads, checked } = await deliver(hook);
    expect(reads).toBe(3);
    // A check that is ten milliseconds old is repeated.
    expect([1, 2]).toContain(checked);
    await fixture.logged(hook, 1);
  });

  it('does not let a delivery wait for the next read, however long that takes', async () => {
    const hook = await fixture.subscribe();
    await fixture.contacts(1);
    const query = scope.query.bind(scope);
    jest.spyOn(scope, 'query').mockImplementation(async (statement) => {
      const rows = await query(statement);
      if (statement.toQuery().text.includes('WITH due AS (')) await pause(50);
      return rows;
    });
    const { reads, checked } = await deliver(hook);
    expect(reads).toBe(3);
    // A check that is ten milliseconds old is repeated.
    expect([1, 2]).toContain(checked);
    expect(fixture.arrivals(hook)).toHaveLength(1);
  });

  it('reads a backlog in large parts, and delivers each of its events once', async () => {
    const hook = await fixture.subscribe();
    await fixture.contacts(250);
    const { reads } = await deliverAll(hook, 250);
    expect(reads).toBeLessThanOrEqual(25);
    expect(fixture.arrivals(hook)).toHaveLength(250);
  });

  it('reads large bodies of a backlog as far as there is space', async () => {
    const hook = await fixture.subscribe();
    await fixture.contacts(250);
    await service.database.query(`UPDATE webhook_events SET payload = json_build_object('large', repeat('x', 20000))`);
    await deliverAll(hook, 250);
    expect(fixture.arrivals(hook)).toHaveLength(250);
  });

  it('checks the deliveries of a slow receiver right before their attempts, and few of them twice', async () => {
    const hook = await fixture.subscribe('contact.created', () => ({ wait: () => pause(30) }));
    await fixture.contacts(30);
    const { checked } = await deliverAll(hook, 30);
    expect(checked).toBeGreaterThanOrEqual(30);
    expect(checked).toBeLessThanOrEqual(40);
    expect(new Set(fixture.arrivals(hook)).size).toBe(30);
    expect(fixture.arrivals(hook)).toHaveLength(30);
  });

  it('makes at most twenty attempts without records', async () => {
    const hook = await fixture.subscribe();
    await fixture.contacts(60);
    const block = await BlockingTransaction.begin(service.database, 'SELECT FROM webhooks WHERE id = $1 FOR UPDATE', [
      hook.id,
    ]);
    const delivered = deliver(hook);
    await fixture.received(hook, 20);
    await pause(200);
    expect(fixture.arrivals(hook)).toHaveLength(20);
    await block.end();
    await delivered;
    await deliverAll(hook, 60);
    expect(fixture.arrivals(hook)).toHaveLength(60);
  });

  it('attempts nothing that was checked before its webhook was made inactive', async () => {
    const hook = await fixture.subscribe('contact.created', () => ({
      wait: () => fixture.api.put(`/webhooks/${hook.id}`, { is_active: false }).then(() => pause(15)),
    }));
    await fixture.contacts(20);
    await deliver(hook);
    expect(fixture.arrivals(hook)).toHaveLength(1);
  });
});

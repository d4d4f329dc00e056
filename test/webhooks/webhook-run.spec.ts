import pg from 'pg';
import { Log } from '@outreach/logging';
import { Database } from '../../src/platform/database/index.js';
import { DomainEvents } from '../../src/platform/events/index.js';
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
  /** The clock of the runs, in milliseconds. It stands still until a test moves it, so that no check becomes old by chance. */
  let now: number;

  beforeEach(async () => {
    const get = <T>(type: new (...args: any[]) => T): T => service.app.get(type, { strict: false });
    fixture = await WebhookFixture.start(service);
    scope = await WorkspaceScope.open(fixture.api.workspaceId, get(Database));
    const results = new DeliveryResults(service.config, get(DomainEvents), new Log('silent'));
    contexts = new DeliveryContexts(get(WebhookSecrets), get(WebhookSender), results);
    now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await fixture.clear();
  });

  /** Delivers what is due. */
  const run = ({ id }: Hook, of = scope): Promise<void> =>
    new WebhookRun(contexts.of(of, id, { is_active: true }), new AbortController().signal).run();

  /** Delivers what is due. @returns the number of reads, and the number of checked deliveries, repeated checks included */
  async function deliver(hook: Hook): Promise<{ reads: number; checked: number }> {
    const query = jest.spyOn(pg.Client.prototype, 'query');
    await run(hook);
    const statements = query.mock.calls as unknown as [{ text?: string; values?: unknown[] }][];
    query.mockRestore();
    const like = (part: string) => statements.filter(([{ text }]) => text?.includes(part));
    const idsOf = ([{ values }]: [{ values?: unknown[] }]): unknown[] => values?.find(Array.isArray) ?? [];
    return { reads: like('WITH due AS (').length, checked: like('AS attempt, webhook.url').flatMap(idsOf).length };
  }

  it.each([
    ['at once', 0],
    ['however long that takes', 50],
  ])(
    'reads and checks a single delivery once, and does not let it wait for the next read, %s',
    async (_, milliseconds) => {
      const hook = await fixture.subscribe();
      await fixture.contacts(1);
      const query = scope.query.bind(scope);
      jest.spyOn(scope, 'query').mockImplementation(async (statement) => {
        const rows = await query(statement);
        if (statement.toQuery().text.includes('WITH due AS (')) now += milliseconds;
        return rows;
      });
      // After its attempt and after its record others may have become due.
      expect(await deliver(hook)).toEqual({ reads: 3, checked: 1 });
      await fixture.logged(hook, 1);
      expect(fixture.arrivals(hook)).toHaveLength(1);
    },
  );

  it('reads a backlog in large parts, and delivers each of its events once', async () => {
    const hook = await fixture.subscribe();
    await fixture.contacts(250);
    const { reads } = await deliver(hook);
    expect(reads).toBeLessThanOrEqual(25);
    expect(new Set(fixture.arrivals(hook)).size).toBe(250);
    expect(fixture.arrivals(hook)).toHaveLength(250);
  });

  it('reads large bodies of a backlog as far as there is space', async () => {
    const hook = await fixture.subscribe();
    await fixture.contacts(120);
    await service.database.query(`UPDATE webhook_events SET payload = json_build_object('large', repeat('x', 20000))`);
    await deliver(hook);
    expect(fixture.arrivals(hook)).toHaveLength(120);
  });

  it('checks the deliveries of a slow receiver right before their attempts, and few of them twice', async () => {
    const hook = await fixture.subscribe('contact.created', () => {
      now += 30;
      return {};
    });
    await fixture.contacts(30);
    const { checked } = await deliver(hook);
    expect(checked).toBeGreaterThanOrEqual(30);
    expect(checked).toBeLessThanOrEqual(40);
    expect(new Set(fixture.arrivals(hook)).size).toBe(30);
    expect(fixture.arrivals(hook)).toHaveLength(30);
  });

  it('makes at most twenty attempts without records', async () => {
    const hook = await fixture.subscribe();
    await fixture.contacts(60);
    const other = await WebhookFixture.start(service);
    const otherHook = await other.subscribe();
    const block = await BlockingTransaction.begin(
      service.database,
      'SELECT FROM webhooks WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
      [fixture.api.workspaceId, hook.id],
    );
    const delivered = run(hook);
    await fixture.received(hook, 20);
    // What the run would attempt besides would arrive before this delivery, which begins later.
    await other.contacts(1);
    await run(otherHook, await WorkspaceScope.open(other.api.workspaceId, service.app.get(Database)));
    await other.received(otherHook, 1);
    expect(fixture.arrivals(hook)).toHaveLength(20);
    await block.end();
    await delivered;
    expect(fixture.arrivals(hook)).toHaveLength(60);
    await other.receiver.stop();
  });

  it('attempts nothing that was checked before its webhook was made inactive', async () => {
    const hook = await fixture.subscribe('contact.created', () => ({
      wait: async () => {
        await fixture.api.put(`/webhooks/${hook.id}`, { is_active: false });
        now += 15;
      },
    }));
    await fixture.contacts(20);
    await run(hook);
    expect(fixture.arrivals(hook)).toHaveLength(1);
  });
});

import { eventually } from '../support/eventually.js';
import { RequestGate } from '../support/request-gate.js';
import { useService } from '../support/service.js';
import { violatedInvariants } from '../support/webhook-invariants.js';
import type { ReceivedWebhook, Reply } from '../support/webhook-receiver.js';
import { deliveringWorkers, type Hook, WebhookFixture } from '../support/webhook-fixture.js';

const WORKERS = 3;
const MAX_CONCURRENT_ATTEMPTS = 4;
/** A worker attempts at most so many deliveries before it records their results. */
const MAX_UNRECORDED = 20;

describe('webhook deliveries by several worker processes', () => {
  const service = useService();
  const workers = deliveringWorkers(service);
  let fixture: WebhookFixture;

  beforeEach(async () => {
    fixture = await WebhookFixture.start(service, workers);
  });
  afterEach(() => fixture.clear());
  afterAll(() => workers.stop());

  /** Lets the first attempt at every fifth delivery fail. */
  const failing = (how: Reply): ((request: ReceivedWebhook) => Reply) => {
    const seen = new Map<unknown, number>();
    return ({ headers }) => {
      const delivery = headers['x-service-delivery'];
      if (!seen.has(delivery)) seen.set(delivery, seen.size);
      const isChosen = Number(seen.get(delivery)) % 5 === 0;
      return isChosen && headers['x-service-attempt'] === '1' ? how : {};
    };
  };

  it('lose no event if workers are killed, and repeat only those that were in progress or not yet recorded', async () => {
    const [events, deleted, kills] = [200, 20, 2];
    const [gate, slowGate] = [new RequestGate(0), new RequestGate(Infinity, 300)];
    const quick = await fixture.subscribe('contact.created', () => ({ wait: gate.pass }));
    const slow = await fixture.subscribe('contact.deleted', () => ({ wait: slowGate.pass }));
    const failingHook = await fixture.subscribe('contact.created', failing({ status: 500 }));
    const resetting = await fixture.subscribe('contact.created', failing('reset'));
    await fixture.contacts(events);
    const { data } = await fixture.api.get(`/contacts?per_page=${deleted}`);
    await Promise.all(data.map(({ id }: { id: number }) => fixture.api.delete(`/contacts/${id}`)));
    for (let kill = 1; kill <= kills; kill++) {
      gate.open(events / (kills + 2));
      await fixture.runWorkers(1);
      await eventually(() => expect(gate.waiting).toBeGreaterThan(0));
      await fixture.killWorkers();
    }
    gate.open();
    await fixture.runWorkers(WORKERS);
    await fixture.waitUntilIdle();
    for (const hook of [quick, failingHook, resetting]) {
      expect(new Set(fixture.arrivals(hook)).size).toBe(events);
      expect((await fixture.logs(hook)).filter(({ success }) => success)).toHaveLength(events);
    }
    expect(new Set(fixture.arrivals(slow)).size).toBe(deleted);
    expect(fixture.arrivals(quick).length - events).toBeGreaterThanOrEqual(kills);
    for (const hook of [quick, slow])
      expect(await fixture.unloggedArrivals(hook)).toBeLessThanOrEqual(kills * MAX_UNRECORDED);
    const failed = async (hook: Hook, failure: number): Promise<number> =>
      (await fixture.logs(hook)).filter(({ status_code: status }) => status === failure).length;
    expect(await failed(failingHook, 500)).toBe(events / 5);
    expect(await failed(resetting, 0)).toBeGreaterThanOrEqual(events / 5);
    expect(await violatedInvariants(service.database)).toEqual([]);
  });

  it('arrive once, with at most four concurrent requests per webhook', async () => {
    const events = 200;
    const gates = Array.from({ length: 3 }, () => new RequestGate(Infinity, 5));
    const hooks: Hook[] = [];
    for (const gate of gates) hooks.push(await fixture.subscribe('contact.created', () => ({ wait: gate.pass })));
    await fixture.runWorkers(WORKERS);
    for (let n = 0; n < 4; n++) await fixture.contacts(events / 4);
    await fixture.waitUntilIdle();
    for (const hook of hooks) {
      expect(new Set(fixture.arrivals(hook)).size).toBe(events);
      expect(await fixture.unloggedArrivals(hook)).toBe(0);
    }
    for (const { maxConcurrent } of gates) expect(maxConcurrent).toBeLessThanOrEqual(MAX_CONCURRENT_ATTEMPTS);
    expect(await violatedInvariants(service.database)).toEqual([]);
  });

  it('to a receiver that goes down under load continue one at a time, and the tenth failure disables the webhook once', async () => {
    const before = 20;
    const [healthyGate, failingGate] = [new RequestGate(before, 5), new RequestGate(Infinity, 5)];
    const hook = await fixture.subscribe('contact.created', () => {
      const isDown = fixture.arrivals(hook).length > before + MAX_CONCURRENT_ATTEMPTS;
      const status = fixture.arrivals(hook).length > before ? 500 : 200;
      return { status, wait: isDown ? failingGate.pass : healthyGate.pass };
    });
    const watching = await fixture.subscribe('webhook.disabled');
    await fixture.runWorkers(WORKERS);
    await fixture.contacts(200);
    await eventually(() => expect(healthyGate.waiting).toBe(MAX_CONCURRENT_ATTEMPTS));
    healthyGate.open();
    await eventually(() => expect(fixture.arrivals(watching)).toHaveLength(1));
    await fixture.contacts(1);
    await fixture.waitUntilReleased();
    expect(await fixture.logs(watching)).toHaveLength(1);
    expect(await fixture.webhook(hook)).toMatchObject({ failure_count: 10, is_active: false });
    const logs = await fixture.logs(hook);
    expect(logs.map(({ success }) => success)).toEqual([
      ...Array.from({ length: before }, () => true),
      ...Array.from({ length: 10 }, () => false),
    ]);
    expect(fixture.arrivals(hook)).toHaveLength(before + 10);
    expect(failingGate.maxConcurrent).toBe(1);
    expect(await violatedInvariants(service.database)).toEqual([]);
  });

  it('of a webhook that is deleted or made inactive during the run do not delay other webhooks', async () => {
    const events = 200;
    const gate = new RequestGate(20);
    const [deleted, stopped] = [
      await fixture.subscribe('contact.created', () => ({ wait: gate.pass })),
      await fixture.subscribe('contact.created', () => ({ wait: gate.pass })),
    ];
    const other = await fixture.subscribe('contact.created');
    await fixture.runWorkers(WORKERS);
    await fixture.contacts(events);
    await eventually(() => expect(gate.waiting).toBeGreaterThan(0));
    expect((await fixture.api.delete(`/webhooks/${deleted.id}`)).status).toBe(204);
    expect((await fixture.api.put(`/webhooks/${stopped.id}`, { is_active: false })).status).toBe(200);
    const before = fixture.arrivals(deleted).length + fixture.arrivals(stopped).length;
    gate.open();
    await eventually(() => expect(new Set(fixture.arrivals(other)).size).toBe(events));
    await fixture.waitUntilReleased();
    expect(await fixture.unloggedArrivals(other)).toBe(0);
    // Those that were checked already may still have been sent.
    expect(fixture.arrivals(deleted).length + fixture.arrivals(stopped).length).toBeLessThanOrEqual(
      before + 2 * MAX_CONCURRENT_ATTEMPTS,
    );
    expect(await fixture.unloggedArrivals(stopped)).toBe(0);
    expect(await violatedInvariants(service.database)).toEqual([]);
  });
});

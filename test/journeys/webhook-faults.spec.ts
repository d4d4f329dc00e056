import { eventually } from '../support/eventually.js';
import { RequestGate } from '../support/request-gate.js';
import { startService, type TestService } from '../support/service.js';
import { faultsInBooks } from '../support/webhook-books.js';
import type { ReceivedWebhook, Reply } from '../support/webhook-receiver.js';
import { WebhookStage } from '../support/webhook-stage.js';

const MOST_AT_ONCE = 4;
const PATIENCE_SECONDS = 60;

describe('webhooks, with workers in processes of their own,', () => {
  let service: TestService;
  let stage: WebhookStage;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    stage = await WebhookStage.set(service);
  });
  afterEach(() => stage.clear());

  /** Every fifth delivery fails at first. */
  const failing = (how: Reply): ((request: ReceivedWebhook) => Reply) => {
    const seen = new Map<unknown, number>();
    return ({ headers }) => {
      const delivery = headers['x-service-delivery'];
      if (!seen.has(delivery)) seen.set(delivery, seen.size);
      const isChosen = Number(seen.get(delivery)) % 5 === 0;
      return isChosen && headers['x-service-attempt'] === '1' ? how : {};
    };
  };

  it('hear every event though these are killed in the middle, and only what was in hand twice', async () => {
    const [events, deleted, kills] = [300, 40, 3];
    const [gate, slowly] = [new RequestGate(0), new RequestGate(Infinity, 300)];
    const quick = await stage.subscribe('contact.created', () => ({ wait: gate.pass }));
    const slow = await stage.subscribe('contact.deleted', () => ({ wait: slowly.pass }));
    const sick = await stage.subscribe('contact.created', failing({ status: 500 }));
    const rude = await stage.subscribe('contact.created', failing('reset'));
    await stage.contacts(events);
    const { data } = await stage.api.get(`/contacts?per_page=${deleted}`);
    await Promise.all(data.map(({ id }: { id: number }) => stage.api.delete(`/contacts/${id}`)));
    for (let kill = 1; kill <= kills; kill++) {
      gate.open(events / (kills + 2));
      await stage.startWorkers(1);
      await eventually(() => expect(gate.waiting).toBeGreaterThan(0), PATIENCE_SECONDS);
      await stage.killWorkers();
    }
    gate.open();
    await stage.startWorkers(2);
    await stage.nothingWaits();
    for (const hook of [quick, sick, rude]) expect(new Set(stage.arrivals(hook)).size).toBe(events);
    expect(new Set(stage.arrivals(slow)).size).toBe(deleted);
    const twice = stage.arrivals(quick).length - events;
    expect(twice).toBeGreaterThanOrEqual(kills);
    expect(twice).toBeLessThanOrEqual(kills * MOST_AT_ONCE);
    expect(stage.arrivals(slow).length).toBeLessThanOrEqual(deleted + kills * MOST_AT_ONCE);
    expect(await stage.logs(quick)).toHaveLength(events);
    expect((await stage.logs(sick)).filter(({ success }) => !success)).toHaveLength(events / 5);
    expect((await stage.logs(rude)).filter(({ status_code: status }) => status === 0)).toHaveLength(events / 5);
    expect(await faultsInBooks(service.database)).toEqual([]);
  }, 120_000);

  it.each([2, 4])(
    'of %d workers are told each event once, by a few requests at a time',
    async (count) => {
      const events = 200;
      const gates = Array.from({ length: 3 }, () => new RequestGate(Infinity, 5));
      const hooks = [];
      for (const gate of gates) hooks.push(await stage.subscribe('contact.created', () => ({ wait: gate.pass })));
      await stage.startWorkers(count);
      for (let n = 0; n < 4; n++) await stage.contacts(events / 4);
      await stage.nothingWaits();
      for (const hook of hooks) {
        expect(stage.arrivals(hook)).toHaveLength(events);
        expect(new Set(stage.arrivals(hook)).size).toBe(events);
      }
      expect(gates.map(({ mostInside }) => mostInside)).toEqual(gates.map(() => MOST_AT_ONCE));
      expect(await faultsInBooks(service.database)).toEqual([]);
    },
    120_000,
  );

  it('are tried one at a time when they go down under load, ten times in a row, and disabled once', async () => {
    const before = 20;
    const [well, ill] = [new RequestGate(before, 5), new RequestGate(Infinity, 5)];
    const hook = await stage.subscribe('contact.created', () => {
      const isDown = stage.arrivals(hook).length > before + MOST_AT_ONCE;
      const status = stage.arrivals(hook).length > before ? 500 : 200;
      return { status, wait: isDown ? ill.pass : well.pass };
    });
    const watching = await stage.subscribe('webhook.disabled');
    await stage.startWorkers(4);
    await stage.contacts(200);
    await eventually(() => expect(well.waiting).toBe(MOST_AT_ONCE), PATIENCE_SECONDS);
    well.open();
    await eventually(() => expect(stage.arrivals(watching)).toHaveLength(1), PATIENCE_SECONDS);
    await stage.contacts(1);
    await stage.stopWorkers();
    expect(await stage.logs(watching)).toHaveLength(1);
    expect(await stage.webhook(hook)).toMatchObject({ failure_count: 10, is_active: false });
    const logs = await stage.logs(hook);
    expect(logs.map(({ success }) => success)).toEqual([
      ...Array.from({ length: before }, () => true),
      ...Array.from({ length: 10 }, () => false),
    ]);
    expect(stage.arrivals(hook)).toHaveLength(before + 10);
    expect(ill.mostInside).toBe(1);
    expect(await faultsInBooks(service.database)).toEqual([]);
  }, 60_000);

  it('hold up no other when they are deleted or made inactive in the middle', async () => {
    const events = 200;
    const gate = new RequestGate(20);
    const [deleted, stopped] = [
      await stage.subscribe('contact.created', () => ({ wait: gate.pass })),
      await stage.subscribe('contact.created', () => ({ wait: gate.pass })),
    ];
    const other = await stage.subscribe('contact.created');
    await stage.startWorkers(2);
    await stage.contacts(events);
    await eventually(() => expect(gate.waiting).toBeGreaterThan(0), PATIENCE_SECONDS);
    expect((await stage.api.delete(`/webhooks/${deleted.id}`)).status).toBe(204);
    expect((await stage.api.put(`/webhooks/${stopped.id}`, { is_active: false })).status).toBe(200);
    gate.open();
    await eventually(() => expect(stage.arrivals(other)).toHaveLength(events), PATIENCE_SECONDS);
    await stage.stopWorkers();
    expect(await stage.logs(other)).toHaveLength(events);
    expect(stage.arrivals(deleted).length + stage.arrivals(stopped).length).toBeLessThanOrEqual(20 + 2 * MOST_AT_ONCE);
    expect(await stage.logs(stopped)).toHaveLength(stage.arrivals(stopped).length);
    expect(await faultsInBooks(service.database)).toEqual([]);
  }, 60_000);
});

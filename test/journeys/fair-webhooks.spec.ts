import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { useDeliveryTimeout } from '../support/delivery-timeout.js';
import { eventually } from '../support/eventually.js';
import { useService } from '../support/service.js';
import { WebhookFixture } from '../support/webhook-fixture.js';
import { trustReceivers } from '../support/webhook-receiver.js';

/** Of one workspace: more than a process delivers to at the same time. */
const WEBHOOKS = 300;
/** Fewer than the places that one workspace gets. */
const PLACES = 150;

describe('webhook deliveries for several workspaces', () => {
  trustReceivers();
  // Longer than the test lasts: what has a place keeps it.
  useDeliveryTimeout(3_600_000);
  const service = useService();
  /** Accepts connections and sends nothing. */
  let silent: Server;
  const sockets: Socket[] = [];
  let first: WebhookFixture;
  let second: WebhookFixture;

  beforeAll(async () => {
    silent = createServer((socket) => sockets.push(socket.on('error', () => undefined).resume()));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    await service.startWorker();
    [first, second] = [await WebhookFixture.start(service), await WebhookFixture.start(service)];
  });
  // Not in afterAll: the service waits for its deliveries when it stops.
  afterEach(async () => {
    await service.database.query('DELETE FROM webhook_deliveries');
    for (const socket of sockets) socket.destroy();
    await Promise.all([first.clear(), second.clear()]);
    silent.close();
  });

  it('of one do not wait while no receiver of another responds', async () => {
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const { data } = await first.api.post('/webhooks', { url, events: ['contact.created'] });
    await service.database.query(
      `INSERT INTO webhooks (workspace_id, url, events, secret)
       SELECT workspace_id, url, events, secret FROM webhooks, generate_series(2, $2::int) WHERE id = $1`,
      [data.id, WEBHOOKS],
    );
    const hook = await second.subscribe();
    await first.contacts(1);
    await eventually(() => expect(sockets.length).toBeGreaterThan(PLACES));
    await second.contacts(1);
    await second.received(hook, 1);
    // The event is younger than those for which no place was left.
    expect(sockets.length).toBeLessThan(WEBHOOKS);
  });
});

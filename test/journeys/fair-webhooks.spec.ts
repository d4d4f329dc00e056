import { eventually } from '../support/eventually.js';
import { useService } from '../support/service.js';
import { WebhookFixture } from '../support/webhook-fixture.js';
import { trustReceivers } from '../support/webhook-receiver.js';

/** So many more than a process delivers to at the same time that some have no place when the first ones give up, after ten seconds. */
const WEBHOOKS = 500;
/** Fewer than the places that one workspace gets. */
const PLACES = 150;

describe('webhook deliveries for several workspaces', () => {
  trustReceivers();
  const service = useService();
  let first: WebhookFixture;
  let second: WebhookFixture;

  beforeAll(async () => {
    await service.startWorker();
  });
  beforeEach(async () => {
    [first, second] = [await WebhookFixture.start(service), await WebhookFixture.start(service)];
  });
  afterEach(async () => {
    await first.clear();
    await second.clear();
  });

  it('of one do not wait while no receiver of another responds', async () => {
    const silent = await first.subscribe('contact.created', () => 'silence');
    await service.database.query(
      `INSERT INTO webhooks (workspace_id, url, events, secret)
       SELECT workspace_id, url, events, secret FROM webhooks, generate_series(2, $2::int) WHERE id = $1`,
      [silent.id, WEBHOOKS],
    );
    const hook = await second.subscribe();
    await first.contacts(1);
    await eventually(() => expect(first.arrivals(silent).length).toBeGreaterThan(PLACES));
    await second.contacts(1);
    await second.received(hook, 1);
    // The event is younger than those for which no place was left.
    expect(first.arrivals(silent).length).toBeLessThan(WEBHOOKS);
  });
});

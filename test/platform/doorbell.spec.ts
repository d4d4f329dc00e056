import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { Doorbell, type Lane } from '../../src/platform/queue/index.js';
import { DELIVERING } from '../../src/webhooks/index.js';
import { eventually } from '../support/eventually.js';
import { startService, type TestService } from '../support/service.js';

const lanes = (count: number): Lane[] => Array.from({ length: count }, (_, n) => ({ workspace_id: 1, id: n + 1 }));

/** No worker runs here: rings stay where they are. */
describe('the doorbell', () => {
  let service: TestService;
  let doorbell: Doorbell;
  let queue: Queue;
  beforeAll(async () => {
    service = await startService();
    doorbell = service.app.get(Doorbell, { strict: false });
    queue = service.app.get<Queue>(getQueueToken(DELIVERING), { strict: false });
  });
  afterAll(() => service.stop());
  beforeEach(() => queue.obliterate({ force: true }));

  const rings = () => queue.getWaitingCount();
  const waits = (count: number) => eventually(async () => expect(await rings()).toBe(count));

  it('is rung once for a lane, however often something comes in', async () => {
    for (let n = 0; n < 3; n++) doorbell.ring(DELIVERING, lanes(2));
    doorbell.ring(DELIVERING, lanes(3));
    await waits(3);
  });

  it('is rung for what a look has found, and not again while as much waits', async () => {
    for (let look = 0; look < 5; look++) await doorbell.ringFound(DELIVERING, lanes(3));
    expect(await rings()).toBe(3);
    for (let look = 0; look < 5; look++) await doorbell.ringFound(DELIVERING, lanes(4));
    expect(await rings()).toBe(7);
  });

  it('is rung for what a look has found although its worker was called', async () => {
    doorbell.ring(DELIVERING, lanes(1));
    await waits(1);
    await doorbell.ringFound(DELIVERING, lanes(2));
    expect(await rings()).toBe(3);
  });
});

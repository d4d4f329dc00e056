import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { Doorbell, type Lane } from '../../src/platform/queue/index.js';
import { PLANNING, SENDING } from '../../src/sending/index.js';
import { DELIVERING } from '../../src/webhooks/index.js';
import { eventually } from '../support/eventually.js';
import { startService, type TestService } from '../support/service.js';

const lanes = (count: number): Lane[] => Array.from({ length: count }, (_, n) => ({ workspace_id: 1, id: n + 1 }));

/** No worker runs here: rings stay where they are. Each test has a queue of its own, because rings come in late. */
describe('the doorbell', () => {
  let service: TestService;
  let doorbell: Doorbell;
  beforeAll(async () => {
    service = await startService();
    doorbell = service.app.get(Doorbell, { strict: false });
  });
  afterAll(() => service.stop());

  const rings = (name: string) => service.app.get<Queue>(getQueueToken(name), { strict: false }).getWaitingCount();
  const waits = (name: string, count: number) => eventually(async () => expect(await rings(name)).toBe(count));

  it('is rung once for a lane, however often something comes in', async () => {
    for (let n = 0; n < 3; n++) doorbell.ring(DELIVERING, lanes(2));
    doorbell.ring(DELIVERING, lanes(3));
    await waits(DELIVERING, 3);
  });

  it('is rung for what a look has found, and not again while as much waits', async () => {
    for (let look = 0; look < 5; look++) await doorbell.ringFound(SENDING, lanes(3));
    expect(await rings(SENDING)).toBe(3);
    for (let look = 0; look < 5; look++) await doorbell.ringFound(SENDING, lanes(4));
    expect(await rings(SENDING)).toBe(7);
  });

  it('is rung for what a look has found although its worker was called', async () => {
    doorbell.ring(PLANNING, lanes(1));
    await waits(PLANNING, 1);
    await doorbell.ringFound(PLANNING, lanes(2));
    expect(await rings(PLANNING)).toBe(3);
  });
});

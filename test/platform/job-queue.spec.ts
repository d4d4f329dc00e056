import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { JobQueue, type JobKey } from '../../src/platform/queue/index.js';
import { PLANNING, SENDING } from '../../src/sending/index.js';
import { DELIVERING } from '../../src/webhooks/index.js';
import { eventually } from '../support/eventually.js';
import { startService, type TestService } from '../support/service.js';

const keys = (count: number): JobKey[] => Array.from({ length: count }, (_, n) => ({ workspace_id: 1, id: n + 1 }));

/** No worker runs here: rings stay where they are. Each test has a queue of its own, because rings come in late. */
describe('the doorbell', () => {
  let service: TestService;
  let jobQueue: JobQueue;
  beforeAll(async () => {
    service = await startService();
    jobQueue = service.app.get(JobQueue, { strict: false });
  });
  afterAll(() => service.stop());

  const waitingJobs = (name: string) =>
    service.app.get<Queue>(getQueueToken(name), { strict: false }).getWaitingCount();
  const eventuallyWaiting = (name: string, count: number) =>
    eventually(async () => expect(await waitingJobs(name)).toBe(count));

  it('is rung once for a lane, however often something comes in', async () => {
    for (let n = 0; n < 3; n++) jobQueue.enqueue(DELIVERING, keys(2));
    jobQueue.enqueue(DELIVERING, keys(3));
    await eventuallyWaiting(DELIVERING, 3);
  });

  it('is rung for what a look has found, and not again while as much waits', async () => {
    for (let poll = 0; poll < 5; poll++) await jobQueue.enqueueDue(SENDING, keys(3));
    expect(await waitingJobs(SENDING)).toBe(3);
    for (let poll = 0; poll < 5; poll++) await jobQueue.enqueueDue(SENDING, keys(4));
    expect(await waitingJobs(SENDING)).toBe(7);
  });

  it('is rung for what a look has found although its worker was called', async () => {
    jobQueue.enqueue(PLANNING, keys(1));
    await eventuallyWaiting(PLANNING, 1);
    await jobQueue.enqueueDue(PLANNING, keys(2));
    expect(await waitingJobs(PLANNING)).toBe(3);
  });
});

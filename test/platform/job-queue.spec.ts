import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { type JobKey, JobQueue } from '@outreach/job-queue';
import { IMPORTING } from '../../src/contacts/index.js';
import { PLANNING, SENDING } from '../../src/sending/index.js';
import { DELIVERING } from '../../src/webhooks/index.js';
import { eventually } from '../support/eventually.js';
import { useService } from '../support/service.js';

const keys = (count: number): JobKey[] => Array.from({ length: count }, (_, n) => ({ workspace_id: 1, id: n + 1 }));

/** No worker runs here, so jobs stay in the queue. Each test uses another queue, because jobs are added asynchronously. */
describe('JobQueue', () => {
  const service = useService();
  let jobQueue: JobQueue;
  beforeAll(() => {
    jobQueue = service.app.get(JobQueue, { strict: false });
  });

  const waitingJobs = (name: string) =>
    service.app.get<Queue>(getQueueToken(name), { strict: false }).getWaitingCount();
  const eventuallyWaiting = (name: string, count: number) =>
    eventually(async () => expect(await waitingJobs(name)).toBe(count));

  it('adds one job per key, however often enqueue is called', async () => {
    for (let n = 0; n < 3; n++) jobQueue.enqueue(DELIVERING, keys(2));
    jobQueue.enqueue(DELIVERING, keys(3));
    await eventuallyWaiting(DELIVERING, 3);
  });

  it('adds a job for each due key, and none while as many jobs are waiting', async () => {
    for (let poll = 0; poll < 5; poll++) await jobQueue.enqueueDue(SENDING, keys(3));
    expect(await waitingJobs(SENDING)).toBe(3);
    for (let poll = 0; poll < 5; poll++) await jobQueue.enqueueDue(SENDING, keys(4));
    expect(await waitingJobs(SENDING)).toBe(7);
  });

  it('adds a job for a due key although the queue already has one for it', async () => {
    jobQueue.enqueue(PLANNING, keys(1));
    await eventuallyWaiting(PLANNING, 1);
    await jobQueue.enqueueDue(PLANNING, keys(2));
    expect(await waitingJobs(PLANNING)).toBe(3);
  });

  it('adds no job for a key that this process drains now, which is drained again instead', async () => {
    const repeated: number[] = [];
    jobQueue.register(IMPORTING, { repeat: ({ id }) => id <= 2 && repeated.push(id) > 0 });
    jobQueue.enqueue(IMPORTING, keys(3));
    await eventuallyWaiting(IMPORTING, 1);
    expect(repeated).toEqual([1, 2]);
  });
});

import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { Database } from '../database/index.js';
import { type Log, withLogFields } from '../logging/index.js';
import { WorkspaceScope } from '../tenancy/index.js';
import { Scheduled } from './task-scheduler.js';
import { type JobQueue, type JobKey, type JobData, jobIdOf } from './job-queue.js';

/** What a processor needs of the platform. */
export interface DrainDependencies {
  readonly database: Database;
  readonly jobQueue: JobQueue;
  readonly log: Log;
}

/**
 * Work that stands in a table until it is due, in lanes. Claiming, leasing and recording are the subclass's SQL; this is
 * how workers get to it: rung awake by the doorbell, or every second by a look at what is due.
 * Several processes may drain one lane at once, so claims must exclude each other in the database.
 * A subclass is declared with `@Processor(queue, { autorun: false, … })`.
 */
export abstract class DrainProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  /** Lanes that are drained here now, and whether somebody has rung meanwhile. */
  private readonly draining = new Map<string, 'requested' | 'idle'>();

  constructor(
    private readonly queue: string,
    protected readonly dependencies: DrainDependencies,
  ) {
    super();
  }

  /** The lanes of all workspaces that have something due now. */
  protected abstract dueKeys(): Promise<readonly JobKey[]>;

  /**
   * Works on one lane for a slice of time, until nothing is due or `stopping` is aborted.
   * @returns `more` when something due is left
   */
  protected abstract drain(scope: WorkspaceScope, id: number, stopping: AbortSignal): Promise<'done' | 'more'>;

  /** A failure escapes to BullMQ, which reports it; the lane is rung again within a second. */
  async process(job: Job<JobData>): Promise<void> {
    const { workspace_id: workspaceId, id } = job.data;
    const jobId = jobIdOf(job.data);
    if (this.draining.has(jobId)) this.draining.set(jobId, 'requested');
    if (this.draining.has(jobId) || this.stopping.signal.aborted) return;
    this.draining.set(jobId, 'idle');
    try {
      const scope = WorkspaceScope.open(workspaceId, this.dependencies.database);
      const remaining = await withLogFields({ queue: this.queue, workspace_id: workspaceId, job: id }, () =>
        this.drain(scope, id, this.stopping.signal),
      );
      // What came in after the last look inside is not left to the next second.
      if (remaining === 'more' || this.draining.get(jobId) === 'requested')
        this.dependencies.jobQueue.requeue(this.queue, job.data);
    } finally {
      this.draining.delete(jobId);
    }
  }

  /** BullMQ's loop spins for ever, and stops the process from hearing anything, when its first connection fails. */
  async onApplicationBootstrap(): Promise<void> {
    await this.worker.waitUntilReady();
    this.worker.run().catch((error: Error) => this.reportError(error));
  }

  @Scheduled(({ queue }: DrainProcessor) => `enqueue-due-${queue}`, 1)
  async enqueueDue(): Promise<void> {
    await this.dependencies.jobQueue.enqueueDue(this.queue, await this.dueKeys());
  }

  @OnWorkerEvent('failed')
  reportFailure(job: Job<JobData> | undefined, error: Error): void {
    this.dependencies.log.error('a job failed', { queue: this.queue, job: job?.data, error });
  }

  /** While it closes, its connections may end before it has let go of them. */
  @OnWorkerEvent('error')
  reportError(error: Error): void {
    if (this.worker.closing) return;
    this.dependencies.log.warn('the queue has a fault', { queue: this.queue, error });
  }

  /** Takes no more jobs and lets those in hand finish, while the database is still open. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.worker.close();
  }
}

import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { Database } from '../database/index.js';
import { type Log, withLogFields } from '../logging/index.js';
import { WorkspaceScope } from '../tenancy/index.js';
import { Scheduled } from './task-scheduler.js';
import { type JobQueue, type JobKey, type JobData, jobIdOf } from './job-queue.js';

/** What a processor needs from the platform. */
export interface DrainDependencies {
  readonly database: Database;
  readonly jobQueue: JobQueue;
  readonly log: Log;
}

/**
 * Processes work that is stored in tables with a due date. This class runs {@link drain} for each job of its queue, and
 * adds jobs every second for the keys that have due work. Claims, leases and results are the SQL of the subclass.
 * Several processes may drain the same key, so claims must exclude each other in the database. A subclass is
 * declared with `@Processor(queue, { autorun: false, … })`.
 */
export abstract class DrainProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  /** The keys that this process drains now, and whether another job for the key has arrived since the start. */
  private readonly draining = new Map<string, 'running' | 'requested again'>();

  constructor(
    private readonly queue: string,
    protected readonly dependencies: DrainDependencies,
  ) {
    super();
  }

  /** @returns the keys of all workspaces that have due work */
  protected abstract dueKeys(): Promise<readonly JobKey[]>;

  /**
   * Works on one key until nothing is due, for a limited time, or until `stopping` is aborted.
   * @returns `more` if due work is left
   */
  protected abstract drain(scope: WorkspaceScope, id: number, stopping: AbortSignal): Promise<'done' | 'more'>;

  /** An error goes to BullMQ, which reports it. The next poll adds a new job for the key. */
  async process(job: Job<JobData>): Promise<void> {
    const { workspace_id: workspaceId, id } = job.data;
    const jobId = jobIdOf(job.data);
    if (this.draining.has(jobId)) this.draining.set(jobId, 'requested again');
    if (this.draining.has(jobId) || this.stopping.signal.aborted) return;
    this.draining.set(jobId, 'running');
    try {
      const scope = WorkspaceScope.open(workspaceId, this.dependencies.database);
      const remaining = await withLogFields({ queue: this.queue, workspace_id: workspaceId, job: id }, () =>
        this.drain(scope, id, this.stopping.signal),
      );
      // Work that has arrived after the last check in drain() does not wait for the next poll.
      if (remaining === 'more' || this.draining.get(jobId) === 'requested again')
        this.dependencies.jobQueue.requeue(this.queue, job.data);
    } finally {
      this.draining.delete(jobId);
    }
  }

  /** Waits for the connection: without one, the loop of BullMQ never yields to the event loop. */
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

  /** While the worker closes, its connections may end before it has released them. That is not an error. */
  @OnWorkerEvent('error')
  reportError(error: Error): void {
    if (this.worker.closing) return;
    this.dependencies.log.warn('the queue has an error', { queue: this.queue, error });
  }

  /** Takes no more jobs and waits for the running ones, while the database is still open. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.worker.close();
  }
}

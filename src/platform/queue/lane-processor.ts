import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { Database } from '../database/index.js';
import { type Log, withLogFields } from '../logging/index.js';
import { WorkspaceScope } from '../tenancy/index.js';
import { Every } from './chores.js';
import { type Doorbell, type Lane, type LaneJob, nameOf } from './doorbell.js';

/** What a processor needs of the platform. */
export interface LaneTools {
  readonly database: Database;
  readonly doorbell: Doorbell;
  readonly log: Log;
}

/**
 * Work that stands in a table until it is due, in lanes. Claiming, leasing and recording are the subclass's SQL; this is
 * how workers get to it: rung awake by the doorbell, or every second by a look at what is due.
 * Several processes may drain one lane at once, so claims must exclude each other in the database.
 * A subclass is declared with `@Processor(queue, { autorun: false, … })`.
 */
export abstract class LaneProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  /** Lanes that are drained here now, and whether somebody has rung meanwhile. */
  private readonly busy = new Map<string, 'rung' | 'quiet'>();

  constructor(
    private readonly queue: string,
    protected readonly tools: LaneTools,
  ) {
    super();
  }

  /** The lanes of all workspaces that have something due now. */
  protected abstract lanes(): Promise<readonly Lane[]>;

  /**
   * Works on one lane for a slice of time, until nothing is due or `stopping` is aborted.
   * @returns `more` when something due is left
   */
  protected abstract drain(scope: WorkspaceScope, id: number, stopping: AbortSignal): Promise<'done' | 'more'>;

  /** A failure escapes to BullMQ, which reports it; the lane is rung again within a second. */
  async process(job: Job<LaneJob>): Promise<void> {
    const { workspace_id: workspaceId, id } = job.data;
    const lane = nameOf(job.data);
    if (this.busy.has(lane)) this.busy.set(lane, 'rung');
    if (this.busy.has(lane) || this.stopping.signal.aborted) return;
    this.busy.set(lane, 'quiet');
    try {
      const scope = WorkspaceScope.open(workspaceId, this.tools.database);
      const left = await withLogFields({ queue: this.queue, workspace_id: workspaceId, lane: id }, () =>
        this.drain(scope, id, this.stopping.signal),
      );
      // What came in after the last look inside is not left to the next second.
      if (left === 'more' || this.busy.get(lane) === 'rung') this.tools.doorbell.ringAgain(this.queue, job.data);
    } finally {
      this.busy.delete(lane);
    }
  }

  /** BullMQ's loop spins for ever, and stops the process from hearing anything, when its first connection fails. */
  async onApplicationBootstrap(): Promise<void> {
    await this.worker.waitUntilReady();
    this.worker.run().catch((error: Error) => this.reportError(error));
  }

  @Every(1)
  async wake(): Promise<void> {
    await this.tools.doorbell.ringFound(this.queue, await this.lanes());
  }

  @OnWorkerEvent('failed')
  reportFailure(job: Job<LaneJob> | undefined, error: Error): void {
    this.tools.log.error('a job failed', { queue: this.queue, lane: job?.data, error });
  }

  /** While it closes, its connections may end before it has let go of them. */
  @OnWorkerEvent('error')
  reportError(error: Error): void {
    if (this.worker.closing) return;
    this.tools.log.warn('the queue has a fault', { queue: this.queue, error });
  }

  /** Takes no more jobs and lets those in hand finish, while the database is still open. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.worker.close();
  }
}

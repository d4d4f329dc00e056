import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import { FairQueue } from '@outreach/concurrency';
import type { Log } from '@outreach/logging';
import type { Sql } from '@outreach/sql-fragments';
import { DrainPlace } from './drain-place.js';
import { QUEUE_POLL_SECONDS } from './queue-store.js';
import { StallCheck } from './stall-check.js';
import type { DueWorkHost, JobKey, PollRange } from './due-work-host.js';
import { type DuePoll, PollsDueWork } from './due-work-poller.js';
import { JobQueue } from './job-queue.js';
import { ReportsStall } from './work-progress.js';

/** How many keys of one tenant wait in this process. The others come again with a later poll. */
const MAX_KEYS_PER_TENANT = 1_000;

/**
 * How often a worker looks for jobs of dead workers, for which it opens a connection. A job ends as soon as its key is in the
 * line, and the poll of due work finds what a dead worker leaves.
 */
const STALLED_JOBS_SECONDS = 300;

/** For how long a process drains a key before any other one may take it. */
const MAX_DRAIN_MS = 30_000;

/** The options of a `@Processor` that is a {@link DueWorkProcessor}. @param concurrency how many jobs it takes at a time */
export const drainOptions = (concurrency: number) => ({
  concurrency,
  autorun: false,
  drainDelay: QUEUE_POLL_SECONDS,
  stalledInterval: STALLED_JOBS_SECONDS * 1000,
});

/** What a processor needs. */
export interface ProcessorDependencies {
  readonly jobQueue: JobQueue;
  readonly log: Log;
}

/** A key that this process drains now or soon. */
interface KnownKey {
  /** It has its place, and its drain has not ended. */
  isDraining: boolean;
  /** Whether the key was enqueued again since its drain has begun. */
  requestedAgain: boolean;
  /** Whether the drain has ended without an error. */
  ended: Promise<boolean>;
}

/**
 * Processes work that is stored in tables with a due date. This class runs {@link drainKey} for each job of its queue, and
 * adds jobs every second for the keys that have due work. Claims, leases and results are the SQL of the subclass.
 * Several processes may drain the same key, so claims must exclude each other in the database. A subclass is
 * declared with `@Processor(queue, drainOptions(…))`.
 *
 * A job ends as soon as its key is in the line of its tenant. A key that waits for its turn or for the network
 * therefore holds no place of BullMQ, and the tenants share the places of this process.
 */
export abstract class DueWorkProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly keys = new Map<string, KnownKey>();
  private readonly places: FairQueue;
  private readonly stallCheck = new StallCheck();
  private readonly host: DueWorkHost;

  /** @param concurrency how many keys this process drains at the same time */
  constructor(
    protected readonly queue: string,
    concurrency: number,
    protected readonly dependencies: ProcessorDependencies,
  ) {
    super();
    this.places = new FairQueue({ concurrency });
    this.host = dependencies.jobQueue.host;
    dependencies.jobQueue.register(queue, { repeat: (key) => this.repeat(key) });
  }

  /**
   * SELECT of keys that have due work, in an order in which the tenants take turns
   * @param range which rows it reads
   */
  protected abstract dueKeys(range: PollRange): Sql;

  /**
   * Works on one key until nothing is due, for a limited time, or until `stopping` is aborted.
   * @param place what it leaves while it only waits
   * @returns `more` if due work is left
   */
  protected abstract drainKey(key: JobKey, stopping: AbortSignal, place: DrainPlace): Promise<'done' | 'more'>;

  /**
   * @returns keys whose work has been due for {@link MAX_UNTOUCHED_SECONDS} without any worker having touched it, in the
   *   same order each time; by default none are known
   */
  protected untouchedKeys(): Promise<readonly JobKey[]> {
    return Promise.resolve([]);
  }

  /** @returns the name of its queue if it has ended, or leaves due work alone although it has capacity for it */
  @ReportsStall()
  async stalledQueue(): Promise<string | undefined> {
    return (await this.isStalled()) ? this.queue : undefined;
  }

  private async isStalled(): Promise<boolean> {
    if (this.stopping.signal.aborted) return false;
    if (!this.worker.isRunning()) return true;
    const untouched = await this.untouchedKeys();
    return this.stallCheck.isStalled(
      untouched.filter((key) => this.places.hasPlaceFor(this.host.tenantOf(key))).map((key) => this.host.idOf(key)),
    );
  }

  async process(job: Job<JobKey>): Promise<void> {
    this.start(job.data);
  }

  private start(data: JobKey): void {
    const jobId = this.host.idOf(data);
    const isLineFull = this.places.size(this.host.tenantOf(data)) >= MAX_KEYS_PER_TENANT;
    if (this.isKnown(data) || isLineFull || this.stopping.signal.aborted) return;
    const key: KnownKey = { isDraining: false, requestedAgain: false, ended: Promise.resolve(true) };
    this.keys.set(jobId, key);
    key.ended = this.drainInTurn(data, key).finally(() => this.keys.delete(jobId));
  }

  /** Waits for the connection: without one, the loop of BullMQ never yields to the event loop. */
  async onApplicationBootstrap(): Promise<void> {
    await this.worker.waitUntilReady();
    this.worker.run().catch((error: Error) => this.reportError(error));
  }

  @PollsDueWork()
  dueWork(): DuePoll {
    return {
      keys: (range) => this.dueKeys(range),
      found: (keys, isOnlyWorker) => {
        // Unlike a hint, it does not make a drain run again: what the drain does not find is found by the next poll.
        const wanted = keys.filter((key) => {
          const known = this.keys.get(this.host.idOf(key));
          return isOnlyWorker ? !known : !known?.isDraining;
        });
        return this.dependencies.jobQueue.enqueueDue(this.queue, wanted);
      },
      run: (keys) => this.drainNow(keys),
    };
  }

  /**
   * Drains keys in the places of their tenants, and waits until their drains have ended.
   * @returns how many have ended without an error
   */
  private async drainNow(keys: readonly JobKey[]): Promise<number> {
    for (const key of keys) this.start(this.host.keyOf(key));
    const ended = await Promise.all(
      keys.map((key) => this.keys.get(this.host.idOf(key))?.ended ?? Promise.resolve(true)),
    );
    return ended.filter(Boolean).length;
  }

  /** Whether this process drains a key now or soon, so that it needs no job. It is drained again after that. */
  private isKnown(key: JobKey): boolean {
    const known = this.keys.get(this.host.idOf(key));
    if (known) known.requestedAgain = true;
    return known !== undefined;
  }

  /** Unlike a key that waits for its place, which another process may drain sooner. */
  private repeat(key: JobKey): boolean {
    return this.keys.get(this.host.idOf(key))?.isDraining === true && this.isKnown(key);
  }

  /** While the worker closes, its connections may end before it has released them. That is not an error. */
  @OnWorkerEvent('error')
  reportError(error: Error): void {
    if (!this.worker.closing) this.dependencies.jobQueue.reportError(this.queue, error);
  }

  /** Takes no more jobs and waits for the running drains, while the database is still open. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.worker.close();
    await Promise.all([...this.keys.values()].map(({ ended }) => ended));
  }

  /** Never rejects: an error is logged, and the next poll adds a new job for the key. @returns whether there was none */
  private async drainInTurn(key: JobKey, known: KnownKey): Promise<boolean> {
    try {
      const place = new DrainPlace(this.places, this.host.tenantOf(key));
      await place.run(() => this.drainUntilDone(key, known, place));
      return true;
    } catch (error) {
      this.dependencies.log.error('a job failed', { queue: this.queue, job: key, error });
      return false;
    }
  }

  /** What is left, or has arrived meanwhile, is drained here without a new job, unless another key waits for the place. */
  private async drainUntilDone(key: JobKey, known: KnownKey, place: DrainPlace): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const sharedAt = performance.now() + MAX_DRAIN_MS;
    do {
      Object.assign(known, { isDraining: true, requestedAgain: false });
      const remaining = await this.drainOnce(key, place);
      if (remaining === 'more') known.requestedAgain = true;
    } while (known.requestedAgain && !this.isOthersTurn(sharedAt));
    known.isDraining = false;
    // Work that has arrived after the last check of its drain does not wait for the next poll.
    if (known.requestedAgain) this.dependencies.jobQueue.requeue(this.queue, key);
  }

  private isOthersTurn(sharedAt: number): boolean {
    return this.stopping.signal.aborted || this.places.waiting > 0 || performance.now() > sharedAt;
  }

  private drainOnce(key: JobKey, place: DrainPlace): Promise<'done' | 'more'> {
    this.stallCheck.noteBegun(this.host.idOf(key));
    return this.drainKey(key, this.stopping.signal, place);
  }
}

import { randomUUID } from 'node:crypto';
import { getQueueToken } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { isOutage, Log } from '@outreach/logging';
import { adviceAbout, isClientRefused } from '@outreach/redis-connections';
import { DueWorkHost, type JobKey } from './due-work-host.js';
import { describeStore, type NamedQueueStore, QUEUE_STORE } from './queue-store.js';

/** Dependency-injection token of the names of all queues. */
export const QUEUES = Symbol('queues');

/** The drains of a queue that run in this process. */
export interface RunningDrains {
  /** Makes the drain of a key run again after its end. @returns false if none is running */
  repeat(key: JobKey): boolean;
}

/**
 * Adds jobs that wake workers. A job may get lost or be added twice: due work is stored in tables, which the workers
 * poll every second.
 */
@Injectable()
export class JobQueue {
  private readonly drains = new Map<string, RunningDrains>();

  constructor(
    readonly host: DueWorkHost,
    private readonly modules: ModuleRef,
    @Inject(QUEUE_STORE) private readonly store: NamedQueueStore,
    private readonly log: Log,
  ) {}

  /** Tells the queue which keys this process drains, so that it adds no jobs for them. */
  register(queue: string, drains: RunningDrains): void {
    this.drains.set(queue, drains);
  }

  /**
   * Adds a job for each key, unless this process drains it now, and so drains it again, or the queue has an unfinished job for
   * it, which will find the new work too. So there is at most one job per key, however often this is called. Never throws.
   */
  enqueue(queue: string, keys: readonly JobKey[]): void {
    const drains = this.drains.get(queue);
    const others = keys.filter((key) => !drains?.repeat(key));
    void this.logFailure(this.add(queue, others, (key) => ({ deduplication: { id: this.host.idOf(key) } })));
  }

  /**
   * Adds a job even if the queue has one for the key. A worker calls this when it stops before all work of the key is
   * done. Never throws.
   */
  requeue(queue: string, key: JobKey): void {
    void this.logFailure(this.addOne(queue, key));
  }

  /**
   * Adds a job for each key that a poll has found, even if there is one, because its worker may have died. Adds none if
   * at least as many jobs as keys are waiting, because each poll would make the queue longer than the workers can
   * drain. Never throws. The IDs of deduplication are unique: without any, BullMQ creates temporary tables for each call on
   * PostgreSQL, which cost 26 KB of WAL.
   */
  enqueueDue(queue: string, keys: readonly JobKey[]): Promise<void> {
    return this.logFailure(this.addUnlessBacklogged(queue, keys));
  }

  /**
   * Logs an error of the connections of a queue. While their store is away, or refuses them, each reports that many times a
   * second.
   */
  reportError(queue: string, error: Error): void {
    const advice = adviceAbout(error);
    if (isOutage(error) || isClientRefused(error)) this.log.lost(describeStore(this.store), error, { advice });
    else this.log.warn('the queue has an error', { queue, error, advice });
  }

  private async addUnlessBacklogged(queue: string, keys: readonly JobKey[]): Promise<void> {
    if (keys.length === 0) return;
    const waiting = await this.queue(queue).getWaitingCount();
    if (waiting < keys.length) await this.add(queue, keys, () => ({ deduplication: { id: randomUUID() } }));
  }

  private async add(queue: string, keys: readonly JobKey[], options: (key: JobKey) => object): Promise<void> {
    if (keys.length === 0) return;
    const jobs = keys.map((key) => ({
      name: JOB_NAME,
      data: this.host.keyOf(key),
      opts: { ...REMOVED, ...options(key) },
    }));
    await this.queue(queue).addBulk(jobs);
  }

  private async addOne(queue: string, key: JobKey): Promise<void> {
    await this.queue(queue).add(JOB_NAME, this.host.keyOf(key), REMOVED);
  }

  private queue(name: string): Queue {
    return this.modules.get<Queue>(getQueueToken(name), { strict: false });
  }

  private logFailure(adding: Promise<void>): Promise<void> {
    return adding.catch((error: unknown) =>
      this.log.warn('cannot add jobs; workers will find the work when they poll', { error }),
    );
  }
}

const JOB_NAME = 'drain';
const REMOVED = { removeOnComplete: true, removeOnFail: true };

import { getQueueToken } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { Log } from '../logging/index.js';

/** The token of the names of all queues. */
export const QUEUES = Symbol('queues');

/** A line of work of one workspace that is done in order of its due dates, e.g. that of one email account. */
export interface JobKey {
  readonly workspace_id: number;
  readonly id: number;
}

/** A job carries nothing but where to look. */
export type JobData = JobKey;

/**
 * Tells workers that a lane may have something due. A hint may get lost or come twice: what is due stands in tables,
 * and workers look there every second anyway.
 */
@Injectable()
export class JobQueue {
  constructor(
    private readonly modules: ModuleRef,
    private readonly log: Log,
  ) {}

  /**
   * Rings, unless a worker has been called for the lane and is not done: it will find what is there. However often it is
   * called, and whether workers run or not, one ring a lane is there at most. Never throws.
   */
  enqueue(queue: string, keys: readonly JobKey[]): void {
    void this.logFailure(this.add(queue, keys, (key) => ({ deduplication: { id: jobIdOf(key) } })));
  }

  /** Rings in any case: for a worker that leaves a lane while there is more to do. Never throws. */
  requeue(queue: string, key: JobKey): void {
    void this.logFailure(this.add(queue, [key], () => ({})));
  }

  /**
   * Rings for all lanes that a look has found, also where a worker was called and has died. Not while as many rings wait:
   * then workers have their hands full, and each look would add to what they are behind with. Never throws.
   */
  enqueueDue(queue: string, keys: readonly JobKey[]): Promise<void> {
    return this.logFailure(this.addUnlessBacklogged(queue, keys));
  }

  private async addUnlessBacklogged(queue: string, keys: readonly JobKey[]): Promise<void> {
    if (keys.length === 0) return;
    const waiting = await this.queue(queue).getWaitingCount();
    if (waiting < keys.length) await this.add(queue, keys, () => ({}));
  }

  private async add(queue: string, keys: readonly JobKey[], options: (key: JobKey) => object): Promise<void> {
    if (keys.length === 0) return;
    const jobs = keys.map((key) => ({
      name: 'drain',
      data: { workspace_id: key.workspace_id, id: key.id } satisfies JobData,
      opts: { removeOnComplete: true, removeOnFail: true, ...options(key) },
    }));
    await this.queue(queue).addBulk(jobs);
  }

  private queue(name: string): Queue {
    return this.modules.get<Queue>(getQueueToken(name), { strict: false });
  }

  private logFailure(adding: Promise<void>): Promise<void> {
    return adding.catch((error: unknown) =>
      this.log.warn('workers could not be woken; they will look by themselves', { error }),
    );
  }
}

/** What sets a lane apart from the others of its queue. */
export const jobIdOf = (key: JobKey): string => `${key.workspace_id}-${key.id}`;

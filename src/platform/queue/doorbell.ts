import { getQueueToken } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { Log } from '../logging/index.js';

/** A line of work of one workspace that is done in order of its due dates, e.g. that of one email account. */
export interface Lane {
  readonly workspace_id: number;
  readonly id: number;
}

/** A job carries nothing but where to look. */
export type LaneJob = Lane;

/**
 * Tells workers that a lane may have something due. A hint may get lost or come twice: what is due stands in tables,
 * and workers look there every second anyway.
 */
@Injectable()
export class Doorbell {
  constructor(
    private readonly modules: ModuleRef,
    private readonly log: Log,
  ) {}

  /**
   * Rings, unless a worker has been called for the lane and is not done: it will find what is there. However often it is
   * called, and whether workers run or not, one ring a lane is there at most. Never throws.
   */
  ring(queue: string, lanes: readonly Lane[]): void {
    this.add(queue, lanes, (lane) => ({ deduplication: { id: nameOf(lane) } }));
  }

  /** Rings in any case: for workers that leave a lane while there is more to do, or miss one that has died. */
  ringAgain(queue: string, lanes: readonly Lane[]): void {
    this.add(queue, lanes, () => ({}));
  }

  private add(queue: string, lanes: readonly Lane[], options: (lane: Lane) => object): void {
    if (lanes.length === 0) return;
    const jobs = lanes.map((lane) => ({
      name: 'drain',
      data: { workspace_id: lane.workspace_id, id: lane.id } satisfies LaneJob,
      opts: { removeOnComplete: true, removeOnFail: true, ...options(lane) },
    }));
    this.modules
      .get<Queue>(getQueueToken(queue), { strict: false })
      .addBulk(jobs)
      .catch((error: unknown) => this.log.warn('workers could not be woken; they will look by themselves', { error }));
  }
}

/** What sets a lane apart from the others of its queue. */
export const nameOf = (lane: Lane): string => `${lane.workspace_id}-${lane.id}`;

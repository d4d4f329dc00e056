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
    void this.heard(this.add(queue, lanes, (lane) => ({ deduplication: { id: nameOf(lane) } })));
  }

  /** Rings in any case: for a worker that leaves a lane while there is more to do. Never throws. */
  ringAgain(queue: string, lane: Lane): void {
    void this.heard(this.add(queue, [lane], () => ({})));
  }

  /**
   * Rings for all lanes that a look has found, also where a worker was called and has died. Not while as many rings wait:
   * then workers have their hands full, and each look would add to what they are behind with. Never throws.
   */
  ringFound(queue: string, lanes: readonly Lane[]): Promise<void> {
    return this.heard(this.addMissing(queue, lanes));
  }

  private async addMissing(queue: string, lanes: readonly Lane[]): Promise<void> {
    if (lanes.length === 0) return;
    const waiting = await this.queue(queue).getWaitingCount();
    if (waiting < lanes.length) await this.add(queue, lanes, () => ({}));
  }

  private async add(queue: string, lanes: readonly Lane[], options: (lane: Lane) => object): Promise<void> {
    if (lanes.length === 0) return;
    const jobs = lanes.map((lane) => ({
      name: 'drain',
      data: { workspace_id: lane.workspace_id, id: lane.id } satisfies LaneJob,
      opts: { removeOnComplete: true, removeOnFail: true, ...options(lane) },
    }));
    await this.queue(queue).addBulk(jobs);
  }

  private queue(name: string): Queue {
    return this.modules.get<Queue>(getQueueToken(name), { strict: false });
  }

  private heard(ringing: Promise<void>): Promise<void> {
    return ringing.catch((error: unknown) =>
      this.log.warn('workers could not be woken; they will look by themselves', { error }),
    );
  }
}

/** What sets a lane apart from the others of its queue. */
export const nameOf = (lane: Lane): string => `${lane.workspace_id}-${lane.id}`;

import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { FairQueue } from '@outreach/concurrency';
import { Log, withLogFields } from '@outreach/logging';
import { type DuePoll, MAX_UNTOUCHED_SECONDS, PollsDueWork, ReportsStall, StallCheck } from '@outreach/job-queue';
import { FAIR_QUEUES } from '../../platform/concurrency/index.js';
import { jobIdOf } from '../../platform/queue/index.js';
import { CallbackBatches } from './callback-batches.js';
import { DueCallbacks } from './due-callbacks.cross-tenant.js';

/** For how long a workspace is drained before others have a turn. */
const DRAIN_MS = 2_000;

/**
 * Processes stored callbacks in workers, workspace by workspace. The poll for due work starts it every second, in the
 * process that polls: transactions with hundreds of requests need no queue, whose jobs would cost more than the work.
 */
@Injectable()
export class CallbackDrains implements BeforeApplicationShutdown {
  private readonly places = new FairQueue(FAIR_QUEUES.callbackDrains);
  /** Whether each has ended without an error. */
  private readonly drains = new Map<number, Promise<boolean>>();
  private readonly stallCheck = new StallCheck();
  /** When a poll of this process has last found callbacks, in milliseconds of the process. */
  private foundAt = Number.NEGATIVE_INFINITY;
  private isStopping = false;

  constructor(
    private readonly due: DueCallbacks,
    private readonly batches: CallbackBatches,
    private readonly log: Log,
  ) {}

  @PollsDueWork()
  dueWork(): DuePoll {
    return {
      keys: (workspaces) => this.due.workspaces(workspaces),
      found: (keys) => {
        this.foundAt = performance.now();
        for (const { workspace_id: id } of keys) this.start(id);
        return Promise.resolve();
      },
      run: async (keys) => {
        for (const { workspace_id: id } of keys) this.start(id);
        const ended = await Promise.all(
          keys.map(({ workspace_id: id }) => this.drains.get(id) ?? Promise.resolve(true)),
        );
        return ended.filter(Boolean).length;
      },
    };
  }

  /**
   * The process that polls drains them all: it is stalled if it leaves a late workspace alone for which it has a place.
   * @returns the name of the work if it is
   */
  @ReportsStall()
  async stalledCallbacks(): Promise<string | undefined> {
    const polls = performance.now() - this.foundAt < MAX_UNTOUCHED_SECONDS * 1_000;
    if (this.isStopping || !polls) return undefined;
    const late = await this.due.lateWorkspaces.find();
    const withPlace = late.filter(({ workspace_id: id }) => this.places.hasPlaceFor(id));
    return this.stallCheck.isStalled(withPlace.map((key) => jobIdOf(key))) ? 'callbacks' : undefined;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.drains.values());
  }

  private start(workspaceId: number): void {
    if (this.isStopping || this.drains.has(workspaceId)) return;
    const drain = this.drainInTurn(workspaceId).finally(() => this.drains.delete(workspaceId));
    this.drains.set(workspaceId, drain);
  }

  /** Never rejects: an error is logged, and the next poll finds what is left. @returns whether there was none */
  private async drainInTurn(workspaceId: number): Promise<boolean> {
    try {
      await this.places.run(workspaceId, () =>
        withLogFields({ workspace_id: workspaceId }, () => this.drain(workspaceId)),
      );
      return true;
    } catch (error) {
      this.log.error('callbacks were not processed', { workspace_id: workspaceId, error });
      return false;
    }
  }

  private async drain(workspaceId: number): Promise<void> {
    this.stallCheck.noteBegun(jobIdOf({ workspace_id: workspaceId, id: workspaceId }));
    const scope = await this.due.open(workspaceId);
    const deadline = performance.now() + DRAIN_MS;
    let count = 1;
    while (count > 0 && !this.isStopping && performance.now() < deadline) count = await this.batches.run(scope);
  }
}

import { Injectable } from '@nestjs/common';
import type { Gathering } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** A batch is written when this part of the connections waits for it. Two kinds of batches leave a third to go on. */
const PART = 1 / 3;
/** How many times its duration a batch waits at most. */
const MAX_DURATIONS = 8;

/** How many connections to mail servers are busy with a message, per workspace: they wait for the same batches. */
@Injectable()
export class BusyConnections {
  private readonly counts = new Map<number, number>();

  /** Counts a connection until `work` has ended. */
  async during<R>({ workspace_id: id }: WorkspaceScope, work: () => Promise<R>): Promise<R> {
    this.add(id, 1);
    try {
      return await work();
    } finally {
      this.add(id, -1);
    }
  }

  /** Returns for how many messages of a workspace a batch waits: a single one is written at once. */
  gatheringOf({ workspace_id: id }: WorkspaceScope): Gathering {
    return { size: () => Math.ceil((this.counts.get(id) ?? 0) * PART), durations: MAX_DURATIONS };
  }

  private add(workspaceId: number, change: 1 | -1): void {
    const count = (this.counts.get(workspaceId) ?? 0) + change;
    if (count === 0) this.counts.delete(workspaceId);
    else this.counts.set(workspaceId, count);
  }
}

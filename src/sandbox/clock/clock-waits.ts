/** After this time without progress, work that stays due does not stop the clock any more. */
const MAX_IDLE_MS = 60_000;
/** After this time it does not in any case. */
const MAX_WAIT_MS = 600_000;

interface Wait {
  readonly ahead_ms: number;
  readonly since: number;
  progressAt: number;
}

/**
 * How long the clocks that this process puts forward have stood where they are. A run is too short to know that, and another
 * process may have moved a clock in between.
 */
export class ClockWaits {
  private readonly waits = new Map<number, Wait>();

  /** @param aheadMs how far the clock is ahead of the real time. It has not moved as long as that is the same. */
  isStuck(workspaceId: number, aheadMs: number): boolean {
    const now = performance.now();
    const known = this.waits.get(workspaceId);
    if (known?.ahead_ms === aheadMs) return now - known.progressAt >= MAX_IDLE_MS || now - known.since >= MAX_WAIT_MS;
    this.waits.set(workspaceId, { ahead_ms: aheadMs, since: now, progressAt: now });
    return false;
  }

  /** Something of what is due was done. */
  noteProgress(workspaceId: number): void {
    const known = this.waits.get(workspaceId);
    if (known) known.progressAt = performance.now();
  }

  /** The clock is where it should be, or another process puts it forward. */
  end(workspaceId: number): void {
    this.waits.delete(workspaceId);
  }
}

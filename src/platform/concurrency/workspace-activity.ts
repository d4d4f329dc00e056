/** When the last work of a workspace has ended, in milliseconds of `performance.now()`. */
interface LastWork {
  readonly workspaceId: number;
  readonly endedAt: number;
}

const NONE: LastWork = { workspaceId: 0, endedAt: Number.NEGATIVE_INFINITY };

/**
 * Knows for which workspaces this process works, and for which it has worked last. Long work uses it to take all that is
 * idle, and to leave a part to the other workspaces as soon as there are any.
 */
export class WorkspaceActivity {
  /** How much work of a workspace is in progress. */
  private readonly inProgress = new Map<number, number>();
  private latest = NONE;
  /** The latest end of work of another workspace than that of `latest`. */
  private latestOfOthers = NONE;

  /** Counts work of a workspace, such as a statement, as in progress. @returns what ends it, which is called once */
  begin(workspaceId: number): () => void {
    this.inProgress.set(workspaceId, (this.inProgress.get(workspaceId) ?? 0) + 1);
    return () => this.end(workspaceId);
  }

  /** @returns whether work of another workspace is in progress, or has ended at most this time ago */
  hasOthers(workspaceId: number, withinMs: number): boolean {
    if (this.inProgress.size > (this.inProgress.has(workspaceId) ? 1 : 0)) return true;
    const other = this.latest.workspaceId === workspaceId ? this.latestOfOthers : this.latest;
    return performance.now() - other.endedAt <= withinMs;
  }

  private end(workspaceId: number): void {
    const remaining = (this.inProgress.get(workspaceId) ?? 0) - 1;
    if (remaining > 0) this.inProgress.set(workspaceId, remaining);
    else this.inProgress.delete(workspaceId);
    if (this.latest.workspaceId !== workspaceId) this.latestOfOthers = this.latest;
    this.latest = { workspaceId, endedAt: performance.now() };
  }
}

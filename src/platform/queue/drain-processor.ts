import { type DrainPlace, DueWorkProcessor, type JobKey, type ProcessorDependencies } from '@outreach/job-queue';
import { withLogFields } from '@outreach/logging';
import type { Sql } from '@outreach/sql-fragments';
import type { Database, WorkspacesInTime } from '../database/index.js';
import { WorkspaceScope } from '../tenancy/index.js';

/** What a processor needs from the platform. */
export interface DrainDependencies extends ProcessorDependencies {
  readonly database: Database;
}

/** Processes the due work of one kind, and opens the scope of the workspace for each key. */
export abstract class DrainProcessor extends DueWorkProcessor {
  /** @param concurrency how many keys this process drains at the same time */
  constructor(
    queue: string,
    concurrency: number,
    protected override readonly dependencies: DrainDependencies,
  ) {
    super(queue, concurrency, dependencies);
  }

  /**
   * SELECT of keys that have due work, in an order in which the workspaces take turns: see {@link workspaceRotation}
   * @param workspaces which workspaces it reads, and their time
   */
  protected abstract override dueKeys(workspaces: WorkspacesInTime): Sql;

  /**
   * Works on one key until nothing is due, for a limited time, or until `stopping` is aborted.
   * @param place what it leaves while it only waits
   * @returns `more` if due work is left
   */
  protected abstract drain(
    scope: WorkspaceScope,
    id: number,
    stopping: AbortSignal,
    place: DrainPlace,
  ): Promise<'done' | 'more'>;

  protected override async drainKey(
    { workspace_id: workspaceId, id }: JobKey,
    stopping: AbortSignal,
    place: DrainPlace,
  ): Promise<'done' | 'more'> {
    const scope = await WorkspaceScope.open(workspaceId, this.dependencies.database.withoutTimeLimits());
    return withLogFields({ queue: this.queue, workspace_id: workspaceId, job: id }, () =>
      this.drain(scope, id, stopping, place),
    );
  }
}

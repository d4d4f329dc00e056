import { DueWorkHost, type JobKey } from '@outreach/job-queue';
import { Injectable } from '@nestjs/common';
import { allInRealTime, Database, type Sql, sql, type WorkspacesInTime } from '../database/index.js';

declare module '@outreach/job-queue' {
  interface JobKey {
    readonly workspace_id: number;
    readonly id: number;
  }
  interface PollRange extends WorkspacesInTime {}
}

/** @returns an ID that is unique in a queue */
export const jobIdOf = (key: JobKey): string => `${key.workspace_id}-${key.id}`;

/** The due work of the service: its tenants are workspaces, and some of them have a clock of their own. */
@Injectable()
export class WorkspaceWork extends DueWorkHost {
  constructor(private readonly database: Database) {
    super();
  }

  override keyOf({ workspace_id, id }: JobKey): JobKey {
    return { workspace_id, id };
  }

  override idOf(key: JobKey): string {
    return jobIdOf(key);
  }

  override tenantOf({ workspace_id: workspaceId }: JobKey): number {
    return workspaceId;
  }

  override ranges(): WorkspacesInTime[] {
    return [allInRealTime, this.database.workspacesAhead].filter((range) => range !== undefined);
  }

  override narrowed(range: WorkspacesInTime, within: (workspaceId: Sql) => Sql): WorkspacesInTime {
    return { now: range.now, within: (workspaceId) => sql`${range.within(workspaceId)}${within(workspaceId)}` };
  }

  override refresh(): Promise<void> | undefined {
    return this.database.refreshClocks();
  }
}

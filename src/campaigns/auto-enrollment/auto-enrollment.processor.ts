import { Processor } from '@nestjs/bullmq';
import { Log } from '@outreach/logging';
import { drainOptions, JobQueue } from '@outreach/job-queue';
import { Database, type Sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { DrainProcessor } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { AUTO_ENROLLING } from '../queues.js';
import { AutoEnrollment } from './auto-enrollment.service.js';
import { dueAutoEnrollment } from './due-auto-enrollment.cross-tenant.js';

/** How many workspaces are drained at the same time. */
const MAX_WORKSPACES = 3;

/** After this time a workspace leaves its place to another one that waits. */
const MAX_RUN_MS = 1_000;

/**
 * Enrolls the new members of lists and segments. Its keys are workspaces. Changed contacts and the passes of campaigns that
 * have started take turns, so that neither waits for the other.
 */
@Processor(AUTO_ENROLLING, drainOptions(4))
export class AutoEnrollmentProcessor extends DrainProcessor {
  constructor(
    private readonly autoEnrollment: AutoEnrollment,
    database: Database,
    jobQueue: JobQueue,
    log: Log,
  ) {
    super(AUTO_ENROLLING, MAX_WORKSPACES, { database, jobQueue, log });
  }

  protected override dueKeys(workspaces: WorkspacesInTime): Sql {
    return dueAutoEnrollment(workspaces);
  }

  protected override async drain(scope: WorkspaceScope, _: number, stopping: AbortSignal): Promise<'done' | 'more'> {
    const end = performance.now() + MAX_RUN_MS;
    let after: number | undefined = 0;
    let hasPass = true;
    const isTimeOver = (): boolean => stopping.aborted || performance.now() >= end;
    while (!isTimeOver()) {
      if (after !== undefined) after = await this.autoEnrollment.enrollChanged(scope, after, isTimeOver);
      if (hasPass) hasPass = await this.autoEnrollment.readNextChunk(scope);
      if (after === undefined && !hasPass) return 'done';
    }
    return 'more';
  }
}

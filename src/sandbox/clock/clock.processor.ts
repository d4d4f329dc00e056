import { Processor } from '@nestjs/bullmq';
import { Log } from '@outreach/logging';
import {
  drainOptions,
  type DuePoll,
  DueWorkPoller,
  type JobKey,
  JobQueue,
  PollsDueWork,
  UntouchedKeys,
} from '@outreach/job-queue';
import { Database, type Sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { ClockWorks, DrainProcessor } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { SANDBOX_CLOCKS } from '../queues.js';
import { ClockRun } from './clock-run.js';
import { ClockWaits } from './clock-waits.js';
import { dueClocks, untouchedClocks } from './due-clocks.cross-tenant.js';

/** How many clocks a process puts forward at the same time. The others take turns. */
const MAX_CLOCKS = 4;

/** Puts the clocks of sandboxes forward, each in one process at a time. */
@Processor(SANDBOX_CLOCKS, drainOptions(MAX_CLOCKS))
export class ClockProcessor extends DrainProcessor {
  private readonly waits = new ClockWaits();
  private readonly untouched: UntouchedKeys;

  constructor(
    private readonly works: ClockWorks,
    private readonly poller: DueWorkPoller,
    database: Database,
    jobQueue: JobQueue,
    log: Log,
  ) {
    super(SANDBOX_CLOCKS, MAX_CLOCKS, { database, jobQueue, log });
    this.untouched = new UntouchedKeys(database, untouchedClocks);
  }

  protected override dueKeys(workspaces: WorkspacesInTime): Sql {
    return dueClocks(workspaces);
  }

  protected override untouchedKeys(): Promise<readonly JobKey[]> {
    return this.untouched.find();
  }

  /** A run does what is due in its workspace, which may contain its own clock: it must not wait for itself. */
  @PollsDueWork()
  override dueWork(): DuePoll {
    return { ...super.dueWork(), run: undefined };
  }

  protected override drain(scope: WorkspaceScope, _id: number, stopping: AbortSignal): Promise<'done' | 'more'> {
    const { works, poller, waits } = this;
    return new ClockRun(scope, { works, poller, waits, log: this.dependencies.log }, stopping).run();
  }
}

import { Processor } from '@nestjs/bullmq';
import { Log } from '@outreach/logging';
import { drainOptions, type JobKey, JobQueue, UntouchedKeys } from '@outreach/job-queue';
import { Database, type Sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { DrainProcessor } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { dueReadings, untouchedReadings } from './due-readings.cross-tenant.js';
import { MailboxRuns } from './mailbox-runs.js';
import { MAILBOX_READING } from './queues.js';
import { ReadingLeases } from './reading-leases.js';
import { LeaseLost, leaseReading, releaseReading } from './reading-leases.queries.js';

/**
 * How many mailboxes a process reads at the same time. Most of them wait for their servers; a workspace whose servers do
 * not reply holds only the places of its share.
 */
const MAX_MAILBOXES = 200;

/** The error itself is in the log. */
const UNEXPECTED = 'The service could not read the mailbox. It tries again.';

/** Reads many mailboxes concurrently, each in one process at a time. */
@Processor(MAILBOX_READING, drainOptions(10))
export class ReadingProcessor extends DrainProcessor {
  private readonly untouched: UntouchedKeys;
  constructor(
    private readonly leases: ReadingLeases,
    private readonly runs: MailboxRuns,
    database: Database,
    jobQueue: JobQueue,
    log: Log,
  ) {
    super(MAILBOX_READING, MAX_MAILBOXES, { database, jobQueue, log });
    this.untouched = new UntouchedKeys(database, untouchedReadings);
  }

  protected override dueKeys(workspaces: WorkspacesInTime): Sql {
    return dueReadings(workspaces);
  }

  protected override untouchedKeys(): Promise<readonly JobKey[]> {
    return this.untouched.find();
  }

  protected override async drain(scope: WorkspaceScope, id: number, stopping: AbortSignal): Promise<'done' | 'more'> {
    const leased = await leaseReading(scope, id);
    if (!leased) return 'done';
    this.leases.acquire(id);
    try {
      const result = await this.runs.run(scope, id, leased, stopping);
      await releaseReading(scope, id, leased, result);
      return result.kind === 'more' && !stopping.aborted ? 'more' : 'done';
    } catch (error) {
      if (error instanceof LeaseLost) return 'done';
      // An error of the database, or an unexpected one. If this fails too, the lease expires.
      await releaseReading(scope, id, leased, this.runs.failed(UNEXPECTED));
      throw error;
    } finally {
      this.leases.release(id);
    }
  }
}

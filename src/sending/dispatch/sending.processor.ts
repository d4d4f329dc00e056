import { Processor } from '@nestjs/bullmq';
import { Log } from '@outreach/logging';
import { drainOptions, type DrainPlace, type JobKey, JobQueue } from '@outreach/job-queue';
import { Database, type Sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { DrainProcessor } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { DueMessageSample } from '../due-messages.cross-tenant.js';
import { dueAccounts } from '../due-work.cross-tenant.js';
import { SENDING } from '../queues.js';
import { SendingEngine } from './sending-engine.js';

/**
 * How many accounts send at the same time. Most of them wait for their mail servers, which costs little; a workspace
 * whose servers stall holds only the places of its share.
 */
const MAX_ACCOUNTS = 400;

/** How long servers may take to reply when the process stops. It has some more seconds to record the results. */
const STOP_MS = 20_000;

/** Sends the queued messages of email accounts, many accounts at a time. */
@Processor(SENDING, drainOptions(10))
export class SendingProcessor extends DrainProcessor {
  constructor(
    private readonly dueMessages: DueMessageSample,
    private readonly engine: SendingEngine,
    database: Database,
    jobQueue: JobQueue,
    log: Log,
  ) {
    super(SENDING, MAX_ACCOUNTS, { database, jobQueue, log });
  }

  /** A server that does not reply in time makes its message uncertain. */
  override async beforeApplicationShutdown(): Promise<void> {
    this.engine.closeAfter(STOP_MS);
    await super.beforeApplicationShutdown();
    await this.engine.ended();
  }

  protected override dueKeys(workspaces: WorkspacesInTime): Sql {
    return dueAccounts(workspaces);
  }

  protected override async untouchedKeys(): Promise<readonly JobKey[]> {
    return (await this.dueMessages.recent()).untouched;
  }

  protected override drain(
    scope: WorkspaceScope,
    accountId: number,
    stopping: AbortSignal,
    place: DrainPlace,
  ): Promise<'done' | 'more'> {
    return this.engine.drain(scope, accountId, stopping, place);
  }
}

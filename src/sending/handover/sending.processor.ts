import { Processor } from '@nestjs/bullmq';
import { Database } from '../../platform/database/index.js';
import { Log } from '../../platform/logging/index.js';
import { Doorbell, type Lane, LaneProcessor } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { DueWork } from '../due.crossing.js';
import { SENDING } from '../queues.js';
import { SendingEngine } from './engine.js';

/** Hands the queued messages of email accounts to their mail servers, many accounts at a time. */
@Processor(SENDING, { concurrency: 20, autorun: false })
export class SendingProcessor extends LaneProcessor {
  constructor(
    private readonly due: DueWork,
    private readonly engine: SendingEngine,
    database: Database,
    doorbell: Doorbell,
    log: Log,
  ) {
    super(SENDING, { database, doorbell, log });
  }

  protected override lanes(): Promise<readonly Lane[]> {
    return this.due.accounts();
  }

  protected override drain(scope: WorkspaceScope, accountId: number, stopping: AbortSignal): Promise<'done' | 'more'> {
    return this.engine.drain(scope, accountId, stopping);
  }
}

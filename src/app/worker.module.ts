import { Module } from '@nestjs/common';
import { SchedulerModule } from '@outreach/job-queue';
import { EndedWindows } from '@outreach/request-windows';
import { EmailAccountsModule } from '../email-accounts/index.js';
import { CounterCache, Statistics } from '../platform/database/index.js';
import { MaintenanceTasks } from './maintenance-tasks.js';
import { IdempotencyStore } from '../platform/idempotency/index.js';
import { workers } from './features.js';
import { WorkspaceDeletion } from './workspace-deletion/workspace-deletion.js';

/** The worker: it plans and sends messages, delivers webhooks and runs scheduled tasks. */
@Module({
  imports: [EmailAccountsModule, SchedulerModule, ...workers],
  providers: [MaintenanceTasks, IdempotencyStore, EndedWindows, WorkspaceDeletion, CounterCache, Statistics],
})
export class WorkerModule {}

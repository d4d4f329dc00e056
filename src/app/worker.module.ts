import { Module } from '@nestjs/common';
import { CounterCache, Statistics } from '../platform/database/index.js';
import { SchedulerModule } from '../platform/queue/index.js';
import { MaintenanceTasks } from './maintenance-tasks.js';
import { IdempotencyStore } from '../platform/idempotency/index.js';
import { workers } from './features.js';

/** The half that works: it sends what is due and looks after what was left behind. */
@Module({
  imports: [SchedulerModule, ...workers],
  providers: [MaintenanceTasks, IdempotencyStore, CounterCache, Statistics],
})
export class WorkerModule {}

import { Module } from '@nestjs/common';
import { DecoratedMethodsModule } from '../platform/discovery/index.js';
import { ClockWorks, SchedulerModule } from '../platform/queue/index.js';
import { SandboxClockController } from './clock/clock.controller.js';
import { ClockProcessor } from './clock/clock.processor.js';
import { DueClocks } from './clock/due-clocks.cross-tenant.js';
import { SandboxClockService } from './clock/sandbox-clock.service.js';

/** `/sandbox`: workspaces for trials, with a clock of their own. */
@Module({
  imports: [DecoratedMethodsModule],
  controllers: [SandboxClockController],
  providers: [ClockWorks, SandboxClockService],
  exports: [ClockWorks],
})
export class SandboxModule {}

/** For workers only: puts the clocks of sandboxes forward. */
@Module({
  imports: [SandboxModule, SchedulerModule],
  providers: [ClockProcessor, DueClocks],
})
export class SandboxWorkerModule {}

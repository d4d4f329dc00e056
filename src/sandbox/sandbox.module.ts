import { Module } from '@nestjs/common';
import { DecoratedMethodsModule } from '@outreach/decorated-methods';
import { SchedulerModule } from '@outreach/job-queue';
import { InboundModule } from '../inbound/index.js';
import { ClockWorks } from '../platform/queue/index.js';
import { SendingModule } from '../sending/index.js';
import { TrackingModule } from '../tracking/index.js';
import { SandboxClockController } from './clock/clock.controller.js';
import { ClockProcessor } from './clock/clock.processor.js';
import { SandboxClockService } from './clock/sandbox-clock.service.js';
import { OldSandboxMessages } from './messages/old-messages.cross-tenant.js';
import { SandboxMessageClockRetention } from './messages/sandbox-message.clock-retention.js';
import { SandboxMessagesController } from './messages/sandbox-messages.controller.js';
import { ReactionClockWork } from './reactions/reaction.clock-work.js';
import { ReactionProcessor } from './reactions/reaction.processor.js';
import { RecipientVisits } from './reactions/recipient-visits.js';
import { SandboxReactions } from './reactions/sandbox-reactions.js';

/** `/sandbox`: workspaces for trials, with a simulated mail server and a clock of their own. */
@Module({
  imports: [DecoratedMethodsModule],
  controllers: [SandboxClockController, SandboxMessagesController],
  providers: [ClockWorks, ReactionClockWork, SandboxClockService, SandboxMessageClockRetention],
  exports: [ClockWorks],
})
export class SandboxModule {}

/** For workers only: puts the clocks of sandboxes forward, and does what follows after their messages. */
@Module({
  imports: [InboundModule, SandboxModule, SchedulerModule, SendingModule, TrackingModule],
  providers: [ClockProcessor, OldSandboxMessages, ReactionProcessor, RecipientVisits, SandboxReactions],
})
export class SandboxWorkerModule {}

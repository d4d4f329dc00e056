import { Module } from '@nestjs/common';
import { BlacklistModule } from '../blacklist/index.js';
import { CampaignsModule } from '../campaigns/index.js';
import { ContactsModule } from '../contacts/index.js';
import { EmailAccountsModule } from '../email-accounts/index.js';
import { EmailAnnouncements } from './announcing/email.announcements.js';
import { DueWork } from './due.crossing.js';
import { AccountLanes } from './handover/account-lanes.js';
import { SendingEngine } from './handover/engine.js';
import { Leases } from './handover/leases.js';
import { Recorder } from './handover/recorder.js';
import { SendingProcessor } from './handover/sending.processor.js';
import { WorkspaceBatches } from './handover/workspace-batches.js';
import { MessageLinks } from './links.js';
import { MessagesController } from './messages/messages.controller.js';
import { MessagesService } from './messages/messages.service.js';
import { Aftermath } from './outcomes/aftermath.js';
import { Engagement } from './outcomes/engagement.js';
import { Outcomes } from './outcomes/outcomes.js';
import { PlanningProcessor } from './planning/planning.processor.js';
import { QueueChanges } from './queue-changes.js';
import { LeaseRecovery, LeaseRenewal } from './recovery/recovery.crossing.js';
import { Recovery } from './recovery/recovery.js';
import { Transports } from './transports/index.js';

/** Messages as the API shows them, what is reported of them, and what happens to them when something else changes. */
@Module({
  imports: [BlacklistModule, CampaignsModule, ContactsModule],
  controllers: [MessagesController],
  providers: [Aftermath, EmailAnnouncements, Engagement, MessagesService, MessageLinks, Outcomes, QueueChanges],
  exports: [Aftermath, Engagement, MessageLinks, Outcomes],
})
export class SendingModule {}

/** The engine: plans what is due, hands it over, takes up what was left behind. For workers only. */
@Module({
  imports: [SendingModule, CampaignsModule, EmailAccountsModule],
  providers: [
    AccountLanes,
    DueWork,
    Leases,
    LeaseRecovery,
    LeaseRenewal,
    PlanningProcessor,
    Recorder,
    Recovery,
    SendingEngine,
    SendingProcessor,
    Transports,
    WorkspaceBatches,
  ],
})
export class SendingWorkerModule {}

import { Module } from '@nestjs/common';
import { BlacklistModule } from '../blacklist/index.js';
import { CampaignsModule } from '../campaigns/index.js';
import { ContactsModule } from '../contacts/index.js';
import { EmailAccountsModule } from '../email-accounts/index.js';
import { EmailPublicEvents } from './public-events/email.public-events.js';
import { DueWork } from './due-work.cross-tenant.js';
import { SendContexts } from './dispatch/send-contexts.js';
import { SendingEngine } from './dispatch/sending-engine.js';
import { MessageLeases } from './dispatch/message-leases.js';
import { SendResults } from './results/send-results.js';
import { SendingProcessor } from './dispatch/sending.processor.js';
import { WorkspaceBatches } from './dispatch/workspace-batches.js';
import { MessageLinks } from './message-links.js';
import { MessagesController } from './messages/messages.controller.js';
import { MessagesService } from './messages/messages.service.js';
import { RecipientEffects } from './results/recipient-effects.js';
import { Engagement } from './feedback/engagement.js';
import { DeliveryReports } from './feedback/delivery-reports.js';
import { PlanningProcessor } from './planning/planning.processor.js';
import { QueueChanges } from './queue-changes.js';
import { LeaseRecovery, LeaseRenewal } from './dispatch/leases.cross-tenant.js';
import { Recovery } from './dispatch/recovery.js';
import { Transports } from './transports/index.js';

/** Messages as the API shows them, what is reported of them, and what happens to them when something else changes. */
@Module({
  imports: [BlacklistModule, CampaignsModule, ContactsModule],
  controllers: [MessagesController],
  providers: [
    RecipientEffects,
    EmailPublicEvents,
    Engagement,
    MessagesService,
    MessageLinks,
    DeliveryReports,
    QueueChanges,
  ],
  exports: [RecipientEffects, Engagement, MessageLinks, DeliveryReports],
})
export class SendingModule {}

/** The engine: plans what is due, hands it over, takes up what was left behind. For workers only. */
@Module({
  imports: [SendingModule, CampaignsModule, EmailAccountsModule],
  providers: [
    SendContexts,
    DueWork,
    MessageLeases,
    LeaseRecovery,
    LeaseRenewal,
    PlanningProcessor,
    SendResults,
    Recovery,
    SendingEngine,
    SendingProcessor,
    Transports,
    WorkspaceBatches,
  ],
})
export class SendingWorkerModule {}

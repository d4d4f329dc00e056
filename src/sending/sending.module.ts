import { Module } from '@nestjs/common';
import { MimeEncoder } from '@outreach/mail-writing';
import { SchedulerModule } from '@outreach/job-queue';
import { BlacklistModule } from '../blacklist/index.js';
import { CampaignsModule } from '../campaigns/index.js';
import { ContactsModule } from '../contacts/index.js';
import { EmailAccountsModule } from '../email-accounts/index.js';
import { Composer } from './composing/index.js';
import { RunDependencies } from './dispatch/run-context.js';
import { LeaseRecovery, MessageLeases } from './dispatch/leases.cross-tenant.js';
import { MessagePipeline } from './pipeline.js';
import { PreflightCheck } from './dispatch/preflight-check.js';
import { Recovery } from './dispatch/recovery.js';
import { SendingEngine } from './dispatch/sending-engine.js';
import { SendingProcessor } from './dispatch/sending.processor.js';
import { SentMailChecks } from './dispatch/sent-mail-checks.js';
import { SimulatedMailServer } from './simulation/index.js';
import { SlowSends } from './dispatch/slow-sends.js';
import { UncertainMessages } from './dispatch/uncertain-messages.cross-tenant.js';
import { DueMessageSample } from './due-messages.cross-tenant.js';
import { DeliveryReports } from './feedback/delivery-reports.js';
import { MessageReferences } from './feedback/message-references.js';
import { Engagement } from './feedback/engagement.js';
import { Unsubscribing } from './feedback/unsubscribing.js';
import { MessageLinks } from './message-links.js';
import { MessageExport } from './messages/message-export.service.js';
import { MessagesController } from './messages/messages.controller.js';
import { MessagesService } from './messages/messages.service.js';
import { OwnMessages } from './own-content/index.js';
import { PlanningProcessor } from './planning/planning.processor.js';
import { EmailPublicEvents } from './public-events/email.public-events.js';
import { CampaignPreflight, CampaignPreflightController } from './campaign-preflight/index.js';
import { QueueChanges } from './queue-changes.js';
import { RecipientObstacles } from './recipients/index.js';
import { PendingResults, RecipientEffects, RefusedAccounts, SendResults, SendTransactions } from './results/index.js';
import { RULES, RuleEffects } from './rules/index.js';
import { EnrollmentTimingModule } from './timing/index.js';
import { SendingClockWork } from './sending.clock-work.js';
import { TestSendsController } from './test-sends/test-sends.controller.js';
import { TestSends } from './test-sends/test-sends.service.js';
import { ServerExperience, Transports } from './transports/index.js';

const rules = Object.values(RULES);

/** For every process: messages as the API shows them, reports about them, and the effects of other changes on them. */
@Module({
  imports: [BlacklistModule, CampaignsModule, ContactsModule, EmailAccountsModule, EnrollmentTimingModule],
  controllers: [
    MessagesController,
    CampaignPreflightController,
    TestSendsController,
    ...rules.flatMap(({ controllers }) => controllers ?? []),
  ],
  providers: [
    ...rules.flatMap(({ providers }) => providers ?? []),
    CampaignPreflight,
    Composer,
    DeliveryReports,
    MessageReferences,
    DueMessageSample,
    EmailPublicEvents,
    Engagement,
    MessageExport,
    MessageLinks,
    MessagesService,
    MimeEncoder,
    OwnMessages,
    QueueChanges,
    RecipientEffects,
    RecipientObstacles,
    RefusedAccounts,
    RuleEffects,
    SendResults,
    SendTransactions,
    SendingClockWork,
    ServerExperience,
    SimulatedMailServer,
    TestSends,
    Transports,
    Unsubscribing,
  ],
  exports: [
    ...rules.flatMap(({ providers }) => providers ?? []),
    Composer,
    DeliveryReports,
    MessageReferences,
    DueMessageSample,
    Engagement,
    MessageLinks,
    OwnMessages,
    RecipientObstacles,
    SendResults,
    SendTransactions,
    Transports,
    Unsubscribing,
  ],
})
export class SendingModule {}

/** For workers only: plans due enrollments, sends queued messages, and recovers the messages of dead workers. */
@Module({
  imports: [SendingModule, BlacklistModule, CampaignsModule, EmailAccountsModule, SchedulerModule],
  providers: [
    LeaseRecovery,
    MessageLeases,
    MessagePipeline,
    PendingResults,
    PlanningProcessor,
    PreflightCheck,
    Recovery,
    RunDependencies,
    SendingEngine,
    SendingProcessor,
    SentMailChecks,
    SlowSends,
    UncertainMessages,
  ],
})
export class SendingWorkerModule {}

import { Module } from '@nestjs/common';
import { MailParser } from '@outreach/mail-reading';
import { SchedulerModule } from '@outreach/job-queue';
import { EmailAccountsModule } from '../email-accounts/index.js';
import { FAIR_QUEUES } from '../platform/concurrency/index.js';
import { QuotaModule } from '../platform/quota/index.js';
import { SendingModule } from '../sending/index.js';
import { InboundClockWork } from './inbound.clock-work.js';
import { InboundKeys } from './inbound-keys.cross-tenant.js';
import { InboundQueue } from './inbound-queue.js';
import { InboundController } from './inbound.controller.js';
import { InboundService } from './inbound.service.js';
import { InboundMailController } from './mail/inbound-mail.controller.js';
import { FORM_CONTROLLERS } from './mail/inbound-parse.controller.js';
import { InboundMailService } from './mail/inbound-mail.service.js';
import { ReceivedMails } from './mail/received-mails.js';
import { UnsubscribeMails } from './mail/unsubscribe-mails.js';
import { MailGroups } from './mailboxes/mail-groups.js';
import { MailboxReader } from './mailboxes/mailbox-reader.js';
import { MailboxRuns } from './mailboxes/mailbox-runs.js';
import { ReadingLeases } from './mailboxes/reading-leases.js';
import { ReadingProcessor } from './mailboxes/reading.processor.js';
import { RelevantMails } from './mailboxes/relevant-mails.js';
import { CallbackBatches } from './events/callback-batches.js';
import { CallbackDrains } from './events/callback-drains.js';
import { CallbackRecording } from './events/callback-recording.js';
import { DueCallbacks } from './events/due-callbacks.cross-tenant.js';
import { EVENT_CONTROLLERS } from './events/provider-events.controllers.js';
import { ProviderEventsService } from './events/provider-events.service.js';

/** Receives reports about sent messages: events of providers, and bounces, complaints and replies by mail. */
@Module({
  imports: [EmailAccountsModule, QuotaModule, SendingModule],
  controllers: [InboundController, InboundMailController, ...FORM_CONTROLLERS, ...EVENT_CONTROLLERS],
  providers: [
    CallbackBatches,
    CallbackRecording,
    DueCallbacks,
    InboundClockWork,
    InboundKeys,
    InboundMailService,
    InboundQueue,
    InboundService,
    { provide: MailParser, useFactory: () => new MailParser(FAIR_QUEUES.mailParsing) },
    ProviderEventsService,
    ReceivedMails,
    UnsubscribeMails,
  ],
  exports: [CallbackBatches, DueCallbacks, MailParser, ProviderEventsService, ReceivedMails],
})
export class InboundModule {}

/** For workers only: reads the mailboxes of email accounts, and processes the requests of providers that the API has stored. */
@Module({
  imports: [EmailAccountsModule, InboundModule, SchedulerModule, SendingModule],
  providers: [CallbackDrains, MailGroups, MailboxReader, MailboxRuns, ReadingLeases, ReadingProcessor, RelevantMails],
})
export class InboundWorkerModule {}

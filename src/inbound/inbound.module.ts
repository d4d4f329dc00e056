import { Module } from '@nestjs/common';
import { EmailAccountsModule } from '../email-accounts/index.js';
import { SendingModule } from '../sending/index.js';
import { InboundKeys } from './inbound-keys.cross-tenant.js';
import { InboundQueue } from './inbound-queue.js';
import { InboundController } from './inbound.controller.js';
import { InboundService } from './inbound.service.js';
import { InboundMailController } from './mail/inbound-mail.controller.js';
import { InboundMailService } from './mail/inbound-mail.service.js';
import { MailParser } from './mail/mail-parser.js';
import { SendgridEventsController } from './sendgrid/sendgrid-events.controller.js';
import { SendgridEventsService } from './sendgrid/sendgrid-events.service.js';

/** Receives reports about sent messages: events of SendGrid, and bounces, complaints and replies by mail. */
@Module({
  imports: [EmailAccountsModule, SendingModule],
  controllers: [InboundController, InboundMailController, SendgridEventsController],
  providers: [InboundKeys, InboundMailService, InboundQueue, InboundService, MailParser, SendgridEventsService],
})
export class InboundModule {}

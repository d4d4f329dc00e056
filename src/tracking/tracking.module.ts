import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/index.js';
import { SendingModule } from '../sending/index.js';
import { RecipientLinks } from './recipient-links.crossing.js';
import { UnsubscribeController } from './unsubscribe/unsubscribe.controller.js';
import { UnsubscribeService } from './unsubscribe/unsubscribe.service.js';

/** What recipients reach through the links in their messages. */
@Module({
  imports: [ContactsModule, SendingModule],
  controllers: [UnsubscribeController],
  providers: [RecipientLinks, UnsubscribeService],
})
export class TrackingModule {}

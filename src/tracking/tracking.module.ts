import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/index.js';
import { SendingModule } from '../sending/index.js';
import { HitVerdicts } from './hits/hit-verdicts.js';
import { HitsController } from './hits/hits.controller.js';
import { HitsService } from './hits/hits.service.js';
import { UndecidedHits } from './hits/undecided-hits.crossing.js';
import { RecipientLinks } from './recipient-links.crossing.js';
import { UnsubscribeController } from './unsubscribe/unsubscribe.controller.js';
import { UnsubscribeService } from './unsubscribe/unsubscribe.service.js';

/** What recipients reach through the pictures and links in their messages, and what is made of it. */
@Module({
  imports: [ContactsModule, SendingModule],
  controllers: [HitsController, UnsubscribeController],
  providers: [HitsService, HitVerdicts, RecipientLinks, UndecidedHits, UnsubscribeService],
})
export class TrackingModule {}

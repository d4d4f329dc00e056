import { Module } from '@nestjs/common';
import { SendingModule } from '../sending/index.js';
import { RepliesController } from './replies.controller.js';
import { RepliesListener } from './replies.listener.js';
import { RepliesService } from './replies.service.js';
import { ReplyPublicEvents } from './reply.public-events.js';

/** Replies to messages: stores what is received, shows it, and answers. */
@Module({
  imports: [SendingModule],
  controllers: [RepliesController],
  providers: [RepliesListener, RepliesService, ReplyPublicEvents],
})
export class RepliesModule {}

import { Controller, Param, Post } from '@nestjs/common';
import { PublicRoute, Responds, Summary } from '../../platform/http/index.js';
import { receipt } from '../inbound.view.js';
import { SendgridEventsService } from './sendgrid-events.service.js';
import { Signed, type SignedRequest } from './signed-request.js';

@Controller('inbound/sendgrid/:key')
export class SendgridEventsController {
  constructor(private readonly events: SendgridEventsService) {}

  @Post()
  @PublicRoute()
  @Summary('Receive signed events of SendGrid')
  @Responds(receipt)
  receive(@Param('key') key: string, @Signed() request: SignedRequest) {
    return this.events.receive(key, request);
  }
}

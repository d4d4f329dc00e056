import { Controller, Param, Post } from '@nestjs/common';
import { PublicRoute, UnreadBody, UnreadBodyParam, Responds, Summary } from '../../platform/http/index.js';
import { receipt } from '../inbound.view.js';
import { InboundMailService } from './inbound-mail.service.js';

@Controller('inbound/mail/:key')
export class InboundMailController {
  constructor(private readonly mail: InboundMailService) {}

  @Post()
  @PublicRoute()
  @Summary('Receive a bounce, a complaint or a reply', 'receiveMailReport')
  @Responds(receipt)
  receive(@Param('key') key: string, @UnreadBodyParam() body: UnreadBody) {
    return this.mail.receive(key, body);
  }
}

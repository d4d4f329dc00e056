import { Controller, Param, Post } from '@nestjs/common';
import { UnreadBody, UnreadBodyParam } from '@outreach/http-api/body';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { PublicRoute } from '@outreach/http-api/routes';
import { receipt } from '../inbound.view.js';
import { InboundMailService } from './inbound-mail.service.js';

@Controller('inbound/mail/:key')
export class InboundMailController {
  constructor(private readonly mail: InboundMailService) {}

  /**
   * Takes a raw message of at most 10 MB: a bounce (RFC 3464), a complaint (RFC 5965) or a reply to a message of the
   * workspace.
   */
  @Post()
  @PublicRoute()
  @Summary('Receive a bounce, a complaint or a reply', 'receiveMailReport')
  @Responds(receipt, { errors: [400, 408, 413, 415, 429] })
  receive(@Param('key') key: string, @UnreadBodyParam() body: UnreadBody) {
    return this.mail.receive(key, body);
  }
}

import { Controller, Param, Post } from '@nestjs/common';
import { UnreadBody, UnreadBodyParam } from '../../platform/http/body/index.js';
import { Summary } from '../../platform/http/openapi/index.js';
import { Responds } from '../../platform/http/responses/index.js';
import { PublicRoute } from '../../platform/http/routes/index.js';
import { receipt } from '../inbound.view.js';
import { InboundMailService } from './inbound-mail.service.js';

@Controller('inbound/parse/:key')
export class InboundParseController {
  constructor(private readonly mail: InboundMailService) {}

  /**
   * Takes a form of SendGrid's Inbound Parse, of at most 30 MB, with the raw message in `email`: a bounce (RFC 3464), a
   * complaint (RFC 5965) or a reply to a message of the workspace. 422 if it has no `email`: the option "POST the raw,
   * full MIME message" is off at SendGrid then. The key is that of `GET /v1/inbound`.
   */
  @Post()
  @PublicRoute()
  @Summary("Receive a mail from SendGrid's Inbound Parse", 'receiveParsedMail')
  @Responds(receipt, { errors: [400, 408, 413, 415, 422, 429] })
  receive(@Param('key') key: string, @UnreadBodyParam() body: UnreadBody) {
    return this.mail.receiveForm(key, body);
  }
}

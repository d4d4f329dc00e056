import { Controller, Param, Post } from '@nestjs/common';
import { UnreadBody, UnreadBodyParam } from '../../platform/http/body/index.js';
import { Summary } from '../../platform/http/openapi/index.js';
import { Responds } from '../../platform/http/responses/index.js';
import { PublicRoute } from '../../platform/http/routes/index.js';
import { receipt } from '../inbound.view.js';
import { SendgridEventsService } from './sendgrid-events.service.js';
import { type RequestSignature, Signature } from './signed-request.js';

@Controller('inbound/sendgrid/:key')
export class SendgridEventsController {
  constructor(private readonly events: SendgridEventsService) {}

  /**
   * Takes the events of SendGrid's signed event webhook. The response says that they are stored; in a burst they take
   * effect some seconds later. 429 with `Retry-After` if too many requests wait, or beyond the quota of the key. 403 if the
   * signature does not fit the `sendgrid_webhook_key` of an account of the workspace.
   */
  @Post()
  @PublicRoute()
  @Summary('Receive signed events of SendGrid', 'receiveSendGridEvents')
  @Responds(receipt, { errors: [400, 403, 408, 413, 415, 429] })
  receive(@Param('key') key: string, @Signature() signature: RequestSignature, @UnreadBodyParam() body: UnreadBody) {
    return this.events.receive(key, signature, body);
  }
}

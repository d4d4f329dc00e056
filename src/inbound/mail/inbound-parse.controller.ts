import { Controller, Param, Post, type Type } from '@nestjs/common';
import { UnreadBody, UnreadBodyParam } from '@outreach/http-api/body';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { PublicRoute } from '@outreach/http-api/routes';
import { RECEIVED_FORMS, type ProviderForm } from '../../email-accounts/index.js';
import { receipt } from '../inbound.view.js';
import { InboundMailService } from './inbound-mail.service.js';

/** The routes for the forms in which providers post the mails that they receive. */
export const FORM_CONTROLLERS: readonly Type[] = RECEIVED_FORMS.map(controllerOf);

function controllerOf(form: ProviderForm): Type {
  const { provider, name, path, operation, part, option, max_megabytes } = form;
  const description =
    `Takes a form of ${provider}'s ${name}, of at most ${max_megabytes} MB, with the raw message in \`${part}\`: a bounce ` +
    `(RFC 3464), a complaint (RFC 5965) or a reply to a message of the workspace. 422 if it has no \`${part}\`: the option ` +
    `"${option}" is off at ${provider} then. The key is that of \`GET /v1/inbound\`.`;

  @Controller(`inbound/${path}/:key`)
  class ReceivedFormController {
    constructor(private readonly mail: InboundMailService) {}

    @Post()
    @PublicRoute()
    @Summary(`Receive a mail from ${provider}'s ${name}`, operation, description)
    @Responds(receipt, { errors: [400, 408, 413, 415, 422, 429] })
    receive(@Param('key') key: string, @UnreadBodyParam() body: UnreadBody) {
      return this.mail.receiveForm(form, key, body);
    }
  }
  return ReceivedFormController;
}

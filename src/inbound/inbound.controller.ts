import { Controller, Get, Post } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { EVENT_PROVIDERS } from '../email-accounts/index.js';
import { InWorkspace } from '../platform/http/requests/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { InboundService } from './inbound.service.js';
import { inboundView } from './inbound.view.js';

/** Of those that report by events. */
const PROVIDER_NAMES = EVENT_PROVIDERS.map(({ name }) => name).join(', ');

@Controller('v1/inbound')
export class InboundController {
  constructor(private readonly inbound: InboundService) {}

  @Get()
  @Summary(
    `Get the addresses for reports of ${PROVIDER_NAMES} and of mailboxes`,
    'getInboundAddresses',
    `Addresses with a secret key, to which ${PROVIDER_NAMES}, a mail server or a forwarding rule reports what has become of ` +
      'messages.',
  )
  @RequirePermission('email_accounts:write')
  @Responds(inboundView)
  get(@InWorkspace() scope: WorkspaceScope) {
    return this.inbound.addresses(scope);
  }

  /** Makes a new key. The addresses with the old one stop working at once. */
  @Post('rotate')
  @Summary('Replace the key of these addresses; the addresses with the old key end', 'rotateInboundKey')
  @RequirePermission('email_accounts:write')
  @Responds(inboundView)
  rotate(@InWorkspace() scope: WorkspaceScope) {
    return this.inbound.rotate(scope);
  }
}

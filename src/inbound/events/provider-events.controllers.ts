import { Controller, createParamDecorator, type ExecutionContext, Param, Post, type Type } from '@nestjs/common';
import { UnreadBody, UnreadBodyParam } from '@outreach/http-api/body';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { PublicRoute } from '@outreach/http-api/routes';
import { EVENT_PROVIDERS, type EventProvider, type EventRequest } from '../../email-accounts/index.js';
import type { ServiceRequest } from '../../platform/http/requests/index.js';
import { receipt } from '../inbound.view.js';
import { ProviderEventsService } from './provider-events.service.js';

type Headers = EventRequest['headers'];

/** Injects the headers of the request, whose signature is not verified yet. */
const RequestHeaders = createParamDecorator(
  (_: unknown, context: ExecutionContext): Headers => context.switchToHttp().getRequest<ServiceRequest>().headers,
);

/** The routes for events, one of each provider that reports by events. */
export const EVENT_CONTROLLERS: readonly Type[] = EVENT_PROVIDERS.map(controllerOf);

function controllerOf(provider: EventProvider): Type {
  const { type, name, events } = provider;
  const description =
    `Takes the events of ${name}'s ${events.name}. The response says that they are stored; in a burst they take effect some ` +
    'seconds later. 429 with `Retry-After` if too many requests wait, or beyond the quota of the key. 403 if the signature ' +
    `does not fit the \`${events.key}\` of an account of the workspace.`;

  @Controller(`inbound/${type}/:key`)
  class ProviderEventsController {
    constructor(private readonly events: ProviderEventsService) {}

    @Post()
    @PublicRoute()
    @Summary(`Receive signed events of ${name}`, `receive${name.replaceAll(/\W/g, '')}Events`, description)
    @Responds(receipt, { errors: [400, 403, 408, 413, 415, 429] })
    receive(@Param('key') key: string, @RequestHeaders() headers: Headers, @UnreadBodyParam() body: UnreadBody) {
      return this.events.receive(provider, key, headers, body);
    }
  }
  return ProviderEventsController;
}

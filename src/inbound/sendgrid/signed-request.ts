import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { SignedEvents } from '../../email-accounts/index.js';
import type { ServiceRequest } from '../../platform/http/index.js';

/** A call of SendGrid's event webhook. */
export interface SignedRequest {
  readonly signed: SignedEvents;
  /** The parsed body; undefined if there is none. */
  readonly content: unknown;
}

const SIGNATURE = 'x-twilio-email-event-webhook-signature';
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp';

/** Injects the call. Its signature is not verified yet. */
export const Signed = createParamDecorator((_: unknown, context: ExecutionContext): SignedRequest => {
  const request = context.switchToHttp().getRequest<ServiceRequest>();
  const { headers, rawBody } = request;
  const signature = String(headers[SIGNATURE] ?? '');
  const timestamp = String(headers[TIMESTAMP] ?? '');
  return { signed: { signature, timestamp, body: rawBody ?? Buffer.alloc(0) }, content: request.body };
});

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { SignedEvents } from '../../email-accounts/index.js';
import type { ServiceRequest } from '../../platform/http/requests/index.js';

/** What SendGrid sends in the header with the signed body. */
export type RequestSignature = Omit<SignedEvents, 'body'>;

const SIGNATURE = 'x-twilio-email-event-webhook-signature';
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp';

/** Injects the signature of the request, which is not verified yet. */
export const Signature = createParamDecorator((_: unknown, context: ExecutionContext): RequestSignature => {
  const { headers } = context.switchToHttp().getRequest<ServiceRequest>();
  return { signature: String(headers[SIGNATURE] ?? ''), timestamp: String(headers[TIMESTAMP] ?? '') };
});

import { is, view } from '@outreach/http-api/responses';

const MESSAGE = 'This is a test of your webhook.';

/** The `data` of a test delivery (API v1, "Events"). The timestamp has an offset instead of `Z`. */
export const testEventView = view(
  'WebhookTest',
  { message: is.string, timestamp: is.timestamp },
  (requestedAt: Date) => ({ message: MESSAGE, timestamp: requestedAt.toISOString().replace('Z', '+00:00') }),
);

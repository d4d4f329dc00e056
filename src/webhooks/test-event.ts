import { is, view } from '../platform/http/index.js';

const MESSAGE = 'This is a test of your webhook.';

/** What a test delivery tells (API v1, "Events"): a message, and when it was asked for, with an offset. */
export const testEventView = view('WebhookTest', { message: is.string, timestamp: is.timestamp }, (asked: Date) => ({
  message: MESSAGE,
  timestamp: asked.toISOString().replace('Z', '+00:00'),
}));

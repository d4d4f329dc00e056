import type { OutgoingRequests, OutgoingRequest } from '@outreach/http-api/openapi';
import { is, type Schema } from '@outreach/http-api/responses';
import type { PublicEventDefinition } from '../platform/events/index.js';
import { DELIVERY_HEADERS } from '@outreach/webhook-delivery';
import { TEST_EVENT, testEventView } from '../webhooks/index.js';

const TESTED = new Date('2026-03-02T08:20:00.000Z');

/** @returns all events that are sent to webhooks, each with an example of its body */
export function eventReference(publicEvents: readonly PublicEventDefinition[]): OutgoingRequest[] {
  const events = publicEvents.map(({ name, when, view, example }) =>
    outgoingExample({ name, when, view }, view.toJson(example)),
  );
  const test = { name: TEST_EVENT, when: 'Sent by the test endpoint only; a webhook cannot subscribe to it.' };
  return [...events, outgoingExample({ ...test, view: testEventView }, testEventView.toJson(TESTED))];
}

/** @returns the requests that deliver events, for the API reference */
export const deliveries = (publicEvents: readonly PublicEventDefinition[]): OutgoingRequests => ({
  tag: 'Events',
  requests: eventReference(publicEvents),
  body: (event: string, data: Schema): Schema =>
    is.shape(schemaName(event), { event: { type: 'string', const: event }, workspace_id: is.id, data }),
  headers: DELIVERY_HEADERS,
  responses: {
    '2XX': { description: 'The receiver has accepted the event. It has 10 seconds to respond.' },
    default: {
      description: 'Any other status, including a redirect, is a failed attempt; the delivery is repeated later.',
    },
  },
});

/** `email_account.disabled` → `EmailAccountDisabledEvent`. */
const schemaName = (event: string): string =>
  `${event.replace(/(?:^|[\W_])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

const outgoingExample = (event: Omit<OutgoingRequest, 'example'>, data: object): OutgoingRequest => ({
  ...event,
  example: { event: event.name, workspace_id: 1, data },
});

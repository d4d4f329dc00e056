import type { Announced } from '../platform/events/index.js';
import { is, type Outgoing, type OutgoingRequest, type Schema } from '../platform/http/index.js';
import { DELIVERY_HEADERS, TEST_EVENT, testEventView } from '../webhooks/index.js';

const TESTED = new Date('2026-03-02T08:20:00.000Z');

/** All events that a webhook hears of, each with a whole body. */
export function eventReference(announced: readonly Announced[]): OutgoingRequest[] {
  const events = announced.map(({ name, when, view, example }) => toldAs({ name, when, view }, view.show(example)));
  const test = { name: TEST_EVENT, when: 'Sent by the test endpoint only; nothing can subscribe to it.' };
  return [...events, toldAs({ ...test, view: testEventView }, testEventView.show(TESTED))];
}

/** The deliveries of events, for the API reference. */
export const deliveries = (announced: readonly Announced[]): Outgoing => ({
  tag: 'Events',
  requests: eventReference(announced),
  body: (event: string, data: Schema): Schema =>
    is.shape({ event: { type: 'string', const: event }, workspace_id: is.id, data }),
  headers: DELIVERY_HEADERS,
  responses: {
    '2XX': { description: 'Taken. The receiver has 10 seconds to say so.' },
    default: {
      description: 'Anything else, a redirect too, is a failed attempt; the delivery is repeated later.',
    },
  },
});

const toldAs = (event: Omit<OutgoingRequest, 'example'>, data: object): OutgoingRequest => ({
  ...event,
  example: { event: event.name, workspace_id: 1, data },
});

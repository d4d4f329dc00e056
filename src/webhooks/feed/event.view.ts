import { is, timestamp, view } from '@outreach/http-api/responses';
import { EVENT_NAMES } from '../event-names.js';
import type { StoredEvent } from './read-events.queries.js';

/** An event that has happened. */
const eventShape = is.shape('PublishedEvent', {
  /** Events with larger IDs have happened later, or were committed later. The IDs of a workspace begin with 1. */
  id: is.integer,
  /** The name of the event. */
  event: is.oneOf(EVENT_NAMES),
  /** The same as the `data` that webhooks receive. */
  data: is.object,
  created_at: is.timestamp,
});

interface EventPageMeta {
  readonly next_after: number | null;
  readonly next_cursor?: string | null | undefined;
}

const metaView = view(
  'EventPageMeta',
  {
    /** The `after` of the next page: the last ID of this one. If the page is empty, the `after` of the request, or null. */
    next_after: is.nullable(is.integer),
    /** Only with `cursor`: the cursor of the next page; null on the last page. */
    next_cursor: is.nullable(is.string),
  },
  ({ next_after, next_cursor }: EventPageMeta) => ({
    next_after,
    ...(next_cursor === undefined ? {} : { next_cursor }),
  }),
  ['next_cursor'],
);

/** A page of events. */
export interface EventPage extends EventPageMeta {
  readonly events: readonly StoredEvent[];
}

export const eventPageView = view(
  'EventPage',
  {
    /** The events, the oldest first. */
    data: is.arrayOf(eventShape),
    /** Where the next page begins. */
    meta: is.view(metaView),
  },
  ({ events, ...meta }: EventPage) => ({
    data: events.map(({ created_at, ...event }) => ({ ...event, created_at: timestamp(created_at) })),
    meta: metaView.toJson(meta),
  }),
);

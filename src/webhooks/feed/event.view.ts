import { is, timestamp, view } from '../../platform/http/index.js';
import { EVENT_NAMES } from '../event-names.js';
import type { StoredEvent } from './read-events.queries.js';

/** An event that has happened. */
const eventShape = is.shape('Event', {
  /** Events with larger IDs have happened later, or were committed later. The IDs of a workspace begin with 1. */
  id: is.integer,
  /** The name. */
  event: is.oneOf(EVENT_NAMES),
  /** The same as the `data` that webhooks receive. */
  data: is.object,
  created_at: is.timestamp,
});

/** A page of events. */
export interface EventPage {
  readonly events: readonly StoredEvent[];
  readonly next_after: number | null;
  /** Absent without a cursor. */
  readonly next_cursor?: string | null | undefined;
}

export const eventPageView = view(
  'EventPage',
  {
    /** The events, the oldest first. */
    data: is.arrayOf(eventShape),
    /** Where the next page begins. */
    meta: is.shape('EventPageMeta', {
      /** The `after` of the next page: the last ID of this one. If the page is empty, the `after` of the request, or null. */
      next_after: is.nullable(is.integer),
    }),
  },
  ({ events, next_after, next_cursor }: EventPage) => ({
    data: events.map(({ created_at, ...event }) => ({ ...event, created_at: timestamp(created_at) })),
    meta: { next_after, ...(next_cursor === undefined ? {} : { next_cursor }) },
  }),
);

import { unwrap } from './errors.js';
import type { ListReader } from './lists.js';
import { wait } from './retrying-fetch.js';
import type { EventName, FeedEvent } from './types.js';

export interface EventFeedOptions {
  /** The ID of the last event that was processed; without it, the oldest event is the first. */
  readonly after?: number;
  /** Only events with these names. */
  readonly events?: readonly EventName[];
  /** Whether to wait for new events when all have been read. */
  readonly follow?: boolean;
  /** The pause before the service is asked for new events: 2,000 milliseconds by default. */
  readonly pollIntervalMs?: number;
  /** Ends the requests and the pauses; the iteration rejects with its reason. */
  readonly signal?: AbortSignal;
}

interface EventPage {
  readonly data: readonly FeedEvent[];
  readonly meta: { readonly next_after: number | null };
}

const EVENTS_PER_PAGE = 500;
const POLL_INTERVAL_MS = 2_000;

/**
 * Yields events by `GET /v1/events`, the oldest first.
 * @throws ApiError; the reason of the signal
 */
export async function* readEvents(read: ListReader, options: EventFeedOptions): AsyncGenerator<FeedEvent, void> {
  const { events, follow = false, pollIntervalMs = POLL_INTERVAL_MS, signal } = options;
  const filter = events ? { event: events.join(',') } : {};
  let after = options.after;
  for (;;) {
    const query = { limit: EVENTS_PER_PAGE, ...filter, ...(after === undefined ? {} : { after }) };
    const { data, meta } = (await unwrap(
      read('/v1/events', { params: { query }, ...(signal ? { signal } : {}) }),
    )) as EventPage;
    yield* data;
    const hasAdvanced = meta.next_after !== null && meta.next_after !== (after ?? 0);
    if (hasAdvanced) after = meta.next_after ?? undefined;
    else if (follow) await wait(pollIntervalMs, signal);
    else return;
  }
}

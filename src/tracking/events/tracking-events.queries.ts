import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { TrackingEventKind, TrackingEvent, BotClassification } from './tracking-event.entity.js';
import { GRACE_SECONDS, BOT_WINDOW_SECONDS } from './bot-detector.js';

/** A hit to be written down. */
export interface NewTrackingEvent {
  readonly message_id: number;
  readonly kind: TrackingEventKind;
  readonly link: number | null;
  readonly url: string | null;
  readonly user_agent: string | null;
  readonly classification: BotClassification;
}

/** A hit whose time has come to be judged, or one of the same message and time that it is judged by. */
export type EventToClassify = Pick<TrackingEvent, 'id' | 'message_id' | 'kind' | 'link' | 'url' | 'created_at'> & {
  readonly is_due: boolean;
  /** Whether its message counts as opened already. */
  readonly is_opened: boolean;
};

/** More of one kind say nothing new of a message: whoever loads its picture for ever fills no disk. */
const MAX_EVENTS_OF_A_KIND = 1000;
const BATCH = 500;

/** Writes a hit down, unless its message is gone. A message that goes at this instant is gone. */
export async function insertTrackingEvent(scope: WorkspaceScope, event: NewTrackingEvent): Promise<void> {
  await scope.execute(
    sql`INSERT INTO tracking_events (workspace_id, message_id, kind, link, url, user_agent, classification)
        SELECT ${scope}, message.id, ${event.kind}, ${event.link}::int, ${event.url}, ${event.user_agent}, ${event.classification}
        FROM messages message
        WHERE message.workspace_id = ${scope} AND message.id = ${event.message_id} AND (
          SELECT count(*) FROM (
            SELECT 1 FROM tracking_events known
            WHERE known.workspace_id = ${scope} AND known.message_id = ${event.message_id} AND known.kind = ${event.kind}
            LIMIT ${MAX_EVENTS_OF_A_KIND}) recorded) < ${MAX_EVENTS_OF_A_KIND}
        FOR KEY SHARE OF message`,
  );
}

/**
 * The undecided hits that are old enough to be judged, the oldest first and locked, with all others of their messages
 * that happened around the same time.
 */
export function findEventsToClassify(scope: WorkspaceScope): Promise<EventToClassify[]> {
  return scope.query<EventToClassify>(
    sql`WITH due AS MATERIALIZED (
          SELECT id, message_id, created_at FROM tracking_events
          WHERE workspace_id = ${scope} AND classification = 'undecided'
            AND created_at <= now() - make_interval(secs => ${GRACE_SECONDS})
          ORDER BY created_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
        ), visited AS (
          SELECT message_id, min(created_at) AS since, max(created_at) AS until FROM due GROUP BY message_id
        )
        SELECT hit.id, hit.message_id, hit.kind, hit.link, hit.url, hit.created_at,
          due.id IS NOT NULL AS is_due, message.opened_at IS NOT NULL AS is_opened
        FROM visited
        JOIN messages message ON message.workspace_id = ${scope} AND message.id = visited.message_id
        JOIN tracking_events hit ON hit.workspace_id = ${scope} AND hit.message_id = visited.message_id
          AND hit.created_at >= visited.since - make_interval(secs => ${GRACE_SECONDS + BOT_WINDOW_SECONDS})
          AND hit.created_at <= visited.until + make_interval(secs => ${GRACE_SECONDS})
        LEFT JOIN due ON due.id = hit.id
        ORDER BY hit.message_id, hit.created_at, hit.id`,
  );
}

/** Writes down what was decided of hits. */
export async function saveClassifications(
  scope: WorkspaceScope,
  classified: readonly { readonly id: number; readonly classification: BotClassification }[],
): Promise<void> {
  await scope.execute(
    sql`UPDATE tracking_events hit SET classification = decided.classification
        FROM unnest(${classified.map(({ id }) => id)}::bigint[], ${classified.map(({ classification }) => classification)}::text[])
          AS decided (id, classification)
        WHERE hit.workspace_id = ${scope} AND hit.id = decided.id`,
  );
}

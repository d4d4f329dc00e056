import { BOT_WINDOW_SECONDS, GRACE_SECONDS } from '@outreach/bot-detection';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { mayTrackContact } from '../../sending/index.js';
import type { TrackingEventKind, TrackingEvent, BotClassification } from './tracking-event.entity.js';

export interface NewTrackingEvent {
  readonly message_id: number;
  readonly kind: TrackingEventKind;
  readonly link: number | null;
  readonly url: string | null;
  readonly user_agent: string | null;
  readonly classification: BotClassification;
}

/** An event that is due to be classified, or another one of the same message around that time. */
export type EventToClassify = Pick<TrackingEvent, 'id' | 'message_id' | 'kind' | 'link' | 'url' | 'created_at'> & {
  readonly is_due: boolean;
  /** Whether the message was counted as opened before. */
  readonly is_opened: boolean;
};

/** Events of one kind that are stored per message, so that endless requests do not fill the disk. */
const MAX_EVENTS_OF_A_KIND = 1000;
const BATCH = 500;

/**
 * Stores an event. Does nothing if the contact may not be measured, or the message is deleted, even concurrently. The lock is
 * in a sub-select, because several nodes confuse the format of rows whose `SELECT` locks them and reads more than tables.
 * @returns when it happened; undefined if it was not stored
 */
export async function insertTrackingEvent(scope: WorkspaceScope, event: NewTrackingEvent): Promise<Date | undefined> {
  const [stored] = await scope.query<{ created_at: Date }>(
    sql`WITH measured AS MATERIALIZED (SELECT * FROM (
          SELECT message.id, enrollment.id AS enrollment_id
          FROM all_messages message
          JOIN enrollments enrollment ON enrollment.workspace_id = ${scope} AND enrollment.id = message.enrollment_id
          JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
          WHERE message.workspace_id = ${scope} AND message.id = ${event.message_id} AND ${mayTrackContact(scope, 'contact')}
            AND (SELECT count(*) FROM (
              SELECT 1 FROM tracking_events existing
              WHERE existing.workspace_id = ${scope} AND existing.enrollment_id = enrollment.id
                AND existing.message_id = ${event.message_id} AND existing.kind = ${event.kind}
              LIMIT ${MAX_EVENTS_OF_A_KIND}) recorded) < ${MAX_EVENTS_OF_A_KIND}
          FOR KEY SHARE OF enrollment) locked
        )
        INSERT INTO tracking_events (workspace_id, message_id, enrollment_id, kind, link, url, user_agent, classification,
          created_at)
        SELECT ${scope}, id, enrollment_id, ${event.kind}, ${event.link}::int, ${event.url}, ${event.user_agent},
          ${event.classification}, ${scope.now}
        FROM measured RETURNING created_at`,
  );
  return stored?.created_at;
}

/**
 * Stores an open or a click that a provider has reported, of each of these messages. Does nothing for those that have one
 * with the same target and classification at this instant, or a thousand of the kind, or whose contact may not be measured.
 * @returns the messages of which one was stored
 */
export async function insertReportedEvents(
  scope: WorkspaceScope,
  messageIds: readonly number[],
  event: Pick<TrackingEvent, 'kind' | 'url' | 'classification' | 'created_at'>,
): Promise<number[]> {
  const rows = await scope.query<{ message_id: number }>(
    sql`WITH measured AS MATERIALIZED (SELECT * FROM (
          SELECT message.id, enrollment.id AS enrollment_id
          FROM all_messages message
          JOIN enrollments enrollment ON enrollment.workspace_id = ${scope} AND enrollment.id = message.enrollment_id
          JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
          CROSS JOIN LATERAL (
            SELECT count(*) AS events, coalesce(bool_or(existing.created_at = ${event.created_at}::timestamptz
              AND existing.classification = ${event.classification}
              AND existing.url IS NOT DISTINCT FROM ${event.url}), FALSE) AS is_known FROM (
              SELECT created_at, classification, url FROM tracking_events
              WHERE workspace_id = ${scope} AND enrollment_id = enrollment.id AND message_id = message.id
                AND kind = ${event.kind}
              LIMIT ${MAX_EVENTS_OF_A_KIND}) existing) stored
          WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...messageIds]}::bigint[])
            AND stored.events < ${MAX_EVENTS_OF_A_KIND} AND NOT stored.is_known AND ${mayTrackContact(scope, 'contact')}
          FOR KEY SHARE OF enrollment) locked
        )
        INSERT INTO tracking_events (workspace_id, message_id, enrollment_id, kind, url, classification, created_at)
        SELECT ${scope}, id, enrollment_id, ${event.kind}, ${event.url}, ${event.classification},
          ${event.created_at}::timestamptz
        FROM measured RETURNING message_id`,
  );
  return rows.map(({ message_id: id }) => id);
}

/**
 * Locks and returns the undecided events that are due, the oldest first, and all other events of their messages around
 * that time.
 */
export function findEventsToClassify(scope: WorkspaceScope): Promise<EventToClassify[]> {
  return scope.query<EventToClassify>(
    sql`WITH due AS MATERIALIZED (
          SELECT id, message_id, enrollment_id, created_at FROM tracking_events
          WHERE workspace_id = ${scope} AND classification = 'undecided'
            AND created_at <= ${scope.now} - make_interval(secs => ${GRACE_SECONDS})
          ORDER BY created_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
        ), message_times AS (
          SELECT message_id, enrollment_id, min(created_at) AS since, max(created_at) AS until FROM due
          GROUP BY message_id, enrollment_id
        )
        SELECT event.id, event.message_id, event.kind, event.link, event.url, event.created_at,
          due.id IS NOT NULL AS is_due, message.opened_at IS NOT NULL AS is_opened
        FROM message_times
        LEFT JOIN all_messages message ON message.workspace_id = ${scope} AND message.id = message_times.message_id
        JOIN tracking_events event ON event.workspace_id = ${scope} AND event.enrollment_id = message_times.enrollment_id
          AND event.message_id = message_times.message_id
          AND event.created_at >= message_times.since - make_interval(secs => ${GRACE_SECONDS + BOT_WINDOW_SECONDS})
          AND event.created_at <= message_times.until + make_interval(secs => ${GRACE_SECONDS})
        LEFT JOIN due ON due.id = event.id
        ORDER BY event.message_id, event.created_at, event.id`,
  );
}

/**
 * Deletes those of the events whose contacts may not be measured: they have refused it after the requests.
 * @returns the IDs of the deleted ones
 */
export async function deleteUnmeasuredEvents(
  scope: WorkspaceScope,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  return new Set(
    await scope.queryIds(
      sql`DELETE FROM tracking_events event USING enrollments enrollment, contacts contact
        WHERE event.workspace_id = ${scope} AND event.id = ANY(${[...ids]}::bigint[])
          AND enrollment.workspace_id = ${scope} AND enrollment.id = event.enrollment_id
          AND contact.workspace_id = ${scope} AND contact.id = enrollment.contact_id
          AND NOT ${mayTrackContact(scope, 'contact')}
        RETURNING event.id`,
    ),
  );
}

export async function saveClassifications(
  scope: WorkspaceScope,
  classified: readonly { readonly id: number; readonly classification: BotClassification }[],
): Promise<void> {
  await scope.execute(
    sql`UPDATE tracking_events event SET classification = decision.classification
        FROM unnest(${classified.map(({ id }) => id)}::bigint[],
          ${classified.map(({ classification }) => classification)}::text[])
          AS decision (id, classification)
        WHERE event.workspace_id = ${scope} AND event.id = decision.id`,
  );
}

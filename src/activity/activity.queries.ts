import { type Sql, sql } from '../platform/database/index.js';
import type { ListPosition, WorkspaceScope } from '../platform/tenancy/index.js';
import { ACTIVITY_TYPES, type ActivityType } from './activity-types.js';
import type { ActivityEntry } from './activity.view.js';

export interface ActivityFilter {
  readonly types: readonly ActivityType[];
  /** Conditions on `entry`. */
  readonly conditions: readonly Sql[];
}

/** A statement that selects entries of some types. Each reads its table by an index, for one contact. */
interface Source {
  readonly types: readonly ActivityType[];
  readonly entries: Sql;
}

const NO_DATA = sql`'{}'::jsonb`;

/** The enrollments of the contact, and what is read of them. */
const ofEnrollments = (scope: WorkspaceScope, contactId: number, joined: Sql): Sql =>
  sql`FROM enrollments enrollment ${joined}
      WHERE enrollment.workspace_id = ${scope} AND enrollment.contact_id = ${contactId}`;

const contactSources = (scope: WorkspaceScope, contactId: number): Source[] => [
  {
    types: ['contact.created'],
    entries: sql`
      SELECT 'contact-' || contact.id AS id, 'contact.created' AS type, contact.created_at AS occurred_at,
        NULL::bigint AS campaign_id, NULL::bigint AS step_id, NULL::text AS message_id,
        jsonb_build_object('source', contact.created_source) AS data
      FROM contacts contact WHERE contact.workspace_id = ${scope} AND contact.id = ${contactId}`,
  },
  {
    types: ['contact.status_changed', 'contact.consent_changed'],
    entries: sql`
      SELECT 'change-' || change.id,
        CASE change.field WHEN 'status' THEN 'contact.status_changed' ELSE 'contact.consent_changed' END,
        change.created_at, NULL, NULL, NULL,
        jsonb_build_object('from', change.old_value, 'to', change.new_value, 'source', change.source)
      FROM contact_changes change WHERE change.workspace_id = ${scope} AND change.contact_id = ${contactId}`,
  },
];

const enrollmentSources = (scope: WorkspaceScope, contactId: number): Source[] => [
  {
    types: ['enrollment.created'],
    entries: sql`
      SELECT 'enrollment-' || enrollment.id, 'enrollment.created', enrollment.created_at, enrollment.campaign_id, NULL, NULL,
        ${NO_DATA} ${ofEnrollments(scope, contactId, sql.empty)}`,
  },
  {
    types: ['enrollment.completed', 'enrollment.failed', 'enrollment.unsubscribed'],
    entries: sql`
      SELECT 'end-' || enrollment.id, 'enrollment.' || enrollment.status,
        CASE enrollment.status WHEN 'completed' THEN enrollment.completed_at
          ELSE coalesce(enrollment.stopped_at, enrollment.updated_at) END,
        enrollment.campaign_id, NULL, NULL, ${NO_DATA}
      ${ofEnrollments(scope, contactId, sql.empty)} AND enrollment.status IN ('completed', 'failed', 'unsubscribed')`,
  },
  {
    types: ['enrollment.skipped', 'enrollment.moved'],
    entries: sql`
      SELECT 'move-' || change.id, 'enrollment.' || change.kind, change.created_at, enrollment.campaign_id, change.step_id,
        NULL, ${NO_DATA}
      ${ofEnrollments(
        scope,
        contactId,
        sql`JOIN enrollment_changes change ON change.workspace_id = ${scope}
        AND change.enrollment_id = enrollment.id`,
      )}`,
  },
];

/** @param requestData `||` and what is added to the data of an open or a click, of `event` */
const messageSources = (scope: WorkspaceScope, contactId: number, requestData: Sql): Source[] => [
  {
    types: ['email.sent', 'email.delivered', 'email.bounced', 'email.complained', 'email.unsubscribed'],
    entries: sql`
      SELECT stage.name || '-' || message.id, 'email.' || stage.name, stage.at, message.campaign_id, message.step_id,
        message.message_id, ${NO_DATA}
      ${ofEnrollments(
        scope,
        contactId,
        sql`JOIN messages message ON message.workspace_id = ${scope} AND message.enrollment_id = enrollment.id
          CROSS JOIN LATERAL (VALUES ('sent', message.sent_at), ('delivered', message.delivered_at),
            ('bounced', CASE WHEN message.status = 'bounced' THEN message.bounced_at END),
            ('complained', message.complained_at), ('unsubscribed', message.unsubscribed_at)) AS stage (name, at)`,
      )} AND stage.at IS NOT NULL`,
  },
  {
    types: ['email.opened', 'email.clicked'],
    entries: sql`
      SELECT 'request-' || event.id, CASE event.kind WHEN 'open' THEN 'email.opened' ELSE 'email.clicked' END,
        event.created_at, enrollment.campaign_id, message.step_id, message.message_id,
        CASE event.kind WHEN 'click' THEN jsonb_build_object('url', event.url) ELSE ${NO_DATA} END || jsonb_build_object(
          'counted', event.classification = 'counted',
          'bot_reason', CASE WHEN event.classification NOT IN ('counted', 'undecided')
            THEN event.classification END) ${requestData}
      ${ofEnrollments(
        scope,
        contactId,
        sql`JOIN tracking_events event ON event.workspace_id = ${scope} AND event.enrollment_id = enrollment.id
          LEFT JOIN messages message ON message.workspace_id = ${scope} AND message.id = event.message_id`,
      )}`,
  },
  {
    types: ['email.replied'],
    entries: sql`
      SELECT 'reply-' || reply.id, 'email.replied', reply.received_at, reply.campaign_id, message.step_id, reply.message_id,
        jsonb_build_object('reply_id', reply.id, 'classification', reply.classification, 'is_automatic', reply.is_automatic)
      FROM replies reply LEFT JOIN messages message ON message.workspace_id = ${scope} AND message.id = reply.answered_id
      WHERE reply.workspace_id = ${scope} AND reply.contact_id = ${contactId}`,
  },
];

/** A statement that selects the entries of a contact, in no order. Only tables that have some of these types are read. */
function entriesOf(
  scope: WorkspaceScope,
  contactId: number,
  { types, conditions }: ActivityFilter,
  requestData = sql.empty,
): Sql {
  const sources = [
    ...contactSources(scope, contactId),
    ...enrollmentSources(scope, contactId),
    ...messageSources(scope, contactId, requestData),
  ];
  const read = sources.filter((source) => source.types.some((type) => types.includes(type)));
  const isSelected = types.length === ACTIVITY_TYPES.length ? [] : [sql`entry.type = ANY(${[...types]}::text[])`];
  const columns = sql`(id, type, occurred_at, campaign_id, step_id, message_id, data)`;
  return sql`SELECT entry.* FROM (${sql.join(
    read.map(({ entries }) => entries),
    ' UNION ALL ',
  )}) AS entry ${columns} WHERE ${sql.all([...isSelected, ...conditions])}`;
}

const rankOf = (type: Sql): Sql => sql`array_position(${[...ACTIVITY_TYPES]}::text[], ${type})`;

/** The order of entries: by time, then by type, then by the number in the ID (`change-10` after `change-9`). */
const orderOf = (direction: 'asc' | 'desc'): Sql => {
  const way = direction === 'asc' ? sql`ASC` : sql`DESC`;
  return sql`occurred_at ${way}, ${rankOf(sql`type`)} ${way}, length(id) ${way}, id ${way}`;
};

export const entryPosition = ({ occurred_at: at, id, type }: ActivityEntry): ListPosition => [
  at.toISOString(),
  id,
  type,
];

/** The condition that an entry follows a position. */
function isAfter(position: ListPosition, direction: 'asc' | 'desc'): Sql {
  const [at, id, type] = position;
  const comparison = direction === 'asc' ? sql`>` : sql`<`;
  return sql`(occurred_at, ${rankOf(sql`type`)}, length(id), id) ${comparison}
             (${at}::timestamptz, ${rankOf(sql`${type}::text`)}, length(${id}::text), ${id}::text)`;
}

/** A statement that selects all entries of a contact, the newest first. The data of opens and clicks has `user_agent`, too. */
export function wholeActivity(scope: WorkspaceScope, contactId: number): Sql {
  const userAgent = sql`|| jsonb_build_object('user_agent', event.user_agent)`;
  const entries = entriesOf(scope, contactId, { types: ACTIVITY_TYPES, conditions: [] }, userAgent);
  return sql`${entries} ORDER BY ${orderOf('desc')}`;
}

export interface PageRange {
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
  /** Only entries that follow this position. */
  readonly after?: ListPosition | null | undefined;
}

/** The statement of {@link activityPage}: returns one row without an entry if the page is empty. */
export const activityStatement = (
  scope: WorkspaceScope,
  contactId: number,
  filter: ActivityFilter,
  { direction, limit, offset, after }: PageRange,
): Sql =>
  sql`WITH entries AS MATERIALIZED (${entriesOf(scope, contactId, filter)})
      SELECT page.*, (SELECT count(*)::int FROM entries) AS total FROM (SELECT 1) one LEFT JOIN (
        SELECT * FROM entries WHERE ${after ? isAfter(after, direction) : sql`TRUE`}
        ORDER BY ${orderOf(direction)} LIMIT ${limit} OFFSET ${offset}) page ON TRUE
      ORDER BY ${orderOf(direction)}`;

export interface ActivityPage {
  readonly entries: readonly ActivityEntry[];
  readonly total: number;
}

/** Reads a page of the entries of a contact, in one statement, whose cost depends on this contact only. */
export async function activityPage(
  scope: WorkspaceScope,
  contactId: number,
  filter: ActivityFilter,
  range: PageRange,
): Promise<ActivityPage> {
  const rows = await scope.query<ActivityEntry & { total: number }>(activityStatement(scope, contactId, filter, range));
  // An empty page is a row without an entry. The time of an end may be unknown.
  const entries = rows.filter(({ id, occurred_at: at }) => id !== null && at !== null);
  return { entries, total: rows[0]?.total ?? 0 };
}

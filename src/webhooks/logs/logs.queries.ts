import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { eventOf } from '../webhook-event.queries.js';
import { LOG_RETENTION_DAYS } from './retention-days.js';
import type { LogListQuery } from './log-list.query.js';
import { dayAfter, type LogGroup, type LogRange } from './log-pages.js';

/** Whose logs. */
export interface LogOwner {
  readonly scope: WorkspaceScope;
  readonly webhook_id: number;
}

/** A log with what was sent. */
export interface ListedLog {
  readonly id: number;
  readonly event: string;
  readonly payload: object;
  readonly status_code: number;
  readonly response: string;
  readonly success: boolean;
  readonly created_at: Date;
  readonly delivery_id: string;
  readonly attempt: number;
}

/** The first day (UTC) whose logs are still shown (API v1, "Limits"). */
const OLDEST_DAY = sql`(now() AT TIME ZONE 'UTC')::date - ${LOG_RETENTION_DAYS}::int`;

/** The instant with which it begins. */
export const OLDEST_INSTANT = sql`(${OLDEST_DAY})::timestamp AT TIME ZONE 'UTC'`;

/** How many logs match, by the day and by what the list is sorted by. */
export function countLogs({ scope, webhook_id: webhookId }: LogOwner, list: LogListQuery): Promise<LogGroup[]> {
  const value = isByInstant(list) ? sql`NULL::text` : sortColumn(list);
  return scope.query<LogGroup & { day: string }>(
    sql`SELECT to_char(record.day, 'YYYY-MM-DD') AS day, ${value} AS value, sum(record.total)::bigint AS total,
          array_agg(DISTINCT record.event) AS events, array_agg(DISTINCT record.status_code) AS status_codes
        FROM webhook_log_counts record
        WHERE record.workspace_id = ${scope} AND record.webhook_id = ${webhookId} AND record.day >= ${OLDEST_DAY}
          AND ${sql.all([...list.days(), ...list.clauses()])}
        GROUP BY 1, 2`,
  );
}

/** The logs of the slices of a page, in its order. There is one slice or more. */
export function readLogs(owner: LogOwner, list: LogListQuery, ranges: readonly LogRange[]): Promise<ListedLog[]> {
  const { scope, webhook_id: webhookId } = owner;
  const page = sql.join(
    ranges.map((range, position) => sql`(${rangeQuery(owner, list, range, position)})`),
    ' UNION ALL ',
  );
  // LIMIT makes each row a probe of its day's index: joined, all days might be read.
  return scope.query<ListedLog & { id: number }>(
    sql`SELECT log.id, log.event, log.status_code, log.response, log.success, log.created_at, log.delivery_id,
          log.attempt, ${shownPayload(scope)} AS payload
        FROM (${page}) cut
        CROSS JOIN LATERAL (
          SELECT * FROM webhook_logs
          WHERE workspace_id = ${scope} AND webhook_id = ${webhookId} AND id = cut.id AND created_at = cut.created_at
          LIMIT 1) log
        LEFT JOIN ${eventOf(scope, sql`log`)} told ON TRUE
        ORDER BY cut.place, ${order(list, sql`cut`)}`,
  );
}

/** Where one slice's logs are: with its instants bounded by days, only the partitions of those are read. */
function rangeQuery(
  { scope, webhook_id: webhookId }: LogOwner,
  list: LogListQuery,
  range: LogRange,
  position: number,
): Sql {
  return sql`SELECT ${position}::int AS place, record.id, record.created_at FROM webhook_logs record
    WHERE record.workspace_id = ${scope} AND record.webhook_id = ${webhookId}
      AND record.created_at >= ${midnight(range.first_day)}::timestamptz
      AND record.created_at < ${midnight(dayAfter(range.last_day))}::timestamptz
      AND ${sql.all([...alike(list, range)])}
    ORDER BY ${order(list, sql`record`)} LIMIT ${range.limit} OFFSET ${range.offset}`;
}

/**
 * What the logs of a slice have in common. The counts tell the names and statuses that occur among those that match, so
 * that few are found by an index among many.
 */
function* alike(list: LogListQuery, { value, events, status_codes: statuses }: LogRange): Iterable<Sql> {
  const clauses = [...list.clauses()];
  if (value !== null) clauses.push(sql`${sortColumn(list)} = ${value}`);
  if (clauses.length === 0) return;
  yield* clauses;
  yield sql`record.event = ANY(${[...events]}::text[]) AND record.status_code = ANY(${[...statuses]}::smallint[])`;
}

const midnight = (day: string): string => `${day}T00:00:00Z`;

const isByInstant = (list: LogListQuery): boolean => list.sort === 'created_at' || list.sort === undefined;

const sortColumn = (list: LogListQuery): Sql => sql.ref(`record.${list.sort}`);

/** The order among logs that are alike in what the list is sorted by. */
function order(list: LogListQuery, row: Sql): Sql {
  const direction = list.direction === 'asc' ? sql`ASC` : sql`DESC`;
  const byId = sql`${row}.id ${direction}`;
  return isByInstant(list) ? sql`${row}.created_at ${direction}, ${byId}` : byId;
}

/** Bytes of a payload that a list shows. */
const MAX_PAYLOAD_BYTES = 65_536;

/** The body as it was sent; of a long one, and of one that is no longer kept, only what it is about. */
const shownPayload = (scope: WorkspaceScope): Sql => sql`
  CASE WHEN octet_length(told.payload::text) <= ${MAX_PAYLOAD_BYTES} THEN told.payload
  ELSE json_build_object('event', log.event, 'workspace_id', ${scope}::bigint,
    'data', json_strip_nulls(json_build_object('id', told.payload #> '{data,id}')), 'truncated', TRUE) END`;
